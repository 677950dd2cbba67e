import { type Hooks, HooksError, type Principal, type SessionKey, sessionKey } from '@hooks/core';
import { AgentRun, type AgentRunOptions } from '@hooks/core/adapter';
import type { BaseMessage } from '@langchain/core/messages';
import { ambientConfig, threadId, type Whereabouts } from '../config.ts';
import { agentName, graphAround, objectsOfRun } from '../internals.ts';
import type { NativeRun } from '../options.ts';
import { outermost, type Registries } from '../registries.ts';
import { speakerOf } from './input.ts';

/** A run of a hooked agent, from a prompt to its answer, for its middleware and its hooked tools. */
export class HookedRun extends AgentRun {
  /** Identifies the agent. An agent inside a tool of another inherits the other's config, but not its run. */
  owner: object;
  /** Whether something in it waits for a person. */
  waits = false;
  /** Whether its last model call has answered or failed, so that it is probably over. Not every end of a run is noticed. */
  hasAnswered = false;
  /** The calls that hooks have not decided yet, if any may wait for a person. */
  readonly deciding: Deciding = new Deciding();

  /** The model's last answer. */
  response = '';
  /** The messages that have been submitted, if the run was not started through the agent's own methods. */
  submitted: WeakSet<BaseMessage> | undefined;

  constructor(registries: Registries, owner: object, options: AgentRunOptions) {
    // Each call brings its approvers.
    super(registries.attached(noApprover), options);
    this.owner = owner;
  }
}

const noApprover = (): undefined => undefined;

// LangGraph copies neither objects nor names with two underscores into metadata, events or checkpoints.
const RUNS = '__hooks_runs';

function runsIn(config: Whereabouts | undefined): ReadonlyMap<Hooks, HookedRun> | undefined {
  const runs: unknown = config?.configurable?.[RUNS];
  return runs instanceof Map ? runs : undefined;
}

/** The run of a registry that a config belongs to, if it was started through the agent's own methods. */
export function runOf(hooks: Hooks, config: Whereabouts | undefined): HookedRun | undefined {
  return runsIn(config)?.get(hooks);
}

/** Adds a run to a config, which may have runs of other registries. */
export function withRun(config: Whereabouts | undefined, run: HookedRun): Whereabouts {
  const runs = new Map(runsIn(config) ?? runsIn(ambientConfig()));
  for (const { hooks } of run.registries) runs.set(hooks, run);
  return { ...config, configurable: { ...config?.configurable, [RUNS]: runs } };
}

/** The agent that a middleware belongs to. */
export interface RunSeat {
  /** All registries that hook the agent, outermost first. */
  readonly registries: Registries;
  /** Identifies the agent. */
  readonly owner: object;
}

/** By agent and message. Several agents with the same name, or none, may answer the same message. */
const CURRENT: SessionKey<Map<string, readonly HookedRun[]>> = sessionKey('@hooks/langchain/runs');

/** The maximum of remembered runs of a session, above which those that have answered are forgotten. */
const MAX_ANSWERED = 1000;
/** Above this, a run that was aborted or still waits is forgotten, too. Core refuses runs above 10,000. */
const MAX_RUNS = 9000;

/**
 * The run that a middleware belongs to. If it was not started through the agent's own methods, the message that it answers
 * identifies it.
 */
export function runFor(
  { registries, owner }: RunSeat,
  config: Whereabouts | undefined,
  messages: readonly BaseMessage[],
): HookedRun {
  const hooks = outermost(registries);
  const outer = runOf(hooks, config);
  if (outer?.owner === owner) return outer;
  const id = promptId(messages);
  const thread = threadId(config);
  const principal = registries.principal(nativeRun({ ...config, ...contextAround() }), outer);
  const sessionId = thread === undefined || isInherited(thread, outer) ? ownSession(config, outer) : thread;
  const session = hooks.session(sessionId, outer && { parent: outer.session });
  const runs = session.get(CURRENT, () => new Map());
  const agent = agentName(ambientConfig());
  const key = JSON.stringify([agent, id]);
  const answering: readonly HookedRun[] = runs.get(key) ?? [];
  const known = answering.filter((run) => registries.mayResume(run));
  const own = known.find((run) => run.isFor(principal));
  if (own !== undefined) {
    // They stand in the order of their use.
    runs.delete(key);
    runs.set(key, answering);
    return own;
  }
  // Without a thread, a message with the same id is the start of another run.
  if (thread === sessionId && known.some(({ over }) => !over)) refuseOther(sessionId);
  forgetOld(runs);
  const run = new HookedRun(registries, owner, {
    id,
    sessionId,
    agent,
    principal,
    parent: outer,
    maxContinuations: registries.maxContinuations,
  });
  run.submitted = new WeakSet();
  runs.set(key, [...answering, run]);
  return run;
}

/** By two objects that LangGraph creates for each run. A program may give one of them to all its runs. */
const EXECUTIONS: WeakMap<object, WeakMap<object, string>> = new WeakMap();

/**
 * Names the execution of a graph: one `invoke` or `stream` of it. All its nodes have the same name, and no other execution has.
 * Nothing in it comes from a client, which chooses the ids of its messages.
 */
