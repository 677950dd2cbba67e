/**
 * Every use of a private part of LangChain and LangGraph. `test/internals.test.ts` has a test for each, which fails when a new
 * version moves it.
 */
import type { ModelSettings } from '@hooks/core';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ambientConfig, type Whereabouts } from './config.ts';

/** LangGraph's record of the values that a node was resumed with. */
interface Scratchpad {
  readonly resume?: readonly unknown[];
  readonly nullResume?: unknown;
  /** The index of the last value that was used. */
  readonly interruptCounter?: number;
  /** The node's input: the state of the graph, or what a `Send` gave it. */
  readonly currentTaskInput?: unknown;
}

/** What LangGraph puts into the config of a node. */
interface NodeConfig {
  readonly thread_id?: unknown;
  readonly checkpoint_ns?: string;
  readonly checkpoint_map?: { readonly [namespace: string]: string };
  readonly __pregel_task_id?: string;
  readonly __pregel_scratchpad?: Scratchpad;
  readonly __pregel_resume_map?: object;
  readonly __pregel_resuming?: boolean;
  readonly __pregel_checkpointer?: Memory;
}

function nodeConfig(config: Whereabouts | undefined): NodeConfig {
  return { ...config?.configurable };
}

/** The node of a graph that a config belongs to. */
export function nodeOf(config: Whereabouts | undefined): string | undefined {
  return nodeConfig(config).checkpoint_ns || undefined;
}

/** The namespace of a graph that runs inside a node of another. LangGraph makes a new one for each run of that node. */
export function graphAround(config: Whereabouts | undefined): string | undefined {
  return nodeOf(config)?.split('|').slice(0, -1).join('|') || undefined;
}

/** The objects that LangGraph creates for each run of an outermost graph, unless the caller passes some, and that its nodes share. */
export function objectsOfRun(
  config: Whereabouts | undefined,
): readonly [control: object | undefined, writer: object | undefined] {
  const { control, writer } = Object(config);
  return [objectOf(control), objectOf(writer)];
}

function objectOf(value: unknown): object | undefined {
  return Object(value) === value ? Object(value) : undefined;
}

/** The agent's name, which `createAgent` puts into the config. */
export function agentName(config: Whereabouts | undefined): string | undefined {
  const name: unknown = config?.metadata?.['lc_agent_name'];
  return typeof name === 'string' ? name : undefined;
}

/** Whether the graph has a checkpointer, so that a node can pause. */
export function hasCheckpointer(config: Whereabouts | undefined): boolean {
  return nodeConfig(config).__pregel_checkpointer !== undefined;
}

/** The object that LangGraph creates for each execution of a node. */
export function scratchpadOf(config: Whereabouts | undefined): object | undefined {
  return nodeConfig(config).__pregel_scratchpad;
}

/** How often LangGraph has tried to run the node; undefined where a config of LangChain's own does not tell. */
export function attemptOf(config: Whereabouts | undefined): number | undefined {
  const { executionInfo } = Object(config);
  const attempt: unknown = Object(executionInfo).nodeAttempt;
  return typeof attempt === 'number' ? attempt : undefined;
}

/** The id of the running node's task, which is the same each time that the node resumes. */
export function taskOf(config: Whereabouts | undefined): string | undefined {
  return nodeConfig(config).__pregel_task_id;
}

/** The id of the thread's checkpoint, which changes with each step of the outermost graph. */
export function checkpointOf(config: Whereabouts | undefined): string | undefined {
  return nodeConfig(config).checkpoint_map?.[''];
}

/** Whether the running node may be one for several calls: createAgent with version `v1`. With `v2`, a `Send` starts a node for each. */
export function isSharedNode(config: Whereabouts | undefined): boolean {
  const path: unknown = config?.metadata?.['langgraph_path'];
  return Array.isArray(path) && path[0] === '__pregel_pull';
}

