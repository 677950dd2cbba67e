import type { HookDecision } from '../decision.ts';
import type { DispatchOptions } from '../dispatch.ts';
import { isHooksError } from '../error.ts';
import { AfterToolCall, type ToolCallStatus, TransformToolResult } from '../events/tool.ts';
import { after } from '../thenable.ts';
import type { Flight } from './flight.ts';
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
  if (failed && signal?.aborted) return aborted(flight, result.error, true);
  if (failed && isHooksError(result.error) && result.error.code === 'ROUTE_FAILED')
    return conclude(flight, { status: 'blocked', ran: false, reason: result.error.message });
  const ending: Ending = failed
    ? { status: 'error', ran: true, error: result.error }
    : { status: 'ok', ran: true, output: result.output };
  if (flight.internal.chain(TransformToolResult, flight.event.toolName).empty)
    return conclude(flight, ending);
  const event = {
    ...flight.common,
    type: TransformToolResult.type,
    attempt: flight.attempt,
    ...seen(ending),
  };
  return after(flight.ask(TransformToolResult, event, { signal }), (decision) =>
    conclude(flight, transformed(ending, decision)),
  );
}

function transformed(ending: Ending, decision: HookDecision): Ending {
  // The event permits no Block: it is a failed hook, and the result is withheld from everybody.
  if (decision.kind === 'block')
    return { status: 'blocked', ran: true, reason: decision.reason, by: decision.by };
  if (decision.kind !== 'modify') return ending;
  const { output, errorMessage } = decision.patch as Partial<TransformToolResult>;
  if (ending.status === 'ok') return 'output' in decision.patch ? { ...ending, output } : ending;
  return errorMessage === undefined ? ending : { ...ending, error: withMessage(ending.error, errorMessage) };
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
  const durationMs = ending.ran ? Date.now() - flight.startedAt : 0;
  if (flight.internal.chain(AfterToolCall, flight.event.toolName).empty)
    return done(flight, ending, durationMs);
  const attempt = ending.ran ? flight.attempt : 0;
  const event = {
    ...flight.common,
    type: AfterToolCall.type,
    ...seen(ending),
    ran: ending.ran,
    durationMs,
    attempt,
  };
  return after(flight.ask(AfterToolCall, event, new AfterRules(flight, ending)), (decision) =>
    settle(flight, ending, decision, durationMs),
  );
}

function settle(flight: Flight, ending: Ending, decision: HookDecision, durationMs: number): FinishedStep {
  switch (decision.kind) {
    case 'proceed':
      return done(flight, ending, durationMs);
    case 'modify': {
      if (!('output' in decision.patch)) return done(flight, ending, durationMs);
      return done(flight, { status: 'ok', ran: true, output: decision.patch.output }, durationMs);
    }
    case 'block': {
      const { reason, by, stop } = decision;
      if (ending.ran) return done(flight, { status: 'blocked', ran: true, reason, by, stop }, durationMs);
      // What was refused stays refused; a hook may word it otherwise, a failed one has no word in it.
      return done(
        flight,
        decision.failed || ending.status === 'error' ? ending : { ...ending, reason, by },
        durationMs,
      );
    }
    case 'retry': {
      if (flight.attempt < (flight.internal.options.maxAttempts ?? 3))
        return again(flight, decision.delayMs ?? 0);
      flight.exhausted = true;
      return done(flight, ending, durationMs);
    }
  }
}

function again(flight: Flight, delayMs: number): FinishedStep {
  flight.attempt++;
  flight.startedAt = Date.now() + delayMs;
  return { kind: 'again', delayMs, ...flight.running };
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

function done(flight: Flight, ending: Ending, durationMs: number): DoneCall {
  const { internal, session, event, attempt } = flight;
  const { status, ran, reason, by, stop = false, aborted: wasAborted = false } = ending;
  const { callId, toolName, input } = event;
  session.paused.delete(callId);
  const record = { callId, toolName, input, status, ran, attempts: attempt, durationMs, at: Date.now() };
  session.record({ ...record, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) });
  const { formatBlocked } = internal.options;
  const outcome: { -readonly [Field in keyof ToolCallOutcome]: ToolCallOutcome[Field] } = {
    callId,
    toolName,
    input,
    status,
    ran,
    attempts: attempt,
    exhausted: flight.exhausted,
    durationMs,
    context: flight.context,
    stop,
    aborted: wasAborted,
  };
  if (status === 'ok') outcome.output = ending.output;
  if (status === 'error') outcome.error = ending.error;
  if (ending.code !== undefined) outcome.code = ending.code;
  if (by !== undefined) outcome.by = by;
  if (reason !== undefined) {
    outcome.reason = reason;
    outcome.message =
      formatBlocked?.({ reason, toolName, ran }) ??
      (ran ? `${reason} (The tool did run; its result is withheld.)` : reason);
  }
  return { kind: 'done', outcome };
}

/** What hooks are shown of an ending. */
function seen({ status, output, error, reason, code }: Ending): object {
  return {
    status,
    ...(status === 'ok' && { output }),
    ...(error !== undefined && {
      error,
      errorMessage: error instanceof Error ? error.message : String(error),
    }),
    ...(reason !== undefined && { reason }),
    ...(code !== undefined && { code }),
  };
}

/** What AfterToolCall's hooks may do to this very call. */
class AfterRules implements DispatchOptions {
  readonly #flight: Flight;
  readonly #ending: Ending;

  constructor(flight: Flight, ending: Ending) {
    this.#flight = flight;
    this.#ending = ending;
  }

  refuse(decision: HookDecision): string | undefined {
    const { ran, aborted: over } = this.#ending;
    if (decision.kind === 'retry') {
      if (!ran) return 'nothing ran that could run again';
      if (over) return 'the run was aborted';
      return this.#flight.options.can?.retry === true ? undefined : 'the tool cannot be run again here';
    }
    if (decision.kind === 'modify' && 'output' in decision.patch) {
      if (!ran) return 'nothing ran whose output could be replaced';
      if (over) return 'the run was aborted';
    }
    return undefined;
  }
}
