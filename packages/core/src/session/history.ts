import type { ToolCallStatus } from '../event/catalogue/tool.ts';
import type { KnownSession } from './session.ts';

/** One finished tool call, as a session remembers it. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly toolName: string;
  /** The input that ran, or that would have run. */
  readonly input: unknown;
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  /** Why, where it was blocked or denied. */
  readonly reason?: string;
  /** The hook that decided so, `provider/id`. */
  readonly by?: string;
  readonly attempts: number;
  readonly durationMs: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Keeps a call in its session's history. Older ones go many at a time, and to a new array: shifting one costs more than
 * all the rest of a call, and putting what is new into what is old costs the garbage collector.
 */
export function remember(session: KnownSession, call: ToolCallRecord): void {
  const { calls, host } = session;
  session.idle = 0;
  if (calls.push(call) >= 2 * host.historyLength) session.calls = calls.slice(host.historyLength);
}