/** All values that a node was resumed with so far, in order. Reading them does not use them up. */
export function resumedWith(config: Whereabouts | undefined): readonly unknown[] {
  const { __pregel_scratchpad: { resume = [], nullResume } = {} } = nodeConfig(config);
  // LangGraph keeps an older value without an id when newer ones are given by interrupt id.
  return nullResume === undefined || isResumedById(config) ? resume : [...resume, nullResume];
}

/** Whether the running node may have paused before. */
export function isResumed(config: Whereabouts | undefined): boolean {
  return nodeConfig(config).__pregel_resuming === true || resumedWith(config).length > 0;
}

/** How many of those values the interrupts in this node have used. */
export function takenOf(config: Whereabouts | undefined): number {
  return (nodeConfig(config).__pregel_scratchpad?.interruptCounter ?? -1) + 1;
}

/** How many values the interrupts in this node can use until one pauses it. LangGraph may give one more than `resumedWith`. */
export function endOf(config: Whereabouts | undefined): number {
  const { resume = [], nullResume } = nodeConfig(config).__pregel_scratchpad ?? {};
  return resume.length + (nullResume === undefined ? 0 : 1);
}

/** The input of the running node. */
export function inputOfNode(config: Whereabouts | undefined): unknown {
  return nodeConfig(config).__pregel_scratchpad?.currentTaskInput;
}

/**
 * Whether a `Send` started the running node with messages that are not those of the graph's state. `jumpTo` starts nodes by a
 * `Send`, too, of the state as it is.
 */
export function isSentOther(config: Whereabouts | undefined, messages: readonly unknown[]): boolean {
  const path: unknown = config?.metadata?.['langgraph_path'];
  if (!Array.isArray(path) || path[0] !== '__pregel_push') return false;
  const read: unknown = Reflect.get(nodeConfig(config), '__pregel_read');
  const state: unknown = typeof read === 'function' ? read('messages') : undefined;
  return JSON.stringify(state) !== JSON.stringify(messages);
}

/** Whether the values were given by interrupt id. Otherwise every pending interrupt gets the same value. */
export function isResumedById(config: Whereabouts | undefined): boolean {
  return nodeConfig(config).__pregel_resume_map !== undefined;
}

/** Whether the run was resumed with a value for every pending interrupt, now or, where LangGraph has stored it, in an earlier run. */
export function isResumedForAll(config: Whereabouts | undefined): boolean {
  return !isResumedById(config) && nodeConfig(config).__pregel_scratchpad?.nullResume !== undefined;
}

/** Whether a value was given to this node's interrupt alone, by its id, when the run was resumed last. */
export function isGivenById(config: Whereabouts | undefined, value: unknown): boolean {
  const { __pregel_resume_map: values = {} } = nodeConfig(config);
  return Object.values(values).includes(value);
}

/** The values of this node's interrupts when it last paused, possibly in another process. */
export async function lastInterrupts(config: Whereabouts | undefined): Promise<readonly unknown[]> {
  const writes = await pendingWrites(config, graphAround(config) ?? '');
  return interruptsIn(writes.filter(([id]) => id === taskOf(config)));
}

/**
 * The values of all interrupts that wait in the thread, those in graphs inside its nodes included.
 *
 * @param given a value that the run was resumed with. Returns what waited when the first node looked: a call may have its answer
 * and be over before another one looks whose answer that is.
 */
export async function waitingInterrupts(
  config: Whereabouts | undefined,
  given?: unknown,
): Promise<readonly unknown[]> {
  const read = async (): Promise<readonly unknown[]> => waitingIn(await pendingWrites(config, ''));
  const [, run] = objectsOfRun({ ...config, ...ambientConfig() });
  const value = objectOf(given);
  if (value === undefined || run === undefined) return read();
  const runs = WAITED.get(value) ?? new WeakMap<object, Promise<readonly unknown[]>>();
  const waited = runs.get(run) ?? read();
  WAITED.set(value, runs.set(run, waited));
  return waited;
}

