import { isHooksError, type Session, type SessionKey, sessionKey } from '@hooks/core';
import { forgetRun, type RunEnd } from '@hooks/core/adapter';
import { ambientConfig, parentCall, threadId, type Whereabouts } from '../config.ts';
import { isControlFlow, isLimit, isPause, nodeOf } from '../internals.ts';
import { HookedRun, isInherited, principalIn, type RunSeat, runOf } from './run.ts';

/** The agent that a run is of. */
export interface RunningAgent extends RunSeat {
  readonly agent: string | undefined;
  /** Its checkpointer, if it has one of its own. */
  readonly memory: Memory | undefined;
}

/** A checkpointer, as far as it tells whether there is anything of a thread. */
export interface Memory {
  getTuple(config: { readonly configurable: { readonly thread_id: string } }): Promise<unknown>;
}

/**
 * Begins a run of an agent, in the thread's session or in one of its own, or resumes one that paused.
 *
 * @param goesOn whether there is no new input: the thread goes on
 */
export async function beginRun(
  { registries, owner, maxContinuations, agent, memory }: RunningAgent,
  config: Whereabouts | undefined,
  goesOn: boolean,
): Promise<HookedRun> {
  const [{ hooks }] = registries;
  const ambient = ambientConfig();
  const outer = runOf(hooks, config) ?? runOf(hooks, ambient);
  // What a run that is over has left behind (a timer, a connection) inherits its config, but is no part of it.
  const parent = outer?.over === true ? undefined : outer;
  const thread = threadId(config) ?? threadId(ambient);
  const sessionId = isInherited(thread, parent) ? undefined : thread;
  const session =
    sessionId === undefined
      ? parent?.session
      : hooks.session(sessionId, parent && { parent: parent.session });
  const call = callAround(config);
  const { signal } = config ?? {};
  const kept =
    session &&
    ((call !== undefined && takeRun({ session, call, agent })) ||
      (goesOn && sessionId !== undefined && takeRun({ session, call: undefined, agent })));
  if (kept) {
    kept.owner = owner;
    if (kept.over) kept.stop = undefined; // that run has ended; its thread goes on
    kept.resume(signal);
    return kept;
  }
  const restored =
    sessionId !== undefined && session?.state === 'new' && (await remembers(memory, sessionId));
  const run = new HookedRun(registries, owner, {
    sessionId,
    agent,
    principal: principalIn({ ...ambient, ...config }, registries, parent),
    parent,
    signal,
    maxContinuations,
    ...(restored && { source: 'resume' }),
  });
  await run.begin();
  return run;
}

async function remembers(memory: Memory | undefined, thread: string): Promise<boolean> {
  return (await memory?.getTuple({ configurable: { thread_id: thread } })) !== undefined;
}

/** How a run ended. */
export interface Ending {
  readonly result?: unknown;
  readonly error?: unknown;
  /** Its prompt was refused, which has left its thread as it was. */
  readonly refused?: boolean;
}

/** Ends a run, however it ended, unless it has only paused. */
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
  // LangGraph limits its supersteps; how many model calls that allowed is known here only.
  if (isLimit(error)) return { kind: 'limit', maxIterations: run.iteration, message: error.message };
  return { kind: 'error', error };
}

function finalText(result: unknown): string {
  const messages: unknown = Reflect.get(Object(result), 'messages');
  const text: unknown = Array.isArray(messages) ? Reflect.get(Object(messages.at(-1)), 'text') : undefined;
  return typeof text === 'string' ? text : '';
}

/** Runs that may be resumed: in a thread the last one of each agent, in a call those of agents that paused in it. */
const KEPT: SessionKey<Map<string, HookedRun>> = sessionKey('@hooks/langchain/kept');

/** Where a run is kept: in the session of its thread or, under the call that it was started in, in its parent's. */
interface Place {
  readonly session: Session;
  readonly call: string | undefined;
  readonly agent: string | undefined;
}

/** Keeps a run, in the place of the one before. */
function keepRun({ session, call, agent }: Place, run: HookedRun): void {
  const runs = session.get(KEPT, () => new Map());
  const key = JSON.stringify([call, agent]);
  const before = runs.get(key);
  if (before !== undefined && before.id !== run.id) forgetRun(before.session, before.id);
  runs.set(key, run);
}

/** Gives a kept run back, once. */
function takeRun({ session, call, agent }: Place): HookedRun | undefined {
  const runs = session.get(KEPT);
  const key = JSON.stringify([call, agent]);
  const run = runs?.get(key);
  runs?.delete(key);
  return run?.session.state === 'closed' ? undefined : run;
}

/** The tool call in which a config is used, or the node that is running: each time that a graph comes to one, it is another. */
function callAround(config: Whereabouts | undefined): string | undefined {
  const ambient = ambientConfig();
  return parentCall(config) ?? parentCall(ambient) ?? nodeOf(ambient);
}
