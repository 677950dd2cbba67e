import type { ToolCallStatus } from './events/tool.ts';

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
