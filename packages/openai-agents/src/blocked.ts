/** Thrown where a hook refuses a run before it has begun, or where the SDK has no other way to end it. */
export class RunBlockedError extends Error {
  override readonly name = 'RunBlockedError';
  /** The hook's own words. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** What hooks refused in one run, kept by the run's context. */
export interface Refusals {
  /** The tools and ids of the calls: agents as tools share the context of the run around them, where an id may come back. */
  readonly calls: Set<string>;
  /** A hook ended a run that is not hooked: why. Hooked runs keep it in their scope. */
  stop?: string;
}

const refusals: WeakMap<object, Refusals> = new WeakMap();
const reasons: WeakMap<object, string> = new WeakMap();

/** The refusals of a run, by its context; made at first use. */
export function refusalsOf(context: object): Refusals {
  let found = refusals.get(context);
  if (found === undefined) {
    found = { calls: new Set() };
    refusals.set(context, found);
  }
  return found;
}

/** Notes that a hook refused a call: for the run's context, and for whoever invoked the tool. */
export function noteRefusal(
  { context, details }: { readonly context: object | undefined; readonly details: object | undefined },
  toolName: string,
  callId: string,
  reason: string,
  stop: boolean,
): void {
  for (const told of [context, details]) if (told !== undefined) noteBlocked(told, reason);
  if (context === undefined) return;
  const refused = refusalsOf(context);
  refused.calls.add(refusedCall(toolName, callId));
  if (stop) refused.stop ??= reason;
}

/** A call of which a run's refusals are kept. */
export function refusedCall(toolName: string, callId: string): string {
  return `${toolName} ${callId}`;
}

/** Notes why a result or a context was blocked. */
export function noteBlocked(what: object, reason: string): void {
  reasons.set(what, reason);
}

/**
 * Why a hook refused: the run, for a result or an error of a run; the call, for the `RunContext` or the `details` that
 * a bare tool was invoked with. Undefined where no hook did.
 *
 * @example
 * ```ts
 * const result = await runner.run(agent, 'Delete everything.').catch((error) => error);
 * console.log(blockReason(result));
 * ```
 */
export function blockReason(resultOrError: unknown): string | undefined {
  if (typeof resultOrError !== 'object' || resultOrError === null) return undefined;
  if ('name' in resultOrError && resultOrError.name === 'RunBlockedError' && 'reason' in resultOrError)
    return String(resultOrError.reason);
  const noted = reasons.get(resultOrError);
  if (noted !== undefined) return noted;
  // The SDK wraps what a tool or a model threw.
  if (resultOrError instanceof Error)
    return blockReason('error' in resultOrError ? resultOrError.error : resultOrError.cause);
  const state: unknown = 'state' in resultOrError ? resultOrError.state : undefined;
  return typeof state === 'object' && state !== null ? (reasons.get(state) ?? stopOf(state)) : undefined;
}

/** Why a hook ended a run of a runner that is not hooked. */
function stopOf(state: object): string | undefined {
  const context: unknown = '_context' in state ? state._context : undefined;
  return typeof context === 'object' && context !== null ? refusals.get(context)?.stop : undefined;
}
