import { type Hooks, type ModelSettings, type Session, type SessionKey, sessionKey } from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Undecided } from '../approval/deciding.ts';
import type { BlockMark } from '../blocked.ts';

/** One run of a hooked agent, from a prompt to its answer: what its middleware and its hooked tools share. */
export interface HookedRun {
  readonly id: string;
  readonly session: Session;
  readonly agent: string | undefined;
  /** The session is the run's own, and closes with it. */
  readonly minted: boolean;
  /** The agent whose run it is: one that runs inside a tool of another inherits the other's config. */
  readonly owner: object;
  /** The run of the agent whose tool started this one. */
  readonly parent: HookedRun | undefined;
  /** How many model calls it has made. */
  iteration: number;
  /** The turn that is open: one model call with its tools. */
  turn: string | undefined;
  /** What hooks have made of its prompts. */
  prompts: Map<string, string> | undefined;
  lastUserMessage: string | undefined;
  /** How often a Stop hook has made it go on. */
  continuations: number;
  /** Why it is not to run at all. */
  refused: BlockMark | undefined;
  /** Why it is to end before its next model call. */
  stopped: BlockMark | undefined;
  /** The calls that hooks are being asked about, where one of them may have to wait for a person. */
  readonly undecided: Undecided;
  /** It has come to its end: no model call is to follow. */
  over: boolean;
  /** What `BeforeRun` hooks want of the model. */
  model: string | undefined;
  settings: ModelSettings | undefined;
}

/** The part of a LangGraph config that says where we are. */
export interface Whereabouts {
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  readonly signal?: AbortSignal | undefined;
}

// LangGraph copies neither objects nor names with two underscores into metadata, events or checkpoints.
const RUNS = '__hooks_runs';
const PARENT_CALL = '__hooks_parent_call';

/** Makes a run. */
export function makeRun({
  id,
  session,
  minted,
  agent,
  owner,
  parent,
}: Pick<HookedRun, 'id' | 'session' | 'minted' | 'agent' | 'owner' | 'parent'>): HookedRun {
  return {
    id,
    session,
    minted,
    agent,
    owner,
    parent,
    iteration: 0,
    turn: undefined,
    prompts: undefined,
    lastUserMessage: undefined,
    continuations: 0,
    refused: undefined,
    stopped: undefined,
    undecided: new Undecided(),
    over: false,
    model: undefined,
    settings: undefined,
  };
}

/** The run that a config belongs to, where it was started through the adapter. */
export function runOf(hooks: Hooks, config: Whereabouts | undefined): HookedRun | undefined {
  const runs: unknown = config?.configurable?.[RUNS];
  return runs instanceof Map ? (runs.get(hooks) as HookedRun | undefined) : undefined;
}

/** By agent and prompt: several may be at work in one thread. */
const CURRENT = sessionKey<Map<string, HookedRun>>('@hooks/langchain/runs');

/** How many runs of a session are known at most, since of some nobody hears that they are over. */
const MAX_RUNS = 1000;

/**
 * The run that a middleware is in. One that was not started through the adapter's own agent is told by the message that
 * it answers.
 */
export function runFor(
  hooks: Hooks,
  owner: object,
  config: Whereabouts | undefined,
  messages: readonly BaseMessage[],
): HookedRun {
  const outer = runOf(hooks, config);
  if (outer?.owner === owner) return outer;
  const id = promptId(messages);
  const thread = threadId(config);
  const session = hooks.session(
    thread === undefined || isInherited(thread, outer) ? `langchain-${id}` : thread,
    outer && { parent: outer.session },
  );
  const runs = session.get(CURRENT, () => new Map());
  const agent = agentName(ambientConfig());
  const key = JSON.stringify([agent, id]);
  const known = runs.get(key);
  if (known !== undefined) return known;
  forgetOld(runs, session);
  const run = makeRun({
    id,
    session,
    minted: false,
    agent,
    owner,
    parent: outer,
  });
  runs.set(key, run);
  return run;
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
export function isInherited(thread: string | undefined, outer: HookedRun | undefined): boolean {
  for (let run = outer; run !== undefined; run = run.parent) if (run.session.id === thread) return true;
  return false;
}

/** Whether a run of the session waits for a person. */
export const PAUSED: SessionKey<boolean> = sessionKey('@hooks/langchain/paused');

/** The id of a message with which a Stop hook has a run go on; it tells the run. */
export function continuationId(run: HookedRun): string {
  return `${run.id}~continued-${run.continuations}`;
}

function promptId(messages: readonly BaseMessage[]): string {
  const last = messages.findLast((message) => HumanMessage.isInstance(message)) ?? messages[0];
  return last?.id?.replace(/~continued-\d+$/, '') ?? 'start';
}

/** A config that carries a run, beside those of other registries. */
export function withRun(hooks: Hooks, config: Whereabouts | undefined, run: HookedRun): Whereabouts {
  const outer: unknown = config?.configurable?.[RUNS] ?? ambientConfig()?.configurable?.[RUNS];
  const runs = new Map<unknown, unknown>(outer instanceof Map ? outer : undefined).set(hooks, run);
  return { ...config, configurable: { ...config?.configurable, [RUNS]: runs } };
}

/** The config of what a tool's function does: hooked calls inside it know their parent. */
export function withParentCall(config: unknown, callId: string | undefined): unknown {
  if (callId === undefined || typeof config !== 'object' || config === null) return config;
  const { configurable } = config as Whereabouts;
  return { ...config, configurable: { ...configurable, [PARENT_CALL]: callId } };
}

/** The call inside which a config is used, if any. */
export function parentCall(config: Whereabouts | undefined): string | undefined {
  const id: unknown = config?.configurable?.[PARENT_CALL];
  return typeof id === 'string' ? id : undefined;
}

/** The config of the node or tool that is running, if any. */
export function ambientConfig(): RunnableConfig | undefined {
  return AsyncLocalStorageProviderSingleton.getRunnableConfig();
}

/** The node that is running, if any: each time that a graph comes to a node, it is another one. */
export function nodeOf(config: Whereabouts | undefined): string | undefined {
  const namespace: unknown = config?.configurable?.['checkpoint_ns'];
  return typeof namespace === 'string' && namespace !== '' ? namespace : undefined;
}

/** The thread's id, where the caller gave one. */
export function threadId(config: Whereabouts | undefined): string | undefined {
  const id: unknown = config?.configurable?.['thread_id'];
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined;
}

/** The agent's name, as `createAgent` puts it into the config. */
export function agentName(config: Whereabouts | undefined): string | undefined {
  const name: unknown = config?.metadata?.['lc_agent_name'];
  return typeof name === 'string' ? name : undefined;
}

/** A new id for a run. */
export function mintRunId(): string {
  return `run-${crypto.randomUUID()}`;
}
