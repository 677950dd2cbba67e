import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { getSessionMessages, type Options } from '@anthropic-ai/claude-agent-sdk';
import { isRecord } from '../sdk.ts';

/** The options that tell where sessions are stored. */
type Stored = Pick<Options, 'cwd' | 'env' | 'sessionStore'>;

/**
 * The id of the message in which a session has stored a call that has no result. No other message has the same, while a
 * model may repeat the ids of its calls. Undefined if there is none: Claude Code may store the next call with this id
 * only after it has asked about it.
 */
export async function waitingCall(
  options: Stored,
  sessionId: string,
  callId: string,
): Promise<string | undefined> {
  const copies = await storedMessages(options, sessionId, callId);
  const ids = new Set(
    copies.filter(({ length }) => length > 0).map((messages) => waitingIn(messages, callId)),
  );
  // Nothing tells which of two copies Claude Code goes on with.
  return ids.size === 1 ? [...ids][0] : undefined;
}

function waitingIn(messages: readonly unknown[], callId: string): string | undefined {
  const latest = messages.findLast((message) => hasPart(message, callId));
  if (!isRecord(latest) || latest['type'] !== 'assistant') return undefined;
  return typeof latest['uuid'] === 'string' ? latest['uuid'] : undefined;
}

/** Whether a message of the main agent has a call, or its result. */
function hasPart(value: unknown, callId: string): boolean {
  if (!isRecord(value) || value['isSidechain'] === true) return false;
  const { type, message, parent_tool_use_id: parent } = value;
  if (!isRecord(message) || !Array.isArray(message['content']) || typeof parent === 'string') return false;
  const [partType, id] = type === 'assistant' ? ['tool_use', 'id'] : ['tool_result', 'tool_use_id'];
  return message['content'].some(
    (part: unknown) => isRecord(part) && part['type'] === partType && part[id] === callId,
  );
}

/** The messages of a session, as far as they may have a call, in each folder that has the session. */
async function storedMessages(
  { cwd: dir = process.cwd(), env = process.env, sessionStore }: Stored,
  sessionId: string,
  callId: string,
): Promise<readonly (readonly unknown[])[]> {
  if (sessionStore !== undefined) return [await getSessionMessages(sessionId, { sessionStore, dir })];
  const folder = resolve(
    dir,
    env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude'),
    'projects',
  );
  const projects = await readdir(folder).catch(() => []);
  const files = projects.map((project) =>
    readFile(join(folder, project, `${sessionId}.jsonl`), 'utf8').catch(() => ''),
  );
  const named = JSON.stringify(callId);
  return (await Promise.all(files)).map((text) =>
    text
      .split('\n')
      .filter((line) => line.includes(named))
      .map(parsed),
  );
}

/** A line of a transcript. Undefined if it is half written, which Claude Code ignores, too. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
