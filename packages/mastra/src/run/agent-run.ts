import type { Principal } from '@hooks/core';
import {
  type AgentRunOptions,
  isSamePrincipal,
  PausedRuns,
  type PauseKey,
  type ResumeOwner,
} from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { AnyAgent, RunOptions } from '../agent.ts';
import { Approvals } from '../approval/approvals.ts';
import { type FindSuspended, isStored, storedThread } from '../approval/stored.ts';
import { DEFAULT_MAX_STEPS, DURABLE_RUNS, THREAD_KEY } from '../internals.ts';
import { configuredModel } from '../model/other-model.ts';
import type { Registries } from '../registries.ts';
import { RunTools } from '../tool/run-tools.ts';
import { removeOwner, storedOwner, storeOwner } from './owner.ts';
import { refuseRun } from './refused.ts';
import { HookedRun, principalIn } from './run.ts';

/** A hooked agent. */
export interface HookedAgent {
  readonly agent: AnyAgent;
  /** Outermost first. */
  readonly registries: Registries;
  /** The runs in this process that are in progress, by id. */
  readonly runs: Map<string, MastraRun>;
}

/** A run of an agent. Within the process it outlives a pause. */
export class MastraRun extends HookedRun {
  readonly by: HookedAgent;
  override readonly approvals: Approvals;
  readonly tools: RunTools;
  /** The options it was started with, as the user gave them. */
  readonly given: RunOptions;
  readonly #context: RunOptions['requestContext'];
  #configured: Promise<unknown> | undefined;
  /** Whether another process paused it, or its session was closed since. Then nothing is known of its calls. */
  readonly restored: boolean;
  /** The maximum number of model calls. Undefined if a condition of the user (`stopWhen`) replaces the limit. */
  readonly limit: number | undefined;
  /** The context of the last model call, as Mastra has it. */
  told: string | undefined;
  /** The next user message: the reason of a Stop hook. */
  steer: string | undefined;
  /** The object of the last answer, with structured output. */
  object: unknown;
  /** Whether a Stop hook refused the answer, which stands all the same. */
  answerStands = false;
  /** Its messages, those that memory recalled included. Undefined before they are known. */
  messages: (() => readonly MastraDBMessage[]) | undefined;
  /** Why a model's answer was refused. */
  refused: string | undefined;
  /** The ids of the messages that Mastra itself has sent to it as it started. */
  sent: ReadonlySet<string> = new Set();
  /** The ids of the user's messages that hooks have seen. */
  readonly submitted: Set<string> = new Set();
  /** Whether models may answer what a call has paused for (`autoResumeSuspendedTools`). */
  modelsAnswer = false;
  /** Whether its owner may be stored, for other processes. */
  #isOwned: boolean;

  constructor(
    by: HookedAgent,
    about: AgentRunOptions,
    { resumes, isChosen = false }: Opening,
    defaults: RunOptions,
    given: RunOptions,
  ) {
    super(by.registries, about);
    this.by = by;
    this.approvals = new Approvals(this);
    this.tools = new RunTools(by.registries, () => by.runs.get(this.id) ?? this);
    this.given = given;
    this.restored = resumes;
    this.#context = given.requestContext ?? defaults.requestContext;
    const stopWhen = given.stopWhen ?? defaults.stopWhen;
    const limit = stopWhen === undefined ? DEFAULT_MAX_STEPS : undefined;
    this.limit = given.maxSteps ?? defaults.maxSteps ?? limit;
    this.#isOwned = hasPrincipals(by) && (resumes || isChosen);
  }

  /** The model that the agent is configured with, as the user gave it. */
  configuredModel(): Promise<unknown> {
    this.#configured ??= configuredModel(this.by.agent, this.#context);
    return this.#configured;
  }

