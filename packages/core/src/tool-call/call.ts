import type { Execute } from '../execute.ts';
import type { Hooks } from '../registry/hooks.ts';
import { begin } from './before.ts';
import type { Flight } from './flight.ts';
import { enter, keepPaused } from './paused.ts';
import { askPerson } from './person.ts';
import { type Ending, finish, notAgain, returned, threw } from './result.ts';
import { flightBehind } from './split.ts';
import type { AnsweredStep, BegunStep, FinishedStep } from './step.ts';
import type { CallOptions, Can, ToolCall, ToolCallOutcome } from './types.ts';

/**
 * Takes a tool call through the whole pipeline: `beginToolCall`, `execute`, `finishToolCall`, in a loop.
 *
 * @param execute runs the tool: gets the effective input, returns the output or throws. It must start from the raw
 *   input each time, since a Retry calls it again. Where something further in changes the input, `recheckToolCall`
 *   asks about that.
 * @returns how it ended; it rejects only with the framework's own control flow, and where `begun` is of no call that
 *   waits here (HooksError `INVALID_INPUT`)
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
    const beginning = begin(flight);
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
    // A promise of another kind has a `then` of its own: it is waited for as `await` does it.
    return Promise.resolve(flight.start(execute));
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
  const refusal = flight.changed?.refusal;
  if (refusal !== undefined) return refusal;
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
    const { signal } = flight;
    if (flight.delayMs > 0) {
      await delay(flight.delayMs, signal);
      // Timers are late on a busy machine, and up to a millisecond early by this clock.
      flight.startedAt = Date.now();
    }
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
  if (flight.changed?.refusal !== undefined) return error;
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
    signal?.addEventListener('abort', over);
  });
}
