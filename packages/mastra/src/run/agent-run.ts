import type { Hooks, ModelSettings, Session } from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import { forgetWaiting, noteWaiting, storedThread } from '../approval/pending.ts';
import { DEFAULT_MAX_STEPS, THREAD_KEY } from '../internals.ts';
import { type CallModel, configuredModel } from '../model/other-model.ts';
import type { AnyAgent, RunOptions } from './any-agent.ts';
import { delegatedFrom } from './delegation.ts';
import type { Attachment, Run } from './run.ts';
import { withDefaults } from './with-defaults.ts';

/** A run of an agent. Within the process it outlives a pause. */
export interface AgentRun extends Run {
  readonly id: string;
  readonly agent: string;
  readonly end: () => Promise<void>;
  /** Whether another process has paused it, or its session was closed since: nothing is known of its calls. */
  restored: boolean;
  /** Whether a sub-agent runs: its kick-off message is no user's. */
  readonly delegated: boolean;
  /** The id of the run that has started it, where a sub-agent runs. */
  readonly parentId: string | undefined;
  /** The most model calls that it may make. None where a condition of its user's (`stopWhen`) stands for a limit. */
  readonly limit: number | undefined;
  /** The model that the agent is configured with, as its user gave it. */
  readonly configuredModel: () => Promise<unknown>;
  /** What a `BeforeRun` hook has set for every model call. */
  settings: ModelSettings | undefined;
  model: CallModel | undefined;
  /** The number of the turn that is open, from 1. */
  turn: number | undefined;
  /** What the model was told beside the prompt: the same again where a call is repeated. */
  told: { readonly turn: number; readonly text: string } | undefined;
  /** What the next user message is to be: the reason of a Stop hook. */
  steer: string | undefined;
  /** The object of the last answer, with structured output. */
  object: unknown;
  /** How often in a row Stop hooks made the run go on. */
  continuations: number;
  /** Why a model's answer was refused. */
  refused: string | undefined;
  lastUserMessage: string | undefined;
  /** The ids of the user's messages that were asked about. */
  readonly submitted: Set<string>;
}

/**
 * The paused runs of this process, by their ids. What Mastra keeps of a paused run, its tools among it, knows the run as it
 * began, so that it is the same that goes on, also after its session was closed; where Mastra has kept nothing, it is gone.
 */
const paused: WeakMap<Hooks, Map<string, WeakRef<AgentRun>>> = new WeakMap();

/** By their sessions, which keep them while they are open. */
const pausedIn: WeakMap<Session, Map<string, AgentRun>> = new WeakMap();

/** Opens the run of an agent: in the session of its memory thread, else in one of the run's own. */
export async function openRun(
  agent: AnyAgent,
  { hooks }: Attachment,
  defaults: RunOptions,
  options: RunOptions,
  resumes: boolean,
): Promise<AgentRun> {
  const id = options.runId ?? defaults.runId ?? mintRunId(agent);
  const signal = options.abortSignal ?? defaults.abortSignal;
  const resumed = resumes ? paused.get(hooks)?.get(id)?.deref() : undefined;
  if (resumed !== undefined) {
    const { id: sessionId, parent, state } = resumed.session;
    if (state === 'closed') {
      // Hooks are asked once more, as in another process.
      resumed.approvals?.proposals.clear();
      resumed.pausedGates = undefined;
      resumed.restored = true;
    }
    resumed.session = hooks.session(sessionId, { source: 'resume', ...(parent && { parent }) });
    resumed.signal = signal;
    return resumed;
  }
  const thread = threadOf(options, defaults) ?? (resumes ? await storedThread(agent, id) : undefined);
  const { parent, callId: parentCallId } = delegatedFrom(hooks, agent, options.requestContext) ?? {};
  const source = resumes ? 'resume' : 'startup';
  const session = hooks.session(thread ?? id, { source, ...(parent && { parent: parent.session }) });
  let configured: Promise<unknown> | undefined;
  const run: AgentRun = {
    id,
    session,
    agent: agent.name,
    signal,
    given: options,
    restored: resumes,
    delegated: parent !== undefined,
    parentId: parent?.id,
    parentCallId,
    limit: limitOf(withDefaults(defaults, options)),
    configuredModel: () =>
      (configured ??= configuredModel(agent, options.requestContext ?? defaults.requestContext)),
    settings: undefined,
    model: undefined,
    turn: undefined,
    told: undefined,
    stop: undefined,
    steer: undefined,
    object: undefined,
    continuations: 0,
    refused: undefined,
    lastUserMessage: undefined,
    submitted: new Set(),
    end: async () => {
      paused.get(hooks)?.delete(id);
      pausedIn.get(run.session)?.delete(id);
      forgetWaiting(id);
      forgetRun(run.session, id);
      // The thread of a sub-agent is made for the one task.
      if (thread === undefined || (parent !== undefined && parent.session !== session))
        await run.session.close();
    },
  };
  return run;
}

/** Keeps a run that waits for a person, to be taken up again in this process. */
export function keepPaused(hooks: Hooks, run: AgentRun): void {
  const { id, session, parentId } = run;
  const runs = paused.get(hooks) ?? new Map<string, WeakRef<AgentRun>>();
  for (const [other, kept] of runs) if (kept.deref() === undefined) runs.delete(other);
  paused.set(hooks, runs.set(id, new WeakRef(run)));
  pausedIn.set(session, (pausedIn.get(session) ?? new Map<string, AgentRun>()).set(id, run));
  noteWaiting(id, { session, parentId, requests: run.approvals?.proposals.requests ?? [] });
}

/** Whether a run waits for a person since this process has paused it. */
export function isPaused(hooks: Hooks, run: AgentRun): boolean {
  return paused.get(hooks)?.get(run.id)?.deref() === run;
}

function limitOf({ maxSteps, stopWhen }: RunOptions): number | undefined {
  return maxSteps ?? (stopWhen === undefined ? DEFAULT_MAX_STEPS : undefined);
}

function mintRunId(agent: AnyAgent): string {
  const minted = agent
    .getMastraInstance()
    ?.generateId({ idType: 'run', source: 'agent', entityId: agent.id });
  return minted ?? globalThis.crypto.randomUUID();
}

/** The memory thread of a run. */
export function threadOf(options: RunOptions, defaults: RunOptions): string | undefined {
  const fromContext: unknown = options.requestContext?.get(THREAD_KEY);
  if (typeof fromContext === 'string') return fromContext;
  const thread = options.memory?.thread ?? defaults.memory?.thread;
  return typeof thread === 'object' ? thread.id : thread;
}
