import type { AgentRunOptions } from '@hooks/core/adapter';
import type { AnyAgent, RunOptions } from '../agent.ts';
import { Approvals } from '../approval/approvals.ts';
import { forgetPaused, notePaused, storedThread } from '../approval/pending.ts';
import { DEFAULT_MAX_STEPS, THREAD_KEY } from '../internals.ts';
import { configuredModel } from '../model/other-model.ts';
import { RunTools } from '../tool/run-tools.ts';
import { HookedRun, principalIn, type Registry } from './run.ts';

/** An agent that is hooked. */
export interface HookedAgent {
  readonly agent: AnyAgent;
  /** The outermost first. */
  readonly registries: readonly Registry[];
  /** The runs that are going or have paused in this process, by their ids. */
  readonly runs: Map<string, MastraRun>;
}

/** A run of an agent. Within the process it outlives a pause. */
export class MastraRun extends HookedRun {
  override readonly approvals: Approvals = new Approvals(this);
  tools: RunTools = new RunTools(this.hooked, () => this);
  /** What it was started with, as its user gave it. */
  given: RunOptions = {};
  /** Whether another process has paused it, or its session was closed since: nothing is known of its calls. */
  restored = false;
  waits = false;
  /** The most model calls that it may make. None where a condition of its user's (`stopWhen`) stands for a limit. */
  limit: number | undefined;
  /** The model that the agent is configured with, as its user gave it. */
  configuredModel: () => Promise<unknown> = async () => undefined;
  /** What the model was told beside the prompt: the same again where a call is repeated. */
  told: { readonly iteration: number; readonly text: string } | undefined;
  /** What the next user message is to be: the reason of a Stop hook. */
  steer: string | undefined;
  /** The object of the last answer, with structured output. */
  object: unknown;
  /** Whether Stop hooks have made it go on. */
  continued = false;
  /** Why a model's answer was refused. */
  refused: string | undefined;
  /** The ids of the user's messages that hooks have seen. */
  readonly submitted: Set<string> = new Set();
}

/** By whom a sub-agent is called. */
export interface Caller {
  readonly parent: MastraRun;
  readonly callId: string;
}

/** Opens the run of an agent, in the session of its memory thread or in one of its own; or goes on with one that has paused. */
export async function openAgentRun(
  { agent, registries, runs }: HookedAgent,
  defaults: RunOptions,
  options: RunOptions,
  resumes: boolean,
  caller: Caller | undefined,
): Promise<MastraRun> {
  const id = options.runId ?? defaults.runId ?? mintRunId(agent);
  const signal = options.abortSignal ?? defaults.abortSignal;
  const paused = resumes ? runs.get(id) : undefined;
  if (paused !== undefined && paused.session.state !== 'closed') {
    paused.resume(signal);
    return paused;
  }
  const thread = threadOf(options, defaults) ?? (resumes ? await storedThread(agent, id) : undefined);
  const { parent, callId: parentCallId } = caller ?? {};
  const context = options.requestContext ?? defaults.requestContext;
  const about: AgentRunOptions = {
    id,
    sessionId: thread ?? id,
    // The thread of a sub-agent is made for the one task.
    ownsSession: thread === undefined || (parent !== undefined && parent.session.id !== thread),
    source: resumes ? 'resume' : 'startup',
    agent: agent.name,
    principal: principalIn(registries, context, parent),
    parent,
    parentCallId,
    signal,
    maxContinuations: registries.find(({ settings }) => settings.maxContinuations !== undefined)?.settings
      .maxContinuations,
  };
  const run: MastraRun = new MastraRun(registries, about, (request, context) =>
    run.approvals.pause(request, context),
  );
  run.tools = new RunTools(registries, () => runs.get(id) ?? run);
  run.given = options;
  run.restored = resumes;
  const stopWhen = options.stopWhen ?? defaults.stopWhen;
  run.limit =
    options.maxSteps ?? defaults.maxSteps ?? (stopWhen === undefined ? DEFAULT_MAX_STEPS : undefined);
  let configured: Promise<unknown> | undefined;
  run.configuredModel = () => (configured ??= configuredModel(agent, context));
  await run.begin();
  runs.set(id, run);
  return run;
}

/** Keeps a run that waits for a person, for as long as its session is open. */
export function keepPaused({ runs }: HookedAgent, run: MastraRun): void {
  for (const [id, { session }] of runs) if (session.state === 'closed') runs.delete(id);
  run.waits = true;
  notePaused(run);
}

/** Forgets a run that is over. */
export function forgetRun({ runs }: HookedAgent, run: MastraRun): void {
  runs.delete(run.id);
  forgetPaused(run);
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
