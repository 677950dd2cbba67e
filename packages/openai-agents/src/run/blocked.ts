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
  /** Why a hook ends a run that is not hooked, until it is over. Hooked runs keep it in their scope. */
  stop?: string;
  /** What such runs have ended with: one context may be that of several. */
  readonly ended: Set<string>;
}

const refusals: WeakMap<object, Refusals> = new WeakMap();
const reasons: WeakMap<object, string> = new WeakMap();

/** The refusals of a run, by its context; made at first use. */
export function refusalsOf(context: object): Refusals {
  let found = refusals.get(context);
  if (found === undefined) {
    found = { calls: new Set(), ended: new Set() };
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

/** Notes that a run which is not hooked ends now as a hook wants: the next one in that context is another. */
export function noteEnded(context: object): void {
  const refused = refusalsOf(context);
  if (refused.stop !== undefined) refused.ended.add(refused.stop);
  delete refused.stop;
}

/** Forgets what was noted of another call in the same context, which may have had the same id. */
export function forgetRefusal(context: object | undefined, toolName: string, callId: string): void {
  if (context === undefined) return;
  reasons.delete(context);
  refusals.get(context)?.calls.delete(refusedCall(toolName, callId));
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

/** Why a hook ended a run of a runner that is not hooked, or will when it goes on. */
function stopOf({ _context: context, _currentStep: step }: Partial<Ended>): string | undefined {
  const refused = context && refusals.get(context);
  return step?.output !== undefined && refused?.ended.has(step.output) ? step.output : refused?.stop;
}

/** A state, as far as it tells how a run has ended. */
interface Ended {
  readonly _context: object;
  readonly _currentStep: { readonly output?: string };
}
