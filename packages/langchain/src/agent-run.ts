import {
  type Hooks,
  isHooksError,
  MaxIterations,
  Notification,
  SubagentStart,
  SubagentStop,
} from '@hooks/core';
import { common, endTurn, tellError } from './events.ts';
import {
  ambientConfig,
  type HookedRun,
  makeRun,
  mintRunId,
  runOf,
  threadId,
  type Whereabouts,
} from './run.ts';

/** Begins a run of an agent: in the thread's session, or in one of its own. */
export async function beginRun(
  hooks: Hooks,
  owner: object,
  agent: string | undefined,
  config: Whereabouts | undefined,
): Promise<HookedRun> {
  const parent = runOf(hooks, config) ?? runOf(hooks, ambientConfig());
  const thread = threadId(config) ?? threadId(ambientConfig());
  // A sub-agent inherits its parent's thread, but has a session of its own.
  const own = thread === parent?.session.id ? undefined : thread;
  const session = hooks.session(own, parent && { parent: parent.session });
  const run = makeRun({ id: mintRunId(), session, minted: own === undefined, agent, owner, parent });
  await session.open();
  if (parent !== undefined) {
    const subagent = { subagent: agent ?? '', subagentSession: session.id };
    await hooks.dispatch(SubagentStart, { ...common(parent), ...subagent });
  }
  return run;
}

/** Ends a run, however it ended; a minted session ends with it. */
export async function endRun(
  hooks: Hooks,
  run: HookedRun,
  config: Whereabouts | undefined,
  ending: { readonly response?: string; readonly error?: unknown },
): Promise<void> {
  const { session, parent, lastUserMessage } = run;
  if ('error' in ending) await tellEnding(hooks, run, config, ending.error);
  await endTurn(hooks, run, 'normal');
  if (parent !== undefined) {
    await hooks.dispatch(SubagentStop, {
      ...common(parent),
      subagent: run.agent ?? '',
      subagentSession: session.id,
      response: ending.response ?? '',
      ...(lastUserMessage !== undefined && { lastUserMessage }),
    });
  }
  session.endRun(run.id);
  if (run.minted) await session.close();
}

async function tellEnding(
  hooks: Hooks,
  run: HookedRun,
  config: (Whereabouts & { readonly recursionLimit?: number }) | undefined,
  error: unknown,
): Promise<void> {
  if (config?.signal?.aborted || isHooksError(error)) return endTurn(hooks, run, 'canceled');
  if (error instanceof Error && error.name === 'GraphRecursionError') {
    const maxIterations = config?.recursionLimit ?? 25;
    const { message } = error;
    await hooks.dispatch(MaxIterations, { ...common(run), maxIterations, message });
    await hooks.dispatch(Notification, { ...common(run), level: 'warning', message });
    return endTurn(hooks, run, 'loop_detected');
  }
  await tellError(hooks, run, error);
  return endTurn(hooks, run, 'error');
}
