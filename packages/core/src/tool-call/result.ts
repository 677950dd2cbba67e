import type { HookDecision } from '../decision.ts';
import type { DispatchOptions } from '../dispatch.ts';
import { isHooksError } from '../error.ts';
import { AfterToolCall, type ToolCallStatus, TransformToolResult } from '../events/tool.ts';
import { remember, type ToolCallRecord } from '../history.ts';
import { isThenable } from '../thenable.ts';
import type { Flight, Writable } from './flight.ts';
import type { BegunStep, FinishedStep } from './step.ts';
import type { DoneCall, ToolCallOutcome, ToolResult } from './types.ts';

/** How a call stands when its last hooks are asked. */
interface Ending {
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly code?: 'INVALID_INPUT';
  readonly reason?: string;
  readonly by?: string | undefined;
  readonly stop?: boolean | undefined;
  readonly aborted?: boolean;
}

/** The second half of a call: transform what the tool gave, then ask `AfterToolCall`. */
export function finish(flight: Flight, result: ToolResult): FinishedStep | PromiseLike<FinishedStep> {
  const failed = 'error' in result;
  const { signal } = flight.call;
  const over = failed && signal?.aborted === true;
  const routed = flight.event.execute !== undefined;
  if (failed && !over && routed && isHooksError(result.error) && result.error.code === 'ROUTE_FAILED')
    return conclude(flight, { status: 'blocked', ran: false, reason: result.error.message });
  const ending: Ending = failed
    ? { status: 'error', ran: true, error: result.error, aborted: over }
    : { status: 'ok', ran: true, output: result.output };
  const { transform } = flight.chains;
  if (transform.empty) return conclude(flight, ending);
  const event = flight.tell(TransformToolResult.type) as Writable<TransformToolResult>;
  event.status = failed ? 'error' : 'ok';
  event.attempt = flight.attempt;
  show(event, ending);
  const decision = flight.ask(transform, event, { signal });
  return isThenable(decision)
    ? decision.then((settled) => conclude(flight, transformed(flight, ending, settled)))
    : conclude(flight, transformed(flight, ending, decision));
}

function transformed(flight: Flight, ending: Ending, decision: HookDecision): Ending {
  // The event permits no Block: it is a failed hook, and the result is withheld from everybody.
  if (decision.kind === 'block')
    return ending.aborted
      ? withheld(flight, ending)
      : { status: 'blocked', ran: true, reason: decision.reason, by: decision.by };
  if (decision.kind !== 'modify') return ending;
  const { output, errorMessage } = decision.patch as Partial<TransformToolResult>;
  if (ending.status === 'ok') return 'output' in decision.patch ? { ...ending, output } : ending;
  return errorMessage === undefined ? ending : { ...ending, error: withMessage(ending.error, errorMessage) };
}

/** A call that ended as the abort of its run: what the tool threw is withheld, that the run was aborted is not. */
function withheld(flight: Flight, ending: Ending): Ending {
  return { ...ending, error: flight.call.signal?.reason };
}

/** The same kind of error with another message, and without the stack and cause that hold the old one. */
function withMessage(error: unknown, message: string): Error {
  const replaced = new Error(message);
  if (error instanceof Error) replaced.name = error.name;
  replaced.stack = `${replaced.name}: ${message}`;
  return replaced;
}

/** Asks `AfterToolCall`, records the call, and says how it ended. */
export function conclude(flight: Flight, ending: Ending): FinishedStep | PromiseLike<FinishedStep> {
  const { after } = flight.chains;
  const at = Date.now();
  if (after.empty) return done(flight, ending, at);
  const event = flight.tell(AfterToolCall.type) as Writable<AfterToolCall>;
  event.status = ending.status;
  event.ran = ending.ran;
  event.durationMs = ending.ran ? at - flight.startedAt : 0;
  event.attempt = ending.ran ? flight.attempt : 0;
  show(event, ending);
  const decision = flight.ask(after, event, new AfterRules(flight, ending));
  return isThenable(decision)
    ? decision.then((settled) => settle(flight, ending, settled, at))
    : settle(flight, ending, decision, at);
}

/** Puts what the tool gave, or why it did not run, into an event. */
function show(
  event: Writable<Partial<AfterToolCall>>,
  { status, output, error, reason, code }: Ending,
): void {
  if (status === 'ok') event.output = output;
  if (error !== undefined) {
    event.error = error;
    event.errorMessage = error instanceof Error ? error.message : String(error);
  }
  if (reason !== undefined) event.reason = reason;
  if (code !== undefined) event.code = code;
}