/** By the value, and by the writer of the run: a program may resume several runs with one value. */
const WAITED: WeakMap<object, WeakMap<object, Promise<readonly unknown[]>>> = new WeakMap();

/** The same where no node runs yet. */
export async function interruptsOfThread(
  memory: Memory | undefined,
  config: Whereabouts | undefined,
  thread: string,
): Promise<readonly unknown[]> {
  const configurable = {
    thread_id: thread,
    checkpoint_ns: '',
    checkpoint_id: config?.configurable?.['checkpoint_id'],
  };
  return waitingIn((await memory?.getTuple({ configurable }))?.pendingWrites ?? []);
}

/** The part of a checkpointer that tells what it has stored of a thread, and stores what tasks write. */
export interface Memory {
  getTuple(config: object): Promise<{ readonly pendingWrites?: readonly PendingWrite[] } | undefined>;
  putWrites(
    config: object,
    writes: readonly [channel: string, value: unknown][],
    task: string,
  ): Promise<void>;
  readonly serde?: Serde;
}

interface Serde {
  dumpsTyped(value: unknown): unknown;
  loadsTyped(type: string, data: never): unknown;
}

/** The task in whose name LangGraph stores what a run was resumed with. */
const NO_TASK = '00000000-0000-0000-0000-000000000000';

/**
 * Takes what the run was resumed with, without an interrupt's id, out of the checkpoints of the graph and of those around it.
 * LangGraph stores it before any node runs, and gives it to the next run of the thread.
 *
 * @returns false if it may still be there
 */
export async function forgetResume(config: Whereabouts | undefined): Promise<boolean> {
  const {
    __pregel_checkpointer: memory,
    thread_id,
    checkpoint_ns = '',
    checkpoint_map = {},
  } = nodeConfig(config);
  if (memory === undefined || !(await keepsUndefined(memory))) return false;
  const places = Object.keys(checkpoint_map).filter((namespace) => checkpoint_ns.startsWith(namespace));
  let found = 0;
  for (const namespace of places) {
    const configurable = { thread_id, checkpoint_ns: namespace, checkpoint_id: checkpoint_map[namespace] };
    const { pendingWrites = [] } = (await memory.getTuple({ configurable })) ?? {};
    const given = pendingWrites.find(([task, channel]) => task === NO_TASK && channel === '__resume__');
    if (given === undefined) continue; // LangGraph may not have stored it yet
    found++;
    if (given[2] === undefined) continue;
    try {
      await memory.putWrites({ configurable }, [['__resume__', undefined]], NO_TASK);
    } catch {
      return false; // so that the node pauses once more
    }
  }
  return found > 0 && found === places.length;
}

/** LangGraph takes a value that is undefined for none. Some serializers make another one of it, which would be an answer. */
async function keepsUndefined({ serde }: Memory): Promise<boolean> {
  if (serde === undefined) return false;
  try {
    const dumped: unknown = await serde.dumpsTyped(undefined);
    return (await Reflect.apply(serde.loadsTyped, serde, Object(dumped))) === undefined;
  } catch {
    return false;
  }
}

function waitingIn(writes: readonly PendingWrite[]): readonly unknown[] {
  const done = new Set(writes.flatMap(([task, channel]) => (UNFINISHED.has(channel) ? [] : task)));
  return interruptsIn(writes.filter(([task]) => !done.has(task)));
}

type PendingWrite = readonly [task: string, channel: string, value: unknown];

/** The channels of a task that has not finished. */
const UNFINISHED: ReadonlySet<string> = new Set([
  '__interrupt__',
  '__resume__',
  '__error__',
  '__scheduled__',
]);

/**
 * Reads of checkpoints under way, by the signal of the step, which its nodes share. A resumed step starts a node for each pending
 * call, all read the same at once, and what they read is as long as all their calls.
 */
