import { fail } from './error.ts';
import { readFields } from './plain.ts';

/** What a hook may answer besides Proceed. Each event lists the ones it permits. */
export type DecisionKind = 'block' | 'modify' | 'retry';

/** Continues. Without a note, {@link proceed} always returns the same frozen object. */
export interface Proceed {
  readonly kind: 'proceed';
  /** A line for trace and journal. */
  readonly note?: string;
  /** Exists in types only: only the constructors create a decision, a plain literal does not compile. */
  readonly '~sealed': never;
}

/** Kinds of refusals that programs tell apart. `loop_detected`: the agent repeats itself. */
export type BlockCode = 'loop_detected';

/** Refuses. Ends the chain at once; no later hook can undo it. */
export interface Block {
  readonly kind: 'block';
  /** What the model (or the caller) reads. */
  readonly reason: string;
  /** Also end the run: sibling calls are answered, no model call follows. */
  readonly stop?: boolean;
  /** Before a tool call: the `source` of `ToolApprovalDecision`. Default: `pre_tool_use_hook_deny`. */
  readonly source?: string;
  /** What kind of refusal it is. If it ends the run, `TurnEnd` has it as its `reason`. */
  readonly code?: BlockCode;
  /** The hook that answered so, `provider/id`. Set by the dispatcher. */
  readonly by?: string;
  /** The hook did not answer so: it failed, and the gate stays closed. Set by the dispatcher. */
  readonly failed?: true;
  readonly '~sealed': never;
}

/** Continues with these fields replaced. The next hook sees the new values. A later Proceed does not undo it. */
export interface Modify<out Patch = object, out Fields = keyof Patch> {
  readonly kind: 'modify';
  /** The fields to replace and their new values. A patch that sets `context` appends to it. */
  readonly patch: Patch;
  readonly '~sealed': never;
  /** Exists in types only: a patch with a field that the event does not list does not compile. */
  readonly '~fields': Fields;
}

/** Does it again, a limited number of times. Only for events that permit it. */
export interface Retry {
  readonly kind: 'retry';
  /** Why. On `Stop` it becomes the next user message. */
  readonly reason: string;
  /** How long to wait before the next attempt, in milliseconds. */
  readonly delayMs?: number;
  /** The hook that answered so, `provider/id`. Set by the dispatcher. */
  readonly by?: string;
  readonly '~sealed': never;
}

/**
 * The answer of a hook: a closed union, discriminated by `kind`.
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

/** The frozen Proceed without a note. */
export const PROCEED: Proceed = Object.freeze({ kind: 'proceed' }) as Proceed;

/** Continues. Always returns the same frozen object. */
export function proceed(): Proceed;
/**
 * Continues, and adds a line to trace and journal.
 *
 * @param options `note`: the line, for example what was checked
 */
export function proceed(options: { readonly note: string }): Proceed;
export function proceed(options?: { readonly note: string }): Proceed {
  const note = options?.note;
  return typeof note === 'string' ? (Object.freeze({ kind: 'proceed', note }) as Proceed) : PROCEED;
}

/**
 * Refuses.
 *
 * @param reason what the model (or the caller) reads: what is wrong, and what to do instead
 * @param options `stop: true` also ends the run; `source`: the origin in the audit trail of this no to a tool call;
 *   `code`: what kind of refusal it is
 * @throws HooksError `INVALID_INPUT` if the reason is blank or the code is unknown; the hook has then failed
 */
export function block(
  reason: string,
  options?: { readonly stop?: boolean; readonly source?: string; readonly code?: BlockCode },
): Block {
  // Plain JavaScript may hand in anything.
  if (typeof reason !== 'string' || reason.trim() === '')
    fail('INVALID_INPUT', 'block needs a reason: it is what the model reads');
  const given = readFields(Object(options), ['stop', 'source', 'code']);
  const { code = 'loop_detected' } = given;
  if (code !== 'loop_detected') fail('INVALID_INPUT', 'block: unknown code');
  return { ...given, kind: 'block', reason } as Block;
}

/** The fields that events of the catalogue let hooks modify, for an editor to complete. Events of your own may have others. */
export interface ModifiableFields {
  readonly approval?: unknown;
  readonly context?: unknown;
  readonly errorMessage?: unknown;
  readonly concealed?: unknown;
  readonly execute?: unknown;
  readonly idempotencyKey?: unknown;
  readonly input?: unknown;
  readonly instructions?: unknown;
  readonly messages?: unknown;
  readonly metadata?: unknown;
  readonly model?: unknown;
  readonly output?: unknown;
  readonly prompt?: unknown;
  readonly response?: unknown;
  readonly settings?: unknown;
  readonly summary?: unknown;
  readonly toolName?: unknown;
  readonly tools?: unknown;
}

/**
 * Continues with the fields in `patch` replaced. Only the fields that the event lists compile.
 *
 * @example
 * ```ts
 * hooks.on(BeforeToolCall.matching('exec'), (call) => modify({ input: { command: 'ls' } }));
 * ```
 */
export function modify<Patch extends object | ModifiableFields>(patch: Patch): Modify<Patch> {
  return { kind: 'modify', patch } as Modify<Patch>;
}

/** What a decision changes. Every event of the catalogue has fields of its own, which the caller knows. */
export function patchOf<Patch extends object>(decision: HookDecision<Patch>): Partial<Patch> {
  return decision.kind === 'modify' ? decision.patch : {};
}

/**
 * Does it again.
 *
 * @param reason why; on `Stop` it becomes the next user message
 * @param options `delayMs`: milliseconds to wait before the next attempt
 */
export function retry(reason: string, options?: { readonly delayMs?: number }): Retry {
  return { ...readFields(Object(options), ['delayMs']), kind: 'retry', reason } as Retry;
}

/**
 * Tells the model something in a system message that is not stored. The model sees it as long as the event says: on
 * `SessionStart` for the session, on `UserPromptSubmit` for the run, otherwise in the next model call.
 */
export function addContext(...texts: readonly string[]): Modify<{ readonly context: readonly string[] }> {
  return modify({ context: texts });
}

/**
 * Whether a value is a decision, by its shape, so decisions from another copy of this package count. A hook that
 * returns anything else has failed.
 */
export function isDecision(value: unknown): value is HookDecision {
  const { kind, reason, patch, delayMs = 0 } = (value ?? {}) as Claimed;
  if (kind === 'modify') return typeof patch === 'object' && patch !== null;
  if (kind !== 'block' && kind !== 'retry') return kind === 'proceed';
  // What a timer can wait for: it takes 31 bits.
  return typeof reason === 'string' && delayMs >= 0 && delayMs < 2 ** 31;
}

/** The possible fields of a decision. */
interface Claimed {
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly patch?: unknown;
  /** Any value: a non-number fails the comparison. */
  readonly delayMs?: number;
}
