import type { ApprovalAnswer, ApprovalRequest } from '../approval/approval.ts';
import { HooksError } from '../error.ts';
import type { Hooks } from '../registry/hooks.ts';
import { isThenable } from '../thenable.ts';
import { takeAnswer } from './approve.ts';
import { begin } from './before.ts';
import { callChains } from './chains.ts';
import { type Flight, makeFlight } from './flight.ts';
import { enter } from './paused.ts';
import { askPerson } from './person.ts';
import { finish, returned, threw } from './result.ts';
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
 * @throws HooksError `INVALID_INPUT` where the token is not of a call that waits in this process, or no longer: begin it
 * again there, with `resumed`
 */
export async function answerToolCall(
  token: CallToken,
  answer: ApprovalAnswer | Pick<CallOptions, 'approval' | 'isControlFlow'>,
): Promise<Begun> {
  const flight = flights.get(token);
  // Of a call that runs already, a person is asked about another input: not by this token.
  if (flight?.request === undefined || flight.cleared || !isDue(flight, token)) {
    throw new HooksError(
      'INVALID_INPUT',
      `answerToolCall: call ${token.callId} does not wait for approval in this process; begin it again with \`resumed\`.`,
    );
  }
  flight.due = undefined;
  const answering = 'decision' in answer ? takeAnswer(flight, answer) : askPerson(flight, answer);
  return told(flight, await answering);
}

/**
 * The second half of a tool call: transforms what the tool gave and asks `AfterToolCall`.
 *
 * @param token what `beginToolCall` gave, or its JSON in another process
 * @throws HooksError `INVALID_INPUT` where this process has finished the call with it already
 */
export function finishToolCall(
  hooks: Hooks,
  token: CallToken,
  result: ToolResult,
): Finished | PromiseLike<Finished> {
  const known = flights.get(token);
  if (known !== undefined && known.due !== token)
    throw new HooksError(
      'INVALID_INPUT',
      `finishToolCall: call ${token.callId} has gone on since \`token\` was given; take the newest, and each only once.`,
    );
  const flight = known ?? flightOf(hooks, token);
  flight.due = undefined;
  const ending = 'error' in result ? threw(flight, result.error) : returned(result.output);
  const finished = finish(flight, ending);
  return isThenable(finished) ? finished.then((settled) => told(flight, settled)) : told(flight, finished);
}

/** The flight of a call that was begun, as if it had just come in; it may be another signal by now that aborts it. */
export function flightBehind({ kind, token }: RunCall | AskApproval, { signal }: ToolCall): Flight {
  const flight = flights.get(token);
  if (flight === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      'callTool: `begun` must be what beginToolCall gave in this process.',
    );
  if (!isDue(flight, token))
    throw new HooksError(
      'INVALID_INPUT',
      `callTool: call ${token.callId} has gone on since \`begun\` was given; take the newest, and each only once.`,
    );
  if (signal !== undefined) flight.described = { ...flight.described, signal };
  // It was to run at once, and is only now about to.
  if (flight.due === token && kind === 'run') flight.attempt--;
  flight.due = undefined;
  return flight;
}

/** Whether a call goes on with this token: with the newest, once; with any where it has paused since, and waits. */
function isDue(flight: Flight, token: CallToken): boolean {
  const { due, session, event } = flight;
  return due === undefined ? session.paused?.get(event.callId) === flight : due === token;
}

/** A step as the split form gives it: with what it is about, and the token by which the call is known again. */
function told(flight: Flight, step: BegunStep): Begun;
function told(flight: Flight, step: FinishedStep): Finished;
function told(flight: Flight, step: BegunStep | FinishedStep): Begun | Finished {
  const { token, running, delayMs, request } = flight;
  flight.due = token;
  if (step.status !== 'run' && step.status !== 'ask' && step.status !== 'again')
    return { kind: 'done', outcome: step };
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