const reading: WeakMap<AbortSignal, Map<string, Promise<readonly PendingWrite[]>>> = new WeakMap();

function pendingWrites(config: Whereabouts | undefined, namespace: string): Promise<readonly PendingWrite[]> {
  const { __pregel_checkpointer: checkpointer, thread_id, checkpoint_map = {} } = nodeConfig(config);
  const configurable = { thread_id, checkpoint_ns: namespace, checkpoint_id: checkpoint_map[namespace] };
  const read = async (): Promise<readonly PendingWrite[]> =>
    (await checkpointer?.getTuple({ configurable }))?.pendingWrites ?? [];
  const signal = config?.signal;
  if (signal === undefined) return read();
  const reads = reading.get(signal) ?? new Map<string, Promise<readonly PendingWrite[]>>();
  reading.set(signal, reads);
  const key = JSON.stringify(configurable);
  const underWay = reads.get(key) ?? read().finally(() => reads.delete(key));
  reads.set(key, underWay);
  return underWay;
}

function interruptsIn(writes: readonly PendingWrite[]): readonly unknown[] {
  const interrupts = writes.flatMap(([, channel, value]) =>
    channel === '__interrupt__' ? [value].flat() : [],
  );
  return interrupts.map((interrupt) => Reflect.get(Object(interrupt), 'value'));
}

/** Whether an error is LangGraph's control flow (an interrupt, a command to a parent graph), which must pass through. */
export function isControlFlow(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'is_bubble_up') === true;
}

/** Whether an error pauses the run. */
export function isPause(error: unknown): boolean {
  return isControlFlow(error) && 'interrupts' in Object(error);
}

/** The errors of LangGraph's recursion limit and LangChain's modelCallLimitMiddleware. */
const LIMITS: ReadonlySet<string> = new Set(['GraphRecursionError', 'ModelCallLimitMiddlewareError']);

/** Whether a run ended because it reached its limit of model calls. */
export function isLimit(error: unknown): error is Error {
  return error instanceof Error && LIMITS.has(error.name);
}

/** A LangGraph `Command`. */
export interface Command {
  readonly update?: unknown;
  readonly goto?: unknown;
}

/** Whether a value is a `Command`, including one from another copy of LangGraph. */
export function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'lg_name') === 'Command';
}

/**
 * Whether a tool's result is a `Command` that LangGraph would carry out. A tool may return what a server sent, and JSON can
 * have its shape: LangChain gives that to the model as text.
 */
export function isCommandResult(value: unknown): value is Command {
  return isCommand(value) && typeof Reflect.get(value, '_updateAsTuples') === 'function';
}

/** The members of models and tools that the adapter replaces. */
export const PRIVATE = {
  /** A tool's function, which `invoke` calls. */
  body: '_call',
  /** A chat model's answer as a whole. */
  answer: '_generate',
  /** Its answer in chunks. */
  chunks: '_streamResponseChunks',
  /** Its answer as events, which a provider may implement itself. */
  events: '_streamChatModelEvents',
  /** Creates the model that `initChatModel` was given by name. */
  instance: '_getModelInstance',
  /** The model inside a binding of tools or a config. */
  bound: 'bound',
} as const;

/** The function of a tool. */
export function bodyOf(tool: object): (...args: unknown[]) => unknown {
  return (...args) => Reflect.apply(Reflect.get(tool, PRIVATE.body), tool, args);
}

/** Whether a tool's `invoke` is that of StructuredTool, which calls `_call`. By shape, because a CommonJS copy counts, too. */
export function invokesBody(tool: object): boolean {
  if (typeof Reflect.get(tool, PRIVATE.body) !== 'function') return false;
  for (let owner: object | null = tool; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, 'invoke'))
      return Object.hasOwn(owner, 'call') && Object.hasOwn(owner, 'lc_namespace');
  }
  return false;
}

