import type { ApprovalAnswer, ApprovalRequest, Approver } from '../approval.ts';
import { HooksError } from '../error.ts';
import type { Execute } from '../execute.ts';
import type { Hooks } from '../hooks.ts';
import { isThenable } from '../thenable.ts';
import { run, takeAnswer } from './approve.ts';
import { begin } from './before.ts';
import { Flight } from './flight.ts';
import { takePaused } from './paused.ts';
import { aborted, finish } from './result.ts';
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
  const begun = takeUp(new Flight(hooks, call, options));
  return isThenable(begun.answer)
    ? begun.answer.then((answer) => keep(begun.flight, answer))
    : keep(begun.flight, begun.answer);
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
  return keep(flight, await takeAnswer(flight, answer));
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
  return isThenable(finished) ? finished.then((settled) => keep(flight, settled)) : keep(flight, finished);
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
  const can = {
    retry: true,
    route: true,
    ask: approver !== undefined,
    ...(options.rename && { rename: options.rename }),
  };
  if (options.begun?.kind === 'done') return options.begun.outcome;
  const taken =
    options.begun === undefined
      ? takeUp(new Flight(hooks, call, { can, check: options.check }))
      : begunBefore(options.begun);
  const { flight } = taken;
  let begun = isThenable(taken.answer) ? await taken.answer : taken.answer;
  if (begun.kind === 'ask')
    begun = await takeAnswer(flight, await askPerson(flight, begun.request, approver, options));
  if (begun.kind === 'done') return begun.outcome;
  const { signal } = flight.call;
  let running = begun.kind === 'run' ? (begun.execute ?? execute) : execute;
  for (;;) {
    const result = await runOnce(flight, running, options);
    const settling = finish(flight, result);
    const finished = isThenable(settling) ? await settling : settling;
    if (finished.kind === 'done') return finished.outcome;
    running = finished.execute ?? execute;
    if (finished.delayMs > 0) await delay(finished.delayMs, signal);
    if (signal?.aborted) return (await aborted(flight, signal.reason)).outcome;
  }
}

async function runOnce(flight: Flight, execute: Execute, options: CallOptions): Promise<ToolResult> {
  try {
    const output = execute(flight.event.input, { signal: flight.call.signal, call: flight.event });
    return { output: isThenable(output) ? await output : output };
  } catch (error) {
    if (options.isControlFlow?.(error) === true) {
      // A pause: taken up again in this process, the call goes on here and no hook is asked twice.
      flight.attempt--;
      flight.session.paused.set(flight.event.callId, flight);
      throw error;
    }
    return { error };
  }
}

async function askPerson(
  flight: Flight,
  request: ApprovalRequest,
  approver: Approver | undefined,
  options: CallOptions,
): Promise<ApprovalAnswer> {
  const { signal } = flight.call;
  if (approver === undefined)
    return { decision: 'deny', reason: `Approval is required (${request.reason}), but nobody can be asked.` };
  try {
    const answer = approver(request, { signal });
    return isThenable(answer) ? await unlessAborted(answer as PromiseLike<ApprovalAnswer>, signal) : answer;
  } catch (cause) {
    if (options.isControlFlow?.(cause) === true) throw cause;
    if (signal?.aborted) return { decision: 'canceled' };
    flight.internal.host.report(
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

/** Begins a call; one that paused in this process is taken up where it stopped, and no hook is asked twice. */
function takeUp(flight: Flight): {
  readonly flight: Flight;
  readonly answer: BegunStep | PromiseLike<BegunStep>;
} {
  const paused = flight.session.paused.size === 0 ? undefined : takePaused(flight);
  if (paused === undefined) return { flight, answer: begin(flight) };
  if (paused.request !== undefined)
    return { flight: paused, answer: { kind: 'ask', request: paused.request } };
  return { flight: paused, answer: run(paused) };
}

function begunBefore(begun: RunCall | AskApproval): { readonly flight: Flight; readonly answer: BegunStep } {
  const flight = flights.get(begun.token);
  if (flight === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      'callTool: `begun` must be what beginToolCall gave in this process.',
    );
  return { flight, answer: begun };
}

/** Gives a step its token, and remembers the call behind it. */
function keep(flight: Flight, step: BegunStep): Begun;
function keep(flight: Flight, step: FinishedStep): Finished;
function keep(flight: Flight, step: BegunStep | FinishedStep): Begun | Finished {
  if (step.kind === 'done') return step;
  const { token } = flight;
  flights.set(token, flight);
  return { ...step, token };
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
  flight.attempt = attempt;
  flight.startedAt = startedAt;
  return flight;
}
