import type { ApprovalAnswer, ApprovalRequest, Approver } from '../approval.ts';
import { HooksError } from '../error.ts';
import type { Execute } from '../execute.ts';
import type { Hooks } from '../hooks.ts';
import { isThenable } from '../thenable.ts';
import { takeAnswer } from './approve.ts';
import { begin } from './before.ts';
import { callChains } from './chains.ts';
import { Flight } from './flight.ts';
import { keepPaused, takePaused } from './paused.ts';
import { finish, notAgain } from './result.ts';
import type { BegunStep, FinishedStep } from './step.ts';
import type {
  AskApproval,
  BeginOptions,
  Begun,
  CallOptions,
  CallToken,
  Finished,
  RunCall,
  ToolCall,
  ToolCallOutcome,
  ToolResult,
} from './types.ts';

/** The calls behind tokens that were made in this process; of others only what the token says is known. */
const flights: WeakMap<CallToken, Flight> = new WeakMap();

/**
 * The first half of a tool call, for frameworks that give separate callbacks before and after: opens the session,
 * checks the input, asks `BeforeToolCall` and seeks approval.
 *
 * @returns `run`: run the tool, then `finishToolCall`; `ask`: ask a person, then `answerToolCall`; `done`: do not run it
 */
export function beginToolCall(
  hooks: Hooks,
  call: ToolCall,
  options: BeginOptions = {},
): Begun | PromiseLike<Begun> {
  const flight = enter(new Flight(hooks, call, options));
  const step = begin(flight);
  return isThenable(step) ? step.then((settled) => told(flight, settled)) : told(flight, step);
}

/**
 * Goes on with a call that waits for approval.
 *
 * @throws HooksError `INVALID_INPUT` where the token is not of a call that waits in this process: begin it again there,
 * with `resumed`
 */
export async function answerToolCall(token: CallToken, answer: ApprovalAnswer): Promise<Begun> {
  const flight = flights.get(token);
  if (flight?.request === undefined) {
    throw new HooksError(
      'INVALID_INPUT',
      `answerToolCall: call ${token.callId} does not wait for approval in this process; begin it again with \`resumed\`.`,
    );
  }
  return told(flight, await takeAnswer(flight, answer));
}

/**
 * The second half of a tool call: transforms what the tool gave and asks `AfterToolCall`.
 *
 * @param token what `beginToolCall` gave, or its JSON in another process
 */
export function finishToolCall(
  hooks: Hooks,
  token: CallToken,
  result: ToolResult,
): Finished | PromiseLike<Finished> {
  const flight = flights.get(token) ?? flightOf(hooks, token);
  const finished = finish(flight, result);
  return isThenable(finished) ? finished.then((settled) => told(flight, settled)) : told(flight, finished);
}

/**
 * Takes a tool call through the whole pipeline: `beginToolCall`, `execute`, `finishToolCall`, in a loop.
 *
 * @param execute runs the tool: gets the effective input, returns the output or throws. It must start from the raw
 *   input each time, since a Retry calls it again.
 * @returns how it ended; it rejects only with the framework's own control flow
 */
export async function callTool(
  hooks: Hooks,
  call: ToolCall,
  execute: Execute,
  options: CallOptions = {},
): Promise<ToolCallOutcome> {
  const approver = options.approval === 'deny' ? undefined : options.approval;
  const { begun } = options;
  if (begun?.kind === 'done') return begun.outcome;
  const can = { retry: true, route: true, ask: approver !== undefined, rename: options.rename };
  const flight =
    begun === undefined
      ? enter(new Flight(hooks, call, { can, check: options.check }))
      : flightBehind(begun, call);
  const { session } = flight;
  session.calling++;
  try {
    const beginning = begun ?? begin(flight);
    let step: BegunStep = isThenable(beginning) ? await beginning : beginning;
    if (step.kind === 'ask') step = await takeAnswer(flight, await askPerson(flight, approver, options));
    if (step.kind === 'done') return step.outcome;
    const { signal } = flight.call;
    const running = flight.event.execute ?? flight.target?.execute ?? execute;
    for (;;) {
      let result: ToolResult;
      try {
        const output = running(flight.event.input, { signal, call: flight.event });
        result = { output: isThenable(output) ? await output : output };
      } catch (error) {
        if (options.isControlFlow?.(error) === true) throw pause(flight, error);
        result = { error };
      }
      const settling = finish(flight, result);
      const finished = isThenable(settling) ? await settling : settling;
      if (finished.kind === 'done') return finished.outcome;
      if (finished.delayMs > 0) await delay(finished.delayMs, signal);
      if (signal?.aborted) return (await notAgain(flight, signal.reason)).outcome;
    }
  } finally {
    session.calling--;
    session.idle = 0;
  }
}