function executionId(config: Whereabouts | undefined): string {
  const around = { ...config, ...ambientConfig() };
  const inside = graphAround(around);
  if (inside !== undefined) return inside;
  const [one, other] = objectsOfRun(around);
  if (one === undefined || other === undefined)
    throw new HooksError(
      'CONFIG_INVALID',
      'This run cannot be told from others: LangGraph has put neither a thread nor its `control` and `writer` into the config. Run the agent with `configurable: { thread_id }`.',
    );
  const named = EXECUTIONS.get(one) ?? new WeakMap<object, string>();
  EXECUTIONS.set(one, named);
  const id = named.get(other) ?? crypto.randomUUID();
  named.set(other, id);
  return id;
}

/** The session of a run without a thread of its own: that of the graph's execution. */
function ownSession(config: Whereabouts | undefined, outer: HookedRun | undefined): string {
  const execution = executionId(config);
  return `langchain-${outer === undefined ? execution : JSON.stringify([outer.session.id, execution])}`;
}

/** A paused run holds what its hooks decided for its own principal. */
export function refuseOther(thread: string): never {
  const error = new HooksError(
    'INVALID_INPUT',
    `The thread "${thread}" cannot be resumed here: its run belongs to another principal. Resume it with the context that the run was started with.`,
  );
  OTHER_PRINCIPAL.add(error);
  throw error;
}

const OTHER_PRINCIPAL: WeakSet<object> = new WeakSet();

/** Whether an error refuses to go on with the run of another principal. */
export function isOtherPrincipal(error: unknown): boolean {
  return error instanceof HooksError && OTHER_PRINCIPAL.has(error);
}

/** The context of the running graph. A middleware only gets the fields of its own schema. */
export function contextAround(): Pick<Whereabouts, 'context'> {
  const ambient: Whereabouts | undefined = ambientConfig();
  return ambient?.context === undefined ? {} : { context: ambient.context };
}

/** What the option `principal` gets. */
export function nativeRun(config: Whereabouts | undefined): NativeRun {
  return { context: config?.context, configurable: config?.configurable ?? {} };
}

/** For whom a call runs: a tool that is hooked by itself may know better than its run. */
export function principalOf(
  registries: Registries,
  run: HookedRun,
  config: Whereabouts | undefined,
): Principal | undefined {
  return registries.principalOfCall(run, nativeRun(config)) ?? run.principal;
}

/** Makes room for another run: forgets those that are over, and where there are too many, the least recently used. */
function forgetOld(current: Map<string, readonly HookedRun[]>): void {
  const forget = (isOld: (run: HookedRun) => boolean, most: number): void => {
    if (current.size < most) return;
    for (const [key, runs] of current) {
      if (!runs.every(isOld)) continue;
      current.delete(key);
      const kept = new Set([...current.values()].flat().map(({ id }) => id));
      for (const run of runs) if (!kept.has(run.id)) run.forget();
      if (current.size < most) return;
    }
  };
  forget(({ over }) => over, 0);
  forget(({ hasAnswered }) => hasAnswered, MAX_ANSWERED);
  forget(() => true, MAX_RUNS);
}

/** Whether a thread is inherited from the config of an outer run. A sub-agent has its own session. */
export function isInherited(thread: string | undefined, outer: AgentRun['parent']): boolean {
  for (let run = outer; run !== undefined; run = run.parent) if (run.session.id === thread) return true;
  return false;
}

/**
 * The id of the message with which a Stop hook continues a run. It contains the run's id. The history tells how many such
 * messages there are, because another process may have added some, and one with a known id would replace that.
 */
export function continuationId(run: HookedRun, messages: readonly BaseMessage[]): string {
  const before = messages.flatMap(({ id }) => {
    const [, of, nth] = id?.match(CONTINUED) ?? [];
    return of === run.id ? Number(nth) : [];
  });
  return `${run.id}~continued-${Math.max(-1, ...before) + 1}`;
}

const CONTINUED = /^(.*)~continued-(\d+)$/s;

function promptId(messages: readonly BaseMessage[]): string {
  const last = messages.findLast((message) => speakerOf(message) === 'user') ?? messages[0];
  return last?.id?.replace(CONTINUED, '$1') ?? 'start';
}

/**
 * Counts the calls of a run whose hooks have not decided yet. A call waits for the others before it pauses for a person,
 * because a hook of theirs may end the run.
 */
export class Deciding {
  #begun = 0;
  #calls = 0;
  readonly #waiting: { readonly nth: number; readonly resume: () => void }[] = [];

  /** Starts the decision about a call. */
  begin(): Decision {
    const nth = this.#begun++;
    let open = true;
    this.#calls++;
    const end = (): void => {
      if (open) this.#calls--;
      open = false;
      this.#resume();
    };
    const others = (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ nth, resume: resolve });
      // Not at once: the last call does not wait yet.
      queueMicrotask(end);
      return promise;
    };
    return { end, others };
  }

  /** Hooks decide in any order, but people are asked in that of the calls. */
  #resume(): void {
    if (this.#calls > 0) return;
    for (const { resume } of this.#waiting.splice(0).sort((one, other) => one.nth - other.nth)) resume();
  }
}

/** The decision about a call. */
export interface Decision {
  /** Ends it: the tool runs, or the call is over. Calling it again has no effect. */
  end(): void;
  /** Ends it, because a person is to be asked. Resolves once the other calls are decided, too, in the order of the calls. */
  others(): Promise<void>;
}
