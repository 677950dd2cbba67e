import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getSessionMessages, type Options } from '@anthropic-ai/claude-agent-sdk';
import { isRecord } from '../sdk.ts';

/** The options that tell where sessions are stored. */
type Stored = Pick<Options, 'cwd' | 'env' | 'sessionStore'>;

/**
 * The id of the message in which a session has stored a call. No other message has the same, while a model may repeat the ids
 * of its calls. Undefined if there is none.
 */
export async function storedCall(
  options: Stored,
  sessionId: string,
  callId: string,
): Promise<string | undefined> {
  const messages = await storedMessages(options, sessionId, callId);
  const latest = messages.findLast((message) => callsIn(message).includes(callId));
  return isRecord(latest) && typeof latest['uuid'] === 'string' ? latest['uuid'] : undefined;
}

/** The ids of the calls in a message of the main agent's model. */
export function callsIn(value: unknown): readonly string[] {
  if (!isRecord(value) || value['type'] !== 'assistant' || value['isSidechain'] === true) return [];
  const { message, parent_tool_use_id: parent } = value;
  if (!isRecord(message) || !Array.isArray(message['content']) || typeof parent === 'string') return [];
  return message['content'].flatMap((part: unknown) =>
    isRecord(part) && part['type'] === 'tool_use' ? String(part['id']) : [],
  );
}

/** The messages of a session, as far as they may have a call. */
async function storedMessages(
  { cwd: dir = process.cwd(), env = process.env, sessionStore }: Stored,
  sessionId: string,
  callId: string,
): Promise<readonly unknown[]> {
  if (sessionStore !== undefined) return getSessionMessages(sessionId, { sessionStore, dir });
  const folder = join(env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude'), 'projects');
  const projects = await readdir(folder).catch(() => []);
  const files = projects.map((project) =>
    readFile(join(folder, project, `${sessionId}.jsonl`), 'utf8').catch(() => ''),
  );
  const lines = (await Promise.all(files)).flatMap((text) => text.split('\n'));
  return lines.filter((line) => line.includes(JSON.stringify(callId))).map((line) => JSON.parse(line));
}
