import { type Session, sessionKey } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { ModelMessage, ToolResultPart } from 'ai';

/** A call in messages, as far as its result needs it. */
export interface MadeCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** The tool results that a session's runs have produced or decided on, as digests. */
const KNOWN = sessionKey<Set<string>>('@hooks/ai-sdk tool results');

/** The maximum number of remembered results in a session. Hooks decide on older ones again. */
const REMEMBERED = 500;

/** Whether a run of the session has produced this very result, or decided on it. */
export async function isKnown(session: Session, result: ToolResultPart, call: MadeCall): Promise<boolean> {
  const known = session.get(KNOWN);
  if (known === undefined) return false;
  const digest = await digestOf(result, call);
  return digest !== undefined && known.has(digest);
}

/**
 * Remembers a result.
 *
 * @param ifRoom forgets no other result for it: a long history would push out all that is known, each time it comes
 */
export async function remember(
  session: Session,
  result: ToolResultPart,
  call: MadeCall,
  { ifRoom = false }: { readonly ifRoom?: boolean } = {},
): Promise<void> {
  const known = session.get(KNOWN, () => new Set());
  if (ifRoom && known.size >= REMEMBERED) return;
  const digest = await digestOf(result, call);
  if (digest === undefined) return;
  known.delete(digest);
  known.add(digest);
  for (const oldest of known) {
    if (known.size <= REMEMBERED) return;
    known.delete(oldest);
  }
}

/** Remembers the results in messages that a run has produced. */
export async function rememberAll(
  session: Session,
  messages: readonly ModelMessage[],
  isConcerned: (toolName: string) => boolean,
  calls: Map<string, MadeCall> = new Map(),
): Promise<void> {
  for (const { role, content } of messages) {
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined && isConcerned(call.toolName)) await remember(session, part, call);
    }
  }
}

/** 128 bits in hexadecimal. Undefined for what has no JSON form. */
async function digestOf(
  { toolCallId, toolName, output }: ToolResultPart,
  { input }: MadeCall,
): Promise<string | undefined> {
  const read = output.type === 'execution-denied' ? output.reason : output.value;
  const hash = await hashInput([toolCallId, toolName, input ?? null, output.type, read ?? null]).catch(
    () => undefined,
  );
  return hash?.slice(0, 32);
}

/** An output that is no text, as the SDK writes it into messages. */
export function jsonOutput(value: unknown): Extract<ToolResultPart['output'], { readonly type: 'json' }> {
  return { type: 'json', value: JSON.parse(JSON.stringify(value ?? null) ?? 'null') };
}
