import { fail } from './error.ts';

/** What a hook may answer beside Proceed. An event's token lists the ones it permits. */
export type DecisionKind = 'block' | 'modify' | 'retry';

/** Carry on. Without a note {@link proceed} returns the one frozen instance. */
export interface Proceed {
  readonly kind: 'proceed';
  /** A line for trace and journal. */
  readonly note?: string;
  /** Exists in types only: a plain literal is no decision, only the constructors make one. */
  readonly '~sealed': never;
}

/** Do not do it. Ends the chain at once; no later hook can lift it. */
export interface Block {
  readonly kind: 'block';
  /** What the model (or the caller) reads. */
  readonly reason: string;
  /** Also end the run: sibling calls are answered, no model call follows. */
  readonly stop?: boolean;
  /** Before a tool call: what `ToolApprovalDecision.source` will say; `pre_tool_use_hook_deny` unless set. */
  readonly source?: string;
  /** The hook that said so, `provider/id`; set by the dispatcher. */
  readonly by?: string;
  /** The hook did not say so but failed, and the gate stays closed; set by the dispatcher. */
  readonly failed?: true;
  readonly '~sealed': never;
}

/** Carry on with these fields replaced. The next hook sees the new values; a later Proceed does not undo it. */
export interface Modify<out Patch = object, out Fields = keyof Patch> {
  readonly kind: 'modify';
  /** The fields to replace and their new values. A patch that sets `context` appends to it. */
  readonly patch: Patch;
  readonly '~sealed': never;
  /** Exists in types only: a patch with a field that the event does not declare modifiable fits nowhere. */
  readonly '~fields': Fields;
}

/** Do it again. Only where an event permits it; bounded by the one who dispatches. */
export interface Retry {
  readonly kind: 'retry';
  /** Why; on `Stop` it is the next user message. */
  readonly reason: string;
  /** How long to wait before the next attempt, in milliseconds. */
  readonly delayMs?: number;
  /** The hook that said so, `provider/id`; set by the dispatcher. */
  readonly by?: string;
  readonly '~sealed': never;
}

/**
 * The answer of a hook: a closed union, told apart by `kind`.
 *
 * @example
 * ```ts
 * switch (decision.kind) {
 *   case 'proceed': return 'ran';
 *   case 'block': return decision.reason;
 *   case 'modify': return Object.keys(decision.patch);
 *   case 'retry': return decision.delayMs;
 *   default: decision satisfies never;
 * }
 * ```
 */
export type HookDecision<Patch = object> = Proceed | Block | Modify<Patch, PropertyKey> | Retry;

/** The one Proceed. */
export const PROCEED: Proceed = Object.freeze({ kind: 'proceed' }) as Proceed;

/** Carry on. Always the same frozen object. */
export function proceed(): Proceed;
/**
 * Carry on, and leave a line for trace and journal.
 *
 * @param options `note`: the line, for example what was looked at
 */
export function proceed(options: { readonly note: string }): Proceed;
export function proceed(options?: { readonly note: string }): Proceed {
  return typeof options?.note === 'string'
    ? (Object.freeze({ kind: 'proceed', note: options.note }) as Proceed)
    : PROCEED;
}

/**
 * Do not do it.
 *
 * @param reason what the model (or the caller) reads: say what was wrong and what to do instead
 * @param options `stop: true` also ends the run; `source`: what the audit trail shall name as the origin of this no to a
 *   tool call
 * @throws HooksError `INVALID_INPUT` where the reason is blank: for a hook that answers with it, that is a failure
 */
export function block(
  reason: string,
  options?: { readonly stop?: boolean; readonly source?: string },
): Block {
  // Plain JavaScript may hand in anything.
  if (typeof reason !== 'string' || reason.trim() === '')
    fail('INVALID_INPUT', 'block needs a reason: it is what the model reads');
  return { kind: 'block', reason, ...options } as Block;
}

/**
 * Carry on with the fields in `patch` replaced. Only fields that the event declares modifiable fit.
 *
 * @example
 * ```ts
 * hooks.on(BeforeToolCall.matching('exec'), (call) => modify({ input: { command: 'ls' } }));
 * ```
 */
export function modify<Patch extends object>(patch: Patch): Modify<Patch> {
  return { kind: 'modify', patch } as Modify<Patch>;
}

/**
 * Do it again.
 *
 * @param reason why; on `Stop` it becomes the next user message
 * @param options `delayMs`: milliseconds to wait before the next attempt
 */
export function retry(reason: string, options?: { readonly delayMs?: number }): Retry {
  return { kind: 'retry', reason, ...options } as Retry;
}

/**
 * Tell the model something in a transient system message, kept out of the framework's memory. For how long it
 * stays is a matter of the event: `SessionStart` the session, `UserPromptSubmit` the run, others the next model call.
 */
export function addContext(...texts: readonly string[]): Modify<{ readonly context: readonly string[] }> {
  return modify({ context: texts });
}

/**
 * Whether a value is a decision, by its shape: decisions of another copy of this package count.
 * At run time an answer that is none is a failure of the hook that gave it.
 */
export function isDecision(value: unknown): value is HookDecision {
  const { kind, reason, patch, delayMs = 0 } = (value ?? {}) as Claimed;
  if (kind === 'modify') return typeof patch === 'object' && patch !== null;
  if (kind !== 'block' && kind !== 'retry') return kind === 'proceed';
  // What a timer can wait for: it takes 31 bits.
  return typeof reason === 'string' && delayMs >= 0 && delayMs < 2 ** 31;
}

/** What a value that shall be a decision may hold. */
interface Claimed {
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly patch?: unknown;
  /** Whatever it is: what is no number fails the comparison. */
  readonly delayMs?: number;
}