/**
 * The JSON of a value after LangGraph copied it into the task of a tool call, to recognize its copy: it assigns field by
 * field, so that `__proto__` is no field any more, and makes a `Send` of each object that looks like one. Undefined for what is
 * nested too deeply for JSON.
 */
export function jsonOfTask(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, asTask);
  } catch {
    return undefined;
  }
}

function asTask(key: string, nested: unknown): unknown {
  if (key === '__proto__') return undefined;
  if (typeof nested !== 'object' || nested === null || !('node' in nested) || !('args' in nested))
    return nested;
  const { node, args } = nested;
  return typeof node === 'string' && args !== undefined ? { lg_name: 'Send', node, args } : nested;
}

/** Keys with a meaning for LangGraph's serializer. An object with one of them may come back from a checkpoint as another one. */
const SERIALIZED: ReadonlySet<string> = new Set(['__proto__', 'lc', 'lg_name']);

/** Whether a checkpoint keeps plain data as it is. */
export function isStorable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !Object.is(value, -0);
  return Object.entries(value).every(([key, nested]) => !SERIALIZED.has(key) && isStorable(nested));
}

/** Whether a tool's `invoke` and `call` take this for a call, and run the tool with its `args`. */
export function isToolCall(input: unknown): input is ToolCallInput {
  return typeof input === 'object' && input !== null && Reflect.get(input, 'type') === 'tool_call';
}

interface ToolCallInput {
  readonly type: 'tool_call';
  readonly id?: string;
  readonly name?: string;
  readonly args: unknown;
}

/** What an agent adds to the config of its runs. Running its graph directly needs the same. */
export function agentConfig(name: string | undefined): RunnableConfig {
  return {
    metadata: {
      ls_integration: 'langchain_create_agent',
      ...(name !== undefined && { lc_agent_name: name }),
    },
    configurable: { ls_agent_type: 'root' },
  };
}

/** A copy of a `Command` that does nothing. LangChain has already recorded the original, from the middleware that returned it. */
export function emptied(command: Command): Command {
  return Object.assign(Object.create(Object.getPrototypeOf(command)), command, {
    update: undefined,
    goto: [],
    resume: undefined,
  });
}

/** The original of an error that LangChain wrapped because it passed through our middleware. */
export function unwrapped(error: unknown): unknown {
  const wrapped = error instanceof Error && Reflect.get(error, '~brand') === 'MiddlewareError';
  return wrapped && error.cause instanceof Error && PASSED.has(error.cause) ? error.cause : error;
}

/** Errors that passed through our middleware. */
const PASSED: WeakSet<object> = new WeakSet();

/** Rethrows an error from our middleware, so that `unwrapped` recognizes it. */
export function passed(error: unknown): never {
  if (error instanceof Error) PASSED.add(error);
  throw error;
}

/** The methods of a chat model that produce its answers. */
export interface ChatModel {
  invoke(...args: unknown[]): Promise<unknown>;
  _generate(messages: unknown, options: unknown): Promise<ChatResult>;
  _streamResponseChunks(messages: unknown, options: unknown): AsyncIterable<ChatGenerationChunk>;
}

/** Whether a model has these methods. */
export function isChatModel(model: object): model is ChatModel {
  return typeof Reflect.get(model, PRIVATE.answer) === 'function' && PRIVATE.chunks in model;
}

/** Whether a chat model implements streaming itself. */
export function streamsChunks(model: ChatModel): boolean {
  return model._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;
}

/** The default implementation, which turns chunks into events. */
export const eventsOfChunks: BaseChatModel['_streamChatModelEvents'] =
  BaseChatModel.prototype._streamChatModelEvents;

/** Methods that describe a chat model. All others lead to an answer. */
export const TELLS: ReadonlySet<PropertyKey> = new Set([
  'getLsParams',
  'getNumTokens',
  'invocationParams',
  '_identifyingParams',
  '_modelType',
  'serialize',
  'toJSON',
]);

