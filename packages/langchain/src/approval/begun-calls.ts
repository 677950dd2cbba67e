import { type Session, sessionKey } from '@hooks/core';
import type { Begun, ToolCall } from '@hooks/core/tool-call';
import type { NativeAnswer } from './answers.ts';

/** A call that hooks were asked about before its tool is called. */
export interface BegunCall {
  begun: Begun;
  /** What the model proposed. */
  readonly proposed: NamedCall;
  /** What the tool will be called with, as the history then has it. */
  approved: NamedCall;
  /** What a person has said of it, and to which input. */
  said: NativeAnswer | undefined;
  /** The run that is going on: a paused one is resumed with another signal. */
  readonly running: { signal: AbortSignal | undefined };
}

interface NamedCall {
  readonly name: string;
  readonly args: unknown;
}

const BEGUN = sessionKey<Map<string, BegunCall>>('@hooks/langchain/begun');

/** The calls of a session that were begun and whose tools were not called yet, by call id. */
export function begunCalls(session: Session): Map<string, BegunCall> {
  return session.get(BEGUN, () => new Map());
}

/** What was begun of a call whose tool is called now; it is handed out once. */
export function takeBegun({ session, callId = '', toolName, input, signal }: ToolCall): Begun | undefined {
  const calls = session.get(BEGUN);
  const known = calls?.get(callId);
  if (known === undefined || !isSame(known.approved, { name: toolName, args: input })) return undefined;
  calls?.delete(callId);
  known.running.signal = signal;
  return known.begun;
}

/** Whether two calls of one id are the same call. */
export function isSame(one: NamedCall, other: NamedCall): boolean {
  return one.name === other.name && JSON.stringify(one.args) === JSON.stringify(other.args);
}
