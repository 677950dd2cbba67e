import type { HookDecision } from '../decision.ts';
import { isHooksError } from '../error.ts';
import { AfterToolCall, type ToolCallStatus, TransformToolResult } from '../event/catalogue/tool.ts';
import { remember, type ToolCallRecord } from '../session/history.ts';
import { describe, type Flight, type Writable } from './flight.ts';
import { NO_RULES, type Rules } from './rules.ts';
import type { FinishedStep } from './step.ts';
import type { ToolCallOutcome } from './types.ts';

/** How a call stands when its last hooks are asked. */
export interface Ending {
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

/** The tool answered. */
export function returned(output: unknown): Ending {
  return { status: 'ok', ran: true, output };
}

/** The tool threw, or what ran in its place. */
export function threw({ signal, event }: Flight, error: unknown): Ending {
  const aborted = signal?.aborted === true;
  if (!aborted && event.execute !== undefined && isHooksError(error) && error.code === 'ROUTE_FAILED')
    return { status: 'blocked', ran: false, reason: error.message };
  return { status: 'error', ran: true, error, aborted };
}

/** The second half of a call: transform what the tool gave, then ask `AfterToolCall`. */
export function finish(flight: Flight, ending: Ending): FinishedStep | PromiseLike<FinishedStep> {
  const { transform } = flight.chains;
  if (transform.empty || !ending.ran) return conclude(flight, ending);
  const event = flight.tell(TransformToolResult.type) as Writable<TransformToolResult>;
  event.status = ending.status === 'ok' ? 'ok' : 'error';
  event.attempt = flight.attempt;
  if (ending.status === 'ok') event.output = ending.output;
  else explain(event, ending);
  const decision = flight.ask(transform, event, NO_RULES);
  return 'kind' in decision
    ? conclude(flight, transformed(flight, ending, decision))
    : decision.then((settled) => conclude(flight, transformed(flight, ending, settled)));
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
  return { ...ending, error: flight.signal?.reason };
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
  const { status, ran } = ending;
  const { callId, toolName, nativeToolName, input } = flight.event;
  const told: Writable<AfterToolCall> = {
    type: AfterToolCall.type,
    session: flight.session,
    callId,
    toolName,
    nativeToolName,
    input,
    status,
    ran,
    durationMs: ran ? durationOf(flight, at) : 0,
    attempt: ran ? flight.attempt : 0,
    output: ending.output,
  };
  describe(told, flight.event);
  const event = status === 'ok' ? told : explain(withoutOutput(told), ending);
  flight.ending = ending;
  const decision = flight.ask(after, event, afterRules);
  return 'kind' in decision
    ? settle(flight, ending, decision, at)
    : decision.then((settled) => settle(flight, ending, settled, at));
}

/** Puts why a tool gave nothing into an event. */
function explain<E extends Writable<Partial<AfterToolCall>>>(
  event: E,
  { status, error, reason, code }: Ending,
): E {
  if (status === 'error') {
    event.error = error;
    event.errorMessage = messageOf(error);
  }
  if (reason !== undefined) event.reason = reason;
  if (code !== undefined) event.code = code;
  return event;
}

/** Anything may be thrown: also nothing, and what cannot be made a text of. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The tool threw something that is no text.';
  }
}

/**
 * What has no output does not say so either. Each call's event and outcome are made with one: a field that comes later
 * is an allocation of its own.
 */
function withoutOutput<T extends { output?: unknown }>({ output: _, ...rest }: T): Omit<T, 'output'> {
  return rest;
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
  flight.delayMs = delayMs;
  return { status: 'again' };
}

/** A call that must not run. */
export function refused(
  flight: Flight,
  status: 'blocked' | 'denied',
  { reason, by, stop }: { readonly reason: string; readonly by?: string; readonly stop?: boolean },
): ToolCallOutcome | PromiseLike<ToolCallOutcome> {
  const ending = { status, ran: false, reason, by, stop };
  return conclude(flight, ending) as ToolCallOutcome | PromiseLike<ToolCallOutcome>; // AfterRules refuses Retry
}

/** A call whose run was aborted: hooks see how it ended, and the adapter throws the signal's reason. */
export function aborted(
  flight: Flight,
  error: unknown,
  ran = false,
): ToolCallOutcome | PromiseLike<ToolCallOutcome> {
  return conclude(flight, { status: 'error', ran, error, aborted: true }) as
    | ToolCallOutcome
    | PromiseLike<ToolCallOutcome>;
}

/** A call that was to run again, but its run was aborted before. */
export function notAgain(flight: Flight, error: unknown): ToolCallOutcome | PromiseLike<ToolCallOutcome> {
  flight.attempt--;
  flight.startedAt = Date.now();
  return aborted(flight, error, true);
}

/** Never below 0: clocks are set back, and who has the call run again may not wait for all of its delay. */
function durationOf({ startedAt }: Flight, at: number): number {
  return Math.max(0, at - startedAt);
}

function done(flight: Flight, ending: Ending, at: number): ToolCallOutcome {
  const { session, event } = flight;
  const { status, ran, reason, by } = ending;
  const { callId, toolName, input } = event;
  const attempts = flight.attempt;
  const durationMs = ran ? durationOf(flight, at) : 0;
  const record: Writable<ToolCallRecord> = { callId, toolName, input, status, ran, attempts, durationMs, at };
  const whole: Writable<ToolCallOutcome> = {
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
    output: ending.output,
  };
  const outcome = status === 'ok' ? whole : withoutOutput(whole);
  if (status === 'error') outcome.error = ending.error;
  if (ending.code !== undefined) outcome.code = ending.code;
  if (by !== undefined) record.by = outcome.by = by;
  if (reason !== undefined) {
    record.reason = outcome.reason = reason;
    outcome.message = wording(flight, { reason, toolName, ran });
  }
  remember(session, record);
  session.paused?.delete(callId);
  flight.cleared = false;
  return outcome;
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
const afterRules: Rules = {
  refuse(flight, decision) {
    const { ran, aborted: over } = flight.ending;
    if (decision.kind !== 'retry' && !(decision.kind === 'modify' && 'output' in decision.patch))
      return undefined;
    if (!ran) return 'nothing ran';
    if (over) return 'the run was aborted';
    if (decision.kind === 'retry' && flight.can.retry !== true) return 'the tool cannot be run again here';
    if (decision.kind === 'retry' && flight.last) flight.exhausted = true;
    return undefined;
  },
};
