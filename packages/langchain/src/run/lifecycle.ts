import {
  type Hooks,
  isHooksError,
  MaxIterations,
  Notification,
  SubagentStart,
  SubagentStop,
  TurnEnd,
} from '@hooks/core';
import { after, forgetRun } from '@hooks/core/adapter';
import { isControlFlow, isPause } from '../tool/result.ts';
import { common, endTurn, hearing, isHeard, tellError } from './events.ts';
import { keepRun, takeRun } from './kept-runs.ts';
import {
  ambientConfig,
  type HookedRun,
  isInherited,
  makeRun,
  mintRunId,
  nodeOf,
  PAUSED,
  parentCall,
  runOf,
  threadId,
  type Whereabouts,
} from './run.ts';

/** The agent that a run is of. */
export interface RunningAgent {
  readonly owner: object;
  readonly name: string | undefined;
  /** Its checkpointer, if it has one of its own. */
  readonly memory: Memory | undefined;
}

/** A checkpointer, as far as it tells whether there is anything of a thread. */
export interface Memory {
  getTuple(config: { readonly configurable: { readonly thread_id: string } }): Promise<unknown>;
}

/**
 * Begins a run of an agent, in the thread's session or in one of its own, or takes up one that paused; synchronous where
 * nobody is waited for.
 *
 * @param goesOn whether there is no new input: the thread goes on
 */
export function beginRun(
  hooks: Hooks,
  { owner, name: agent, memory }: RunningAgent,
  config: Whereabouts | undefined,
  goesOn: boolean,
): HookedRun | PromiseLike<HookedRun> {
  const ambient = ambientConfig();
  const outer = runOf(hooks, config) ?? runOf(hooks, ambient);
  // What a run that is over has left behind (a timer, a connection) inherits its config, but is no part of it.
  const parent = outer?.over === true ? undefined : outer;
  const thread = threadId(config) ?? threadId(ambient);
  const own = isInherited(thread, parent) ? undefined : thread;
  const lineage = parent && { parent: parent.session };
  const known = own === undefined ? parent?.session : hooks.session(own, lineage);
  const call = callAround(config);
  const minted = own === undefined;
  const kept =
    (known && call !== undefined && takeRun({ session: known, call, agent })) ||
    (known && goesOn && !minted && takeRun({ session: known, call: undefined, agent }));
  if (kept) return { ...kept, owner, parent, over: false };
  const session = minted || known === undefined ? hooks.session(own, lineage) : known;
  const run = makeRun({ id: mintRunId(), session, minted, agent, owner, parent });
  return run.minted && parent === undefined
    ? after(session.open(), () => run)
    : enterSession(hooks, run, memory);
}

/** Opens a session that may be known to a memory, or is a sub-agent's. */
async function enterSession(hooks: Hooks, run: HookedRun, memory: Memory | undefined): Promise<HookedRun> {
  const { session, parent, minted, agent = '' } = run;
  if (session.state === 'new' && !minted && (await remembers(memory, session.id)))
    hooks.session(session.id, { source: 'resume' });
  await session.open();
  if (parent !== undefined && isHeard(hooks, SubagentStart))
    await hooks.dispatch(SubagentStart, {
      ...common(parent),
      subagent: agent,
      subagentSession: session.id,
    });
  return run;
}

async function remembers(memory: Memory | undefined, thread: string): Promise<boolean> {
  return (await memory?.getTuple({ configurable: { thread_id: thread } })) !== undefined;
}

const hearsOfEnds = hearing(TurnEnd, SubagentStop);

/** Ends a run, however it ended; a minted session ends with it, unless an agent inside of another has only paused. */
export function endRun(
  hooks: Hooks,
  run: HookedRun,
  config: Whereabouts | undefined,
  ending: Ending,
): PromiseLike<void> | undefined {
  const { session, minted, parent, agent } = run;
  const waits = session.get(PAUSED) === true;
  if (waits) session.set(PAUSED, false);
  const place = minted ? parent?.session : session;
  const call = isPause(ending.error) ? callAround(config) : undefined;
  const paused = call !== undefined || (waits && !minted && ending.error === undefined);
  if (place !== undefined && paused) {
    keepRun({ session: place, call, agent }, run); // its turn goes on, too
    return undefined;
  }
  run.prompts = undefined;
  const heard = 'error' in ending || hearsOfEnds(hooks);
  return after<void, void>(heard ? tell(hooks, run, config, ending) : undefined, () => {
    run.over = true;
    if (minted) return session.close();
    // A prompt that was refused has left the thread as it was.
    if (run.refused === undefined) keepRun({ session, call: undefined, agent }, run);
    else forgetRun(session, run.id);
    return undefined;
  }) as PromiseLike<void> | undefined;
}

/** In what an agent runs, if that is run again after a pause: a tool call, or the node of a graph. */
function callAround(config: Whereabouts | undefined): string | undefined {
  const ambient = ambientConfig();
  return parentCall(config) ?? parentCall(ambient) ?? nodeOf(ambient);
}

/** How a run ended. */
export interface Ending {
  readonly result?: unknown;
  readonly error?: unknown;
}

async function tell(
  hooks: Hooks,
  run: HookedRun,
  config: Whereabouts | undefined,
  ending: Ending,
): Promise<void> {
  const { session, parent, lastUserMessage } = run;
  if ('error' in ending && !isControlFlow(ending.error)) await tellFailure(hooks, run, config, ending.error);
  await endTurn(hooks, run, 'normal');
  if (parent !== undefined && isHeard(hooks, SubagentStop)) {
    await hooks.dispatch(SubagentStop, {
      ...common(parent),
      subagent: run.agent ?? '',
      subagentSession: session.id,
      response: finalText(ending.result),
      ...(lastUserMessage !== undefined && { lastUserMessage }),
    });
  }
}

/** What LangGraph's recursion limit and LangChain's modelCallLimitMiddleware throw. */
const LIMITS: ReadonlySet<string> = new Set(['GraphRecursionError', 'ModelCallLimitMiddlewareError']);

async function tellFailure(
  hooks: Hooks,
  run: HookedRun,
  config: Whereabouts | undefined,
  error: unknown,
): Promise<unknown> {
  if (config?.signal?.aborted || isHooksError(error)) return endTurn(hooks, run, 'canceled');
  if (error instanceof Error && LIMITS.has(error.name)) {
    // LangGraph limits its supersteps; how many model calls that allowed is known here only.
    const maxIterations = run.iteration;
    const { message } = error;
    await hooks.dispatch(MaxIterations, { ...common(run), maxIterations, message });
    await hooks.dispatch(Notification, { ...common(run), level: 'warning', message });
    return endTurn(hooks, run, 'continue');
  }
  await tellError(hooks, run, error);
  return endTurn(hooks, run, 'error');
}

function finalText(result: unknown): string {
  const messages: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'messages') : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const text: unknown = typeof last === 'object' && last !== null ? Reflect.get(last, 'text') : undefined;
  return typeof text === 'string' ? text : '';
}