function settle(flight: Flight, ending: Ending, decision: HookDecision, at: number): FinishedStep {
  switch (decision.kind) {
    case 'proceed':
      return done(flight, ending, at);
    case 'modify': {
      if (!('output' in decision.patch)) return done(flight, ending, at);
      return done(flight, { status: 'ok', ran: true, output: decision.patch.output }, at);
    }
    case 'block': {
      const { reason, by, stop } = decision;
      if (ending.aborted) return done(flight, withheld(flight, ending), at);
      if (ending.ran) return done(flight, { status: 'blocked', ran: true, reason, by, stop }, at);
      // What was refused stays refused; a hook may word it otherwise, a failed one has no word in it.
      if (decision.failed || ending.status === 'error') return done(flight, ending, at);
      return done(flight, { ...ending, reason, by, stop: ending.stop || stop }, at);
    }
    case 'retry':
      return again(flight, decision.delayMs ?? 0);
  }
}

function again(flight: Flight, delayMs: number): FinishedStep {
  flight.attempt++;
  flight.startedAt = Date.now() + delayMs;
  return { kind: 'again', delayMs };
}

/** A call that must not run. */
export function refused(
  flight: Flight,
  status: 'blocked' | 'denied',
  { reason, by, stop }: { readonly reason: string; readonly by?: string; readonly stop?: boolean },
): BegunStep | PromiseLike<BegunStep> {
  return conclude(flight, { status, ran: false, reason, by, stop }) as BegunStep | PromiseLike<BegunStep>; // AfterRules refuses Retry
}

/** A call whose run was aborted: hooks see how it ended, and the adapter throws the signal's reason. */
export function aborted(flight: Flight, error: unknown, ran = false): DoneCall | PromiseLike<DoneCall> {
  return conclude(flight, { status: 'error', ran, error, aborted: true }) as DoneCall | PromiseLike<DoneCall>;
}

/** A call that was to run again, but its run was aborted before. */
export function notAgain(flight: Flight, error: unknown): DoneCall | PromiseLike<DoneCall> {
  flight.attempt--;
  flight.startedAt = Date.now();
  return aborted(flight, error, true);
}

function done(flight: Flight, ending: Ending, at: number): DoneCall {
  const { session, event } = flight;
  const { status, ran, reason, by } = ending;
  const { callId, toolName, input } = event;
  const attempts = flight.attempt;
  const durationMs = ran ? at - flight.startedAt : 0;
  const record: Writable<ToolCallRecord> = { callId, toolName, input, status, ran, attempts, durationMs, at };
  const outcome: Writable<ToolCallOutcome> = {
    callId,
    toolName,
    input,
    status,
    ran,
    attempts,
    exhausted: flight.exhausted,
    durationMs,
    context: flight.context,
    stop: ending.stop === true,
    aborted: ending.aborted === true,
  };
  if (status === 'ok') outcome.output = ending.output;
  if (status === 'error') outcome.error = ending.error;
  if (ending.code !== undefined) outcome.code = ending.code;
  if (by !== undefined) record.by = outcome.by = by;
  if (reason !== undefined) {
    record.reason = outcome.reason = reason;
    outcome.message = wording(flight, { reason, toolName, ran });
  }
  remember(session, record);
  session.paused?.delete(callId);
  return { kind: 'done', outcome };
}

/** What the model is to read of a call that was refused. */
function wording({ internal }: Flight, blocked: { reason: string; toolName: string; ran: boolean }): string {
  const { reason, ran } = blocked;
  try {
    const message = internal.options.formatBlocked?.(blocked);
    if (message !== undefined) return message;
  } catch {
    internal.warnOnce('createHooks: formatBlocked threw');
  }
  return ran ? `${reason} (The tool did run; its result is withheld.)` : reason;
}

/** What AfterToolCall's hooks may do to this very call. */
class AfterRules implements DispatchOptions {
  readonly last: boolean;
  private readonly flight: Flight;
  private readonly ending: Ending;

  constructor(flight: Flight, ending: Ending) {
    this.last = flight.attempt >= (flight.internal.options.maxAttempts ?? 3);
    this.flight = flight;
    this.ending = ending;
  }

  refuse(decision: HookDecision): string | undefined {
    const { ran, aborted: over } = this.ending;
    if (decision.kind !== 'retry' && !(decision.kind === 'modify' && 'output' in decision.patch))
      return undefined;
    if (!ran) return 'nothing ran';
    if (over) return 'the run was aborted';
    if (decision.kind === 'retry' && this.flight.options.can?.retry !== true)
      return 'the tool cannot be run again here';
    if (decision.kind === 'retry' && this.last) this.flight.exhausted = true;
    return undefined;
  }
}
