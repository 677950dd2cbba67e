import type { ModelSettings, Session } from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import type { AnyAgent, RunOptions } from '../agent.ts';
import { Approvals } from '../approval/approvals.ts';
import { forgetWaiting, noteWaiting, storedThread } from '../approval/pending.ts';
import { DEFAULT_MAX_STEPS, THREAD_KEY } from '../internals.ts';
import { type CallModel, configuredModel } from '../model/other-model.ts';
import type { AgentCalls } from '../tool/assembly.ts';
import { RunTools } from '../tool/run-tools.ts';
import type { Registry } from './run.ts';

/** An agent that is hooked. */
export interface HookedAgent {
  readonly agent: AnyAgent;
  /** The outermost first. */
  readonly registries: readonly Registry[];
  /** The runs that are going or have paused in this process, by their ids. */
  readonly runs: Map<string, AgentRun>;
}

/** A run of an agent. Within the process it outlives a pause. */
export interface AgentRun extends AgentCalls {
  readonly id: string;
  readonly agent: string;
  /** One for each registry. */
  readonly sessions: readonly Session[];
  /** What it was started with, as its user gave it. */
  readonly given: RunOptions;
  /** Renewed when it resumes. */
  approvals: Approvals | undefined;
  tools: RunTools;
  signal: AbortSignal | undefined;
  /** Whether another process has paused it, or its session was closed since: nothing is known of its calls. */
  readonly restored: boolean;
  /** The run that has called the agent as its sub-agent: the kick-off message is no user's. */
  readonly parent: AgentRun | undefined;
  /** The most model calls that it may make. None where a condition of its user's (`stopWhen`) stands for a limit. */
  readonly limit: number | undefined;
  /** The model that the agent is configured with, as its user gave it. */
  readonly configuredModel: () => Promise<unknown>;
  /** What a `BeforeRun` hook has set for every model call. */
  settings: ModelSettings | undefined;
  model: CallModel | undefined;
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
  /** The ids of the user's messages that hooks have seen. */
  readonly submitted: Set<string>;
}

/** By whom a sub-agent is called. */
export interface Caller {
  readonly parent: AgentRun;
  readonly callId: string;
}

/** Opens the run of an agent, in the session of its memory thread, else in one of the run's own; or goes on with one that has paused. */
export async function openRun(
  { agent, registries, runs }: HookedAgent,
  defaults: RunOptions,
  options: RunOptions,
  resumes: boolean,
  caller: Caller | undefined,
): Promise<AgentRun> {
  const id = options.runId ?? defaults.runId ?? mintRunId(agent);
  const signal = options.abortSignal ?? defaults.abortSignal;
  const paused = resumes ? runs.get(id) : undefined;
  if (paused !== undefined && paused.session.state !== 'closed') {
    paused.signal = signal;
    return paused;
  }
  const thread = threadOf(options, defaults) ?? (resumes ? await storedThread(agent, id) : undefined);
  const { parent, callId: parentCallId } = caller ?? {};
  const sessions = registries.map(({ hooks }) =>
    hooks.session(thread ?? id, {
      source: resumes ? 'resume' : 'startup',
      ...(parent && { parent: hooks.session(parent.session.id) }),
    }),
  );
  const [session] = sessions;
  if (session === undefined) throw new TypeError('a hooked agent needs a registry');
  let configured: Promise<unknown> | undefined;
  const context = options.requestContext ?? defaults.requestContext;
  const run: AgentRun = {
    id,
    registries,
    sessions,
    session,
    agent: agent.name,
    signal,
    given: options,
    restored: resumes,
    parent,
    parentCallId,
    limit: options.maxSteps ?? defaults.maxSteps ?? ((options.stopWhen ?? defaults.stopWhen) ? undefined : DEFAULT_MAX_STEPS),
    configuredModel: () => (configured ??= configuredModel(agent, context)),
    tools: new RunTools(registries, () => runs.get(id)),
    approvals: undefined,
    paused: new Map(),
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
  };
  runs.set(id, run);
  return run;
}

/** Closes a run: its session, too, where that is not a thread of its user's. */
export async function closeRun({ runs }: HookedAgent, run: AgentRun): Promise<void> {
  const { id, sessions, session, parent } = run;
  runs.delete(id);
  forgetWaiting(id);
  for (const one of sessions) {
    forgetRun(one, id);
    // The thread of a sub-agent is made for the one task.
    if (session.id === id || (parent !== undefined && parent.session.id !== session.id)) await one.close();
  }
}

/** Keeps a run that waits for a person, for as long as its session is open. */
export function keepPaused({ runs }: HookedAgent, run: AgentRun): void {
  for (const [id, { session }] of runs) if (session.state === 'closed') runs.delete(id);
  const { id, session, parent, approvals } = run;
  noteWaiting(id, { session, parentId: parent?.id, requests: approvals?.proposed.requests ?? [] });
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
