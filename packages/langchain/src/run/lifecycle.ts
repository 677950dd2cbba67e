import { isHooksError, type Session } from '@hooks/core';
import { PausedRuns, type PauseKey, type ResumeRequest, type RunEnd } from '@hooks/core/adapter';
import { isApprovalInterrupt } from '../approval/pending.ts';
import { ambientConfig, parentCall, threadId, type Whereabouts } from '../config.ts';
import { interruptsOfThread, isControlFlow, isLimit, isPause, type Memory, nodeOf } from '../internals.ts';
import { outermost } from '../registries.ts';
import { HookedRun, isInherited, nativeRun, type RunSeat, refuseOther, runOf } from './run.ts';

/** The agent of a run. */
export interface RunningAgent extends RunSeat {
  readonly agent: string | undefined;
  /** Its own checkpointer, if it has one. */
  readonly memory: Memory | undefined;
}

/**
 * Begins a run of an agent, in the thread's session or in one of its own, or resumes one that paused.
 *
 * @param goesOn whether there is no new input, so that the thread resumes
 */
export async function beginRun(
  { registries, owner, agent, memory }: RunningAgent,
  config: Whereabouts | undefined,
  goesOn: boolean,
): Promise<HookedRun> {
  const hooks = outermost(registries);
  const ambient = ambientConfig();
  const outer = runOf(hooks, config) ?? runOf(hooks, ambient);
  // A timer or a connection of a finished run inherits its config, but is not part of it.
  const parent = outer?.over === true ? undefined : outer;
  const thread = threadId(config) ?? threadId(ambient);
  const sessionId = isInherited(thread, parent) ? undefined : thread;
  const session =
    sessionId === undefined
      ? parent?.session
      : hooks.session(sessionId, parent && { parent: parent.session });
  const call = callAround(config);
  const { signal } = config ?? {};
  const principal = registries.principal(nativeRun({ ...ambient, ...config }), parent);
  const request = { sessionId, principal, parent, hookedBy: registries, signal };
  const resume = (around: string | undefined): HookedRun | undefined =>
    session && resumeRun({ session, call: around, agent }, request);
  const kept =
    (call === undefined ? undefined : resume(call)) ??
    (goesOn && sessionId !== undefined ? resume(undefined) : undefined);
  if (kept) {
    kept.owner = owner;
    return kept;
  }
  const restored =
    sessionId !== undefined && session?.state === 'new' && (await remembers(memory, sessionId));
  const run = new HookedRun(registries, owner, {
    sessionId,
    agent,
    principal,
    parent,
    signal,
    maxContinuations: registries.maxContinuations,
    ...(restored && { source: 'resume' }),
  });
  await run.begin();
  if (goesOn && parent === undefined && sessionId !== undefined)
    await checkOwner(run, await interruptsOfThread(memory, config, sessionId));
  return run;
}

/**
 * Refuses to go on with a thread whose pending approvals are all of other users, before LangGraph stores what it was resumed
 * with: the next run of the thread would get that, whoever begins it.
 */
async function checkOwner(run: HookedRun, interrupts: readonly unknown[]): Promise<void> {
  const waiting = interrupts.filter(isApprovalInterrupt);
  const own = waiting.some(({ principal, owner = principal }) => run.isFor(owner ?? undefined));
  if (own || waiting.length === 0) return;
  await run.end({ kind: 'canceled' });
  refuseOther(run.session.id);
}

async function remembers(memory: Memory | undefined, thread: string): Promise<boolean> {
  return (await memory?.getTuple({ configurable: { thread_id: thread } })) !== undefined;
}

/** How a run ended. */
export interface Ending {
  readonly result?: unknown;
  readonly error?: unknown;
  /** Its prompt was blocked, so its thread is unchanged. */
  readonly refused?: boolean;
}

/** Ends a run, unless it has only paused. */
export async function endRun(run: HookedRun, config: Whereabouts | undefined, ending: Ending): Promise<void> {
  const { session, ownsSession, parent, agent, waits } = run;
  run.waits = false;
  const place = ownsSession ? parent?.session : session;
  const call = isPause(ending.error) ? callAround(config) : undefined;
  const paused = call !== undefined || (waits && !ownsSession && ending.error === undefined);
  if (place !== undefined && paused) return keepRun({ session: place, call, agent }, run);
  const keep = !ownsSession && ending.refused !== true;
  await run.end(endOf(run, ending), { keep });
  if (keep) keepRun({ session, call: undefined, agent }, run);
}

function endOf(run: HookedRun, ending: Ending): RunEnd {
  const { result, error } = ending;
  if (!('error' in ending) || isControlFlow(error))
    return { kind: 'done', response: 'result' in ending ? finalText(result) : run.response };
  if (isHooksError(error)) return { kind: 'canceled' };
  // LangGraph limits supersteps. Only the run knows how many model calls that allowed.
  if (isLimit(error)) return { kind: 'limit', maxIterations: run.iteration, message: error.message };
  return { kind: 'error', error };
}

function finalText(result: unknown): string {
  const messages: unknown = Reflect.get(Object(result), 'messages');
  const text: unknown = Array.isArray(messages) ? Reflect.get(Object(messages.at(-1)), 'text') : undefined;
  return typeof text === 'string' ? text : '';
}

/** Runs that may resume: the last one of each agent in a thread, and those of agents that paused inside a call. */
const keptRuns: PausedRuns<HookedRun> = new PausedRuns();

/** Where a run is kept: in the session of its thread, or in its parent's session under the call that started it. */
interface Place {
  readonly session: Session;
  readonly call: string | undefined;
  readonly agent: string | undefined;
}

function keyOf({ session, call, agent }: Place): PauseKey {
  return { of: session, id: JSON.stringify([call, agent]) };
}

/** Keeps a run instead of the previous one. */
function keepRun(place: Place, run: HookedRun): void {
  const key = keyOf(place);
  const before = keptRuns.peek(key);
  if (before !== undefined && before.id !== run.id) before.forget();
  keptRuns.keep(run, [key]);
}

/** Resumes a kept run. Refuses one that waits for somebody else; one that has ended is only not gone on with. */
function resumeRun(place: Place, request: ResumeRequest): HookedRun | undefined {
  const { run, why } = keptRuns.resume([keyOf(place)], request);
  if (why === 'other_principal') refuseOther(place.session.id);
  return run;
}

/** The tool call or the execution of a node that started the run. */
function callAround(config: Whereabouts | undefined): string | undefined {
  const ambient = ambientConfig();
  return parentCall(config) ?? parentCall(ambient) ?? nodeOf(ambient);
}