/** Creates the model of `initChatModel`, which does so at the first call. */
export function chosenLater(model: object): ((...args: unknown[]) => Promise<object>) | undefined {
  const instance: unknown = Reflect.get(model, PRIVATE.instance);
  return typeof instance === 'function' ? (...args) => Reflect.apply(instance, model, args) : undefined;
}

/** The model inside a binding of tools or a config. */
export function boundModel(model: object): object | undefined {
  const bound: unknown = Reflect.get(model, PRIVATE.bound);
  return typeof bound === 'object' && bound !== null ? bound : undefined;
}

/** The same client with another model or other settings; undefined if it cannot be created again. */
export function modelWith(
  model: object,
  {
    model: name,
    settings = {},
  }: { readonly model?: string | undefined; readonly settings?: ModelSettings | undefined },
): object | undefined {
  const fields: unknown = Reflect.get(model, 'lc_kwargs');
  if (typeof fields !== 'object' || fields === null || !(PRIVATE.answer in model)) return undefined;
  const { temperature, maxTokens, reasoningEffort, reasoningVisible } = settings;
  const reasoning = {
    ...(reasoningEffort !== undefined && { effort: reasoningEffort === 'off' ? 'none' : reasoningEffort }),
    ...(reasoningVisible !== undefined && { summary: reasoningVisible ? 'auto' : undefined }),
  };
  const isReasoning = Object.keys(reasoning).length > 0;
  const own: unknown = Reflect.get(model, 'reasoning');
  const wanted = {
    ...(name !== undefined && { model: name }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(isReasoning && { reasoning: { ...Object(own), ...reasoning } }),
  };
  // `initChatModel` creates the client from this configuration.
  const chosen: unknown = PRIVATE.instance in model ? Reflect.get(fields, 'defaultConfig') : undefined;
  const changed =
    chosen === undefined
      ? { ...fields, ...wanted }
      : { ...fields, defaultConfig: { ...Object(chosen), ...wanted } };
  const made: unknown = Reflect.construct(model.constructor as new (fields: object) => object, [changed]);
  if (typeof made !== 'object' || made === null) return undefined;
  // What is chosen by its name has no client yet.
  return chosen === undefined && ignores(made, wanted) ? undefined : made;
}

/** Whether a client has ignored a setting: others name theirs differently, and fields that go to the provider as they are win. */
function ignores(
  client: object,
  wanted: {
    readonly temperature?: number;
    readonly maxTokens?: number;
    readonly reasoning?: { readonly effort?: string; readonly summary?: string | undefined };
  },
): boolean {
  const { temperature, maxTokens, reasoning } = wanted;
  const free: unknown = Reflect.get(client, 'modelKwargs');
  const sent: unknown = Object(free).temperature ?? Reflect.get(client, 'temperature');
  return (
    (temperature !== undefined && sent !== temperature) ||
    (maxTokens !== undefined && Reflect.get(client, 'maxTokens') !== maxTokens) ||
    (reasoning !== undefined && ignoresReasoning(client, reasoning))
  );
}

/** OpenAI's client sends nothing about reasoning to a model whose name it does not know as one that reasons. */
function ignoresReasoning(
  client: object,
  { effort, summary }: { readonly effort?: string; readonly summary?: string | undefined },
): boolean {
  if (Reflect.get(client, 'reasoning') === undefined) return true;
  const paramsOf: unknown = Reflect.get(client, 'invocationParams');
  if (typeof paramsOf !== 'function') return false;
  const params = Object(Reflect.apply(paramsOf, client, [{}]));
  const { effort: sent = params.reasoning_effort, summary: shown } = Object(params.reasoning);
  // A model that does not reason does not have to be told.
  const isEffortLost = effort !== undefined && sent !== effort && (effort !== 'none' || sent !== undefined);
  return isEffortLost || (summary !== undefined && shown !== summary);
}
