import type { ApprovalAnswer, ApprovalRequest } from '../approval.ts';
import { HooksError } from '../error.ts';
import type { Execute } from '../execute.ts';
import type { Hooks } from '../hooks.ts';
import { isThenable } from '../thenable.ts';
import { takeAnswer } from './approve.ts';
import { begin } from './before.ts';
import { callChains } from './chains.ts';
import { type Flight, makeFlight } from './flight.ts';
import { keepPaused, takePaused } from './paused.ts';
import { askPerson } from './person.ts';
import { type Ending, finish, notAgain, returned, threw } from './result.ts';
import type { AnsweredStep, BegunStep, FinishedStep } from './step.ts';
import type {
  AskApproval,
  BeginOptions,
  Begun,
  CallOptions,
  CallToken,
  Can,
  Finished,
  InputCheck,
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
  const flight = enter(hooks, call, options.can, options.check);
  const step = begin(flight);
  return isThenable(step) ? step.then((settled) => told(flight, settled)) : told(flight, step);
}

/**
 * Goes on with a call that waits for approval.
 *
 * @param answer what a person said, or who is asked now, as for `callTool`: an approver that fails denies
 * @throws HooksError `INVALID_INPUT` where the token is not of a call that waits in this process: begin it again there,
 * with `resumed`
 */
export async function answerToolCall(
  token: CallToken,
  answer: ApprovalAnswer | Pick<CallOptions, 'approval' | 'isControlFlow'>,
): Promise<Begun> {
  const flight = flights.get(token);
  if (flight?.request === undefined) {
    throw new HooksError(
      'INVALID_INPUT',
      `answerToolCall: call ${token.callId} does not wait for approval in this process; begin it again with \`resumed\`.`,
    );
  }
  const answering = 'decision' in answer ? takeAnswer(flight, answer) : askPerson(flight, answer);
  return told(flight, await answering);
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
  const ending = 'error' in result ? threw(flight, result.error) : returned(result.output);
  const finished = finish(flight, ending);
  return isThenable(finished) ? finished.then((settled) => told(flight, settled)) : told(flight, finished);
}

/**
 * Takes a tool call through the whole pipeline: `beginToolCall`, `execute`, `finishToolCall`, in a loop.
 *
 * @param execute runs the tool: gets the effective input, returns the output or throws. It must start from the raw
 *   input each time, since a Retry calls it again.
 * @returns how it ended; it rejects only with the framework's own control flow
 */
export function callTool(
  hooks: Hooks,
  call: ToolCall,
  execute: Execute,
  options: CallOptions = NO_OPTIONS,
): Promise<ToolCallOutcome> {
  const { begun } = options;
  try {
    if (begun?.kind === 'done') return Promise.resolve(begun.outcome);
    const flight =
      begun === undefined ? enter(hooks, call, canOf(options), options.check) : flightBehind(begun, call);
    const beginning = begun === undefined ? begin(flight) : { status: begun.kind };
    return 'status' in beginning && beginning.status === 'run'
      ? attempt(flight, execute, options)
      : answered(flight, beginning, options).then((step) => follow(flight, step, execute, options));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Runs the tool, and again where hooks want that. Continuations cost a call less than an async function does. */
function attempt(flight: Flight, execute: Execute, options: CallOptions): Promise<ToolCallOutcome> {
  const { session } = flight;
  session.calling++;
  return started(flight, execute).then(
    (output) => {
      session.calling--;
      return tried(flight, returned(output), execute, options);
    },
    (error) => {
      session.calling--;
      if (options.isControlFlow?.(error) === true) throw pause(flight, error);
      return tried(flight, threw(flight, error), execute, options);
    },
  );
}

function started(flight: Flight, execute: Execute): Promise<unknown> {
  try {
    const output = flight.start(execute);
    // A promise of another kind has a `then` of its own, and is waited for as `await` does it.
    return output instanceof Promise && output.constructor === Promise ? output : Promise.resolve(output);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The tool has run: hooks are asked what of it stands. */
function tried(
  flight: Flight,
  ending: Ending,
  execute: Execute,
  options: CallOptions,
): ToolCallOutcome | Promise<ToolCallOutcome> {
  const finishing = finish(flight, ending);
  return 'status' in finishing && finishing.status !== 'again'
    ? finishing
    : runAgain(flight, finishing).then((step) => follow(flight, step, execute, options));
}

/** Runs the tool, where that is the step; else the call is over. */
function follow(
  flight: Flight,
  step: AnsweredStep,
  execute: Execute,
  options: CallOptions,
): ToolCallOutcome | Promise<ToolCallOutcome> {
  return step.status === 'run' ? attempt(flight, execute, options) : step;
}

/** Waits for hooks, and asks a person where that is the step. */
async function answered(
  flight: Flight,
  beginning: BegunStep | PromiseLike<BegunStep>,
  options: CallOptions,
): Promise<AnsweredStep> {
  flight.session.calling++;
  try {
    const step = await beginning;
    return step.status === 'ask' ? await askPerson(flight, options) : step;
  } finally {
    waited(flight);
  }
}

/** Waits for hooks, and for the time of the next attempt where that is the step; an abort meanwhile ends the call. */
async function runAgain(
  flight: Flight,
  finishing: FinishedStep | PromiseLike<FinishedStep>,
): Promise<AnsweredStep> {
  flight.session.calling++;
  try {
    const step = await finishing;
    if (step.status !== 'again') return step;
    const { signal } = flight.call;
    if (flight.delayMs > 0) await delay(flight.delayMs, signal);
    return signal?.aborted ? await notAgain(flight, signal.reason) : { status: 'run' };
  } finally {
    waited(flight);
  }
}

/** However long hooks, a person or a delay take, the session is in use, and not evicted. */
function waited({ session }: Flight): void {
  session.calling--;
  session.idle = 0;
}

const NO_OPTIONS: CallOptions = {};

/** What callTool can do wherever it is called. */
const CAN: Can = { retry: true, route: true };

function canOf({ approval, rename }: CallOptions): Can {
  const ask = typeof approval === 'function';
  return ask || rename !== undefined ? { ...CAN, ask, rename } : CAN;
}

/** Taken up again in this process, the call goes on where it was, and no hook is asked twice. */
function pause(flight: Flight, error: unknown): unknown {
  flight.attempt--;
  keepPaused(flight);
  return error;
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
function enter(hooks: Hooks, call: ToolCall, can?: Can, check?: InputCheck): Flight {
  const flight = makeFlight(hooks, call, can, check);
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
  if (step.status !== 'run' && step.status !== 'ask' && step.status !== 'again')
    return { kind: 'done', outcome: step };
  const { token, running, delayMs, request } = flight;
  flights.set(token, flight);
  if (step.status === 'run') return { kind: 'run', ...running, token };
  if (step.status === 'again') return { kind: 'again', ...running, delayMs, token };
  return { kind: 'ask', request: request as ApprovalRequest, token };
}

/** A call that another process began, as far as its token tells. */
function flightOf(hooks: Hooks, token: CallToken): Flight {
  const { session, toolName, nativeToolName, retry, attempt, startedAt, ...call } = token;
  const flight = makeFlight(
    hooks,
    { ...call, toolName: nativeToolName, session: hooks.session(session) },
    { retry },
  );
  flight.event = { ...flight.event, toolName };
  flight.chains = callChains(flight.internal, toolName);
  flight.attempt = attempt;
  flight.startedAt = startedAt;
  return flight;
}
