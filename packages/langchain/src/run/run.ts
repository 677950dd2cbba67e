import {
  type Approver,
  type Hooks,
  type Principal,
  type Session,
  type SessionKey,
  sessionKey,
} from '@hooks/core';
import { AgentRun, type AgentRunOptions, forgetRun, principalFor } from '@hooks/core/adapter';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ambientConfig, threadId, type Whereabouts } from '../config.ts';
import { agentName } from '../internals.ts';
import { attachedOf, type Registries } from '../registries.ts';

/** One run of a hooked agent, from a prompt to its answer: what its middleware and its hooked tools share. */
export class HookedRun extends AgentRun {
  /** The agent whose run it is: one that runs inside a tool of another inherits the other's config. */
  owner: object;
  /** Something in it waits for a person. */
  waits = false;
  /** The calls that hooks are being asked about, where one of them may have to wait for a person. */
  readonly deciding: Deciding = new Deciding();

  /** What the model answered last. */
  response = '';
  readonly approvers: Map<Approver, Approver>;

  constructor(registries: Registries, owner: object, options: AgentRunOptions) {
    const approvers = new Map<Approver, Approver>();
    super(attachedOf(registries, approvers), options);
    this.approvers = approvers;
    this.owner = owner;
  }
}

// LangGraph copies neither objects nor names with two underscores into metadata, events or checkpoints.
const RUNS = '__hooks_runs';

function runsIn(config: Whereabouts | undefined): ReadonlyMap<Hooks, HookedRun> | undefined {
  const runs: unknown = config?.configurable?.[RUNS];
  return runs instanceof Map ? runs : undefined;
}

/** The run of a registry that a config belongs to, where it was started through the adapter. */
export function runOf(hooks: Hooks, config: Whereabouts | undefined): HookedRun | undefined {
  return runsIn(config)?.get(hooks);
}

/** A config that carries a run, beside those of other registries. */
export function withRun(config: Whereabouts | undefined, run: HookedRun): Whereabouts {
  const runs = new Map(runsIn(config) ?? runsIn(ambientConfig()));
  for (const { hooks } of run.registries) runs.set(hooks, run);
  return { ...config, configurable: { ...config?.configurable, [RUNS]: runs } };
}

/** Where a middleware is. */
export interface RunSeat {
  /** All registries that hook the agent, outermost first. */
  readonly registries: Registries;
  /** Identifies the agent. */
  readonly owner: object;
  readonly maxContinuations: number | undefined;
}

const CURRENT: SessionKey<Map<string, HookedRun>> = sessionKey('@hooks/langchain/runs');

/** How many runs of a session are known at most, since of some nobody hears that they are over. */
const MAX_RUNS = 1000;

/**
 * The run that a middleware is in. One that was not started through the adapter's own agent is recognized by the message that
 * it answers.
 */
export function runFor(
  { registries, owner, maxContinuations }: RunSeat,
  config: Whereabouts | undefined,
  messages: readonly BaseMessage[],
): HookedRun {
  const [{ hooks }] = registries;
  const outer = runOf(hooks, config);
  if (outer?.owner === owner) return outer;
  const id = promptId(messages);
  const thread = threadId(config);
  const sessionId = thread === undefined || isInherited(thread, outer) ? `langchain-${id}` : thread;
  const session = hooks.session(sessionId, outer && { parent: outer.session });
  const runs = session.get(CURRENT, () => new Map());
  const agent = agentName(ambientConfig());
  const key = JSON.stringify([agent, id]);
  const known = runs.get(key);
  if (known !== undefined) return known;
  forgetOld(runs, session);
  const run = new HookedRun(registries, owner, {
    id,
    sessionId,
    agent,
    principal: principalIn({ ...config, ...contextAround() }, registries, outer),
    parent: outer,
    maxContinuations,
  });
  runs.set(key, run);
  return run;
}

/** The context of the graph that is running: what a middleware is given has only the fields of its own schema. */
function contextAround(): Pick<Whereabouts, 'context'> {
  const ambient: Whereabouts | undefined = ambientConfig();
  return ambient?.context === undefined ? {} : { context: ambient.context };
}

/** For whom a run is that begins in a config, or a call outside of any run. */
export function principalIn(
  config: Whereabouts | undefined,
  registries: Registries,
  parent: AgentRun | undefined,
): Principal | undefined {
  return principalFor(
    registries.map(({ options }) => options),
    { context: config?.context, configurable: config?.configurable ?? {} },
    parent,
  );
}

/** Makes room for another run. */
function forgetOld(runs: Map<string, HookedRun>, session: Session): void {
  for (const [key, run] of runs) {
    if (!run.over && runs.size < MAX_RUNS) continue;
    runs.delete(key);
    if ([...runs.values()].every(({ id }) => id !== run.id)) forgetRun(session, run.id);
  }
}

/** Whether a thread is that of a run further out, whose config reaches in here: a sub-agent has a session of its own. */
export function isInherited(thread: string | undefined, outer: AgentRun['parent']): boolean {
  for (let run = outer; run !== undefined; run = run.parent) if (run.session.id === thread) return true;
  return false;
}

/** The id of a message with which a Stop hook has a run go on; it tells the run. */
export function continuationId(run: HookedRun): string {
  return `${run.id}~continued-${run.continuations}`;
}

function promptId(messages: readonly BaseMessage[]): string {
  const last = messages.findLast((message) => HumanMessage.isInstance(message)) ?? messages[0];
  return last?.id?.replace(/~continued-\d+$/, '') ?? 'start';
}

/**
 * Counts the calls of a run whose hooks have not decided yet. A call waits for the others before it pauses for a person,
 * because a hook of theirs may end the run.
 */
export class Deciding {
  #calls = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Starts the decision about a call.
   *
   * @returns ends it: the tool runs, a person is asked, or the call is over. Calling it again has no effect
   */
  begin(): () => void {
    let decided = false;
    this.#calls++;
    return () => {
      if (decided) return;
      decided = true;
      this.#calls--;
      if (this.#calls === 0) for (const resume of this.#waiting.splice(0)) resume();
    };
  }

  /** Resolves once all calls are decided, in the order of the callers. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#calls === 0) resolve();
      else this.#waiting.push(resolve);
    });
  }
}