/** Taken up again in this process, the call goes on where it was, and no hook is asked twice. */
function pause(flight: Flight, error: unknown): unknown {
  flight.attempt--;
  keepPaused(flight);
  return error;
}

async function askPerson(
  flight: Flight,
  approver: Approver | undefined,
  options: CallOptions,
): Promise<ApprovalAnswer> {
  const {
    call: { signal },
    request,
  } = flight;
  if (approver === undefined || request === undefined)
    return { decision: 'deny', reason: 'Approval is required, but nobody can be asked.' };
  try {
    const answering = approver(request, { signal });
    const answer = isThenable(answering) ? await unlessAborted(answering, signal) : answering;
    if (!['allow', 'deny', 'canceled'].includes(answer?.decision))
      throw new TypeError('the approver gave no answer');
    return answer;
  } catch (cause) {
    if (options.isControlFlow?.(cause) === true) throw cause;
    if (signal?.aborted) return { decision: 'canceled' };
    flight.internal.report(
      new HooksError(
        'APPROVER_FAILED',
        `The approver failed on a call of ${request.toolName}; the call was denied.`,
        { cause },
      ),
    );
    return {
      decision: 'deny',
      reason: 'Approval is required, and the approver failed.',
      source: 'context_canceled',
    };
  }
}

async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: () => void = () => {};
  const abort = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, abort]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over, { once: true });
  });
}

/** The flight of a call: its own, or that of the same call where it paused in this process. */
function enter(flight: Flight): Flight {
  return flight.session.paused === undefined ? flight : (takePaused(flight) ?? flight);
}

/** The flight of a call that was begun; it may be another signal by now that aborts it. */
function flightBehind(begun: RunCall | AskApproval, { signal }: ToolCall): Flight {
  const flight = flights.get(begun.token);
  if (flight === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      'callTool: `begun` must be what beginToolCall gave in this process.',
    );
  if (signal !== undefined) flight.call = { ...flight.call, signal };
  return flight;
}

/** A step as the split form gives it: with what it is about, and the token by which the call is known again. */
function told(flight: Flight, step: BegunStep): Begun;
function told(flight: Flight, step: FinishedStep): Finished;
function told(flight: Flight, step: BegunStep | FinishedStep): Begun | Finished {
  if (step.kind === 'done') return step;
  const { token, running, request } = flight;
  flights.set(token, flight);
  if (step.kind === 'run') return { kind: 'run', ...running, token };
  if (step.kind === 'again') return { kind: 'again', ...running, delayMs: step.delayMs, token };
  return { kind: 'ask', request: request as ApprovalRequest, token };
}

/** A call that another process began, as far as its token tells. */
function flightOf(hooks: Hooks, token: CallToken): Flight {
  const { session, toolName, nativeToolName, retry, attempt, startedAt, ...call } = token;
  const flight = new Flight(
    hooks,
    { ...call, toolName: nativeToolName, session: hooks.session(session) },
    { can: { retry } },
  );
  flight.event = { ...flight.event, toolName };
  flight.chains = callChains(flight.internal, toolName);
  flight.attempt = attempt;
  flight.startedAt = startedAt;
  return flight;
}