  /** Stores its owner once, for other processes. Call it before Mastra stores that the run is paused. */
  async storeOwner(): Promise<void> {
    if (this.#isOwned || !hasPrincipals(this.by)) return;
    await storeOwner(this.by.agent, this);
    this.#isOwned = true;
  }

  /** Removes the stored owner, because the run is over. Mastra keeps a paused run that it could not resume. */
  async removeOwner(): Promise<void> {
    const { agent } = this.by;
    if (!this.#isOwned || (await isStored(agent, this.id))) return;
    const owner = await storedOwner(agent, this.id);
    if (owner && isSamePrincipal(owner.principal, this.principal)) await removeOwner(agent, this.id);
  }
}

/** The runs that wait for people. */
export const pausedRuns: PausedRuns<MastraRun> = new PausedRuns();

/** What a paused run of an agent is found by. Another agent may be given a run of the same id. */
function pauseKey(hooked: HookedAgent, id: string): PauseKey {
  return { of: hooked, id };
}

/** A run of the agent that is in progress or paused in this process. */
export function knownRun(hooked: HookedAgent, id: string): MastraRun | undefined {
  return hooked.runs.get(id) ?? pausedRuns.peek(pauseKey(hooked, id));
}

/** Whether runs of the agent have owners. */
function hasPrincipals({ registries }: HookedAgent): boolean {
  return registries.option('principal') !== undefined;
}

/** The caller of a sub-agent. */
export interface Caller {
  readonly parent: MastraRun;
  readonly callId: string;
}

/** A run that may start or resume. */
export interface Opening {
  readonly id: string;
  readonly resumes: boolean;
  /** Whether it was given its id, which another run may be given, too. */
  readonly isChosen?: boolean;
  /** Whether it cannot resume, because Mastra has stored no run of that id. */
  readonly isMissing?: boolean;
  readonly thread?: string | undefined;
  readonly principal: Principal | undefined;
}

/**
 * Finds out which run is to start or resume, and checks whose it is.
 *
 * @throws HooksError `INVALID_INPUT` if it belongs to another principal or memory thread
 */
export async function findRun(
  hooked: HookedAgent,
  defaults: RunOptions,
  options: RunOptions,
  resumes: boolean,
  parent: MastraRun | undefined,
  suspended: FindSuspended,
): Promise<Opening> {
  const { agent, registries } = hooked;
  const chosen = options.runId ?? defaults.runId;
  const id = chosen ?? mintRunId(agent);
  const principal = principalIn(registries, options.requestContext ?? defaults.requestContext, parent);
  const known = resumes ? knownRun(hooked, id) : undefined;
  if (known !== undefined && parent === undefined) checkThread(known, options);
  // A client may choose the id of a run, and a new run ends a paused one of the same id. What a client says was suspended
  // may name any run as that of a sub-agent.
  const given = { id, resumes, principal };
  const isMissing = (resumes || chosen !== undefined) && (await checkOwner(hooked, given));
  if (known !== undefined && known.session.state !== 'closed') return { ...given, thread: known.sessionId };
  const stored = resumes ? await storedThread(suspended) : undefined;
  const thread = threadOf(options, defaults) ?? stored;
  const opening: Opening = { ...given, isChosen: chosen !== undefined, isMissing, thread };
  // Mastra gives the thread of a sub-agent.
  if (parent === undefined && stored !== undefined && thread !== stored)
    refuseOwner(opening, 'another memory thread');
  if (!resumes && chosen !== undefined && hasPrincipals(hooked)) await storeOwner(agent, opening);
  return opening;
}

/** Opens a run, in the session of its memory thread or in its own. Continues a paused run. */
export async function openRun(
  hooked: HookedAgent,
  opening: Opening,
  defaults: RunOptions,
  options: RunOptions,
  { parent, callId: parentCallId }: Partial<Caller> = {},
): Promise<MastraRun> {
  const { id, resumes, thread, principal } = opening;
  const { registries, runs } = hooked;
  const signal = options.abortSignal ?? defaults.abortSignal;
  const resumed = resumes && goOn(hooked, opening, { sessionId: thread, principal, parent }, signal);
  if (resumed) return resumed;
  pausedRuns.forget(pauseKey(hooked, id));
  const about: AgentRunOptions = {
    id,
    sessionId: thread ?? id,
    // The thread of a sub-agent is made for the one task.
    ownsSession: thread === undefined || (parent !== undefined && parent.session.id !== thread),
    source: resumes ? 'resume' : 'startup',
    agent: hooked.agent.name,
    principal,
    parent,
    parentCallId,
    signal,
    maxContinuations: registries.maxContinuations,
  };
  const run = new MastraRun(hooked, about, opening, defaults, options);
  await run.begin();
  runs.set(id, run);
  return run;
}

/** Resumes a paused run of this process, or one that another answer has resumed and that is in progress. */
function goOn(
  hooked: HookedAgent,
  opening: Opening,
  owner: ResumeOwner,
  signal: AbortSignal | undefined,
): MastraRun | undefined {
  const { id } = opening;
  const { registries: hookedBy, runs } = hooked;
  const { run: resumed, why } = pausedRuns.resume([pauseKey(hooked, id)], { ...owner, hookedBy, signal });
  if (why === 'other_principal') refuseOwner(opening, 'another principal');
  if (resumed !== undefined) runs.set(id, resumed);
  else runs.get(id)?.resume(signal);
  return runs.get(id);
}

/** Who answers in another thread resumes no run. */
function checkThread({ id, session }: MastraRun, options: RunOptions): void {
  const thread = threadOf(options, {});
  if (thread !== undefined && thread !== session.id)
    refuseOwner({ id, resumes: true }, 'another memory thread');
}

/**
 * A run id alone resumes no run, whichever agent or process has paused it. Both what this process knows and what is stored
 * must agree, because a later run may have the same id.
 *
 * @returns whether no run can be resumed, because Mastra has stored none. Not checked without the `principal` option.
 */
async function checkOwner(
  hooked: HookedAgent,
  opening: Pick<Opening, 'id' | 'resumes' | 'principal'>,
): Promise<boolean> {
  const { agent } = hooked;
  const { id, resumes, principal } = opening;
  const known = knownRun(hooked, id) ?? pausedRuns.peek(id);
  if (known !== undefined) {
    const stored = await storedOwner(agent, id);
    const isTheirs = known.isFor(principal) && (!stored || known.isFor(stored.principal));
    return isTheirs ? false : refuseOwner(opening, 'another principal');
  }
  if ((await checkStored(agent, opening)) || !hasPrincipals(hooked)) return false;
  if (await isStored(agent, id)) refuseOwner(opening, 'an unknown principal, because it began without hooks');
  // Mastra would wait for one, and it could be anybody's.
  return resumes && !(await isStored(agent, id, DURABLE_RUNS));
}

/**
 * Checks that no run of another principal is stored under the id. Call it again as a run starts: another process may have started
 * one under that id at the same time.
 *
 * @returns whether an owner is stored
 * @throws HooksError `INVALID_INPUT` if a run of that id belongs to another principal
 */
export async function checkStored(
  agent: AnyAgent,
  opening: Pick<Opening, 'id' | 'resumes' | 'principal'>,
): Promise<boolean> {
  const stored = await storedOwner(agent, opening.id);
  if (stored && !isSamePrincipal(stored.principal, opening.principal))
    refuseOwner(opening, 'another principal');
  return stored !== undefined;
}

function refuseOwner({ id, resumes }: Pick<Opening, 'id' | 'resumes'>, whose: string): never {
  refuseRun(
    403,
    resumes
      ? `The run "${id}" cannot be resumed here: it belongs to ${whose}. Resume it with the request context and memory that it was started with.`
      : `No run can start under the id "${id}": a run of that id belongs to ${whose}. Start it under another id (runId), or under none.`,
  );
}

/** Keeps a run that waits for a person. */
export function keepPaused(run: MastraRun): void {
  const { by, id } = run;
  by.runs.delete(id);
  // `pendingApprovals` is told of the run, and not of its agent.
  pausedRuns.keep(run, [pauseKey(by, id), id]);
}

/** Forgets a run that is over. */
export function forgetRun({ by, id }: MastraRun): void {
  by.runs.delete(id);
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
