/**
 * The parts of Mastra that this adapter uses beyond the documented API. `test/internals.test.ts` checks each against
 * the newest version and the lowest that the peer range allows, and names the one that a version has changed.
 */

import type { MastraDBMessage } from '@mastra/core/agent';
import { mastraDBMessageToSignal } from '@mastra/core/signals';
import type { ToolHooks } from '@mastra/core/tools';
import type { AnyAgent, Snapshots, Tools } from './agent.ts';
import type { ApprovalParts } from './approval/own-approval.ts';
import type { CallContext, Write } from './tool/context.ts';

/** The tools as a run calls them, by the names that the model sees. */
type CoreTools = Readonly<Record<string, CoreTool>>;

/** A tool as a run calls it. */
export interface CoreTool extends ApprovalParts {
  readonly execute?: (input: unknown, context?: CallContext) => unknown;
}

/** Where an agent assembles the tools of a run. Mastra's types keep it private. */
export interface Assembly {
  /** The agent's own tools as a run calls them. */
  listAssignedTools(run: object): Promise<CoreTools>;
  /** The same for the toolsets of a run. */
  listToolsets(run: { readonly toolsets?: Readonly<Record<string, Tools>> | undefined }): Promise<CoreTools>;
  /** Puts native hooks around all tools of a run, including those that Mastra creates itself. */
  wrapToolsWithHooks(tools: CoreTools, hooks: ToolHooks | undefined): CoreTools;
}

/** Whether an agent assembles its tools as we expect. */
export function assembles(agent: object): agent is Assembly {
  return 'listAssignedTools' in agent && 'listToolsets' in agent && 'wrapToolsWithHooks' in agent;
}

/** Whether a processor brings tools that the agent does not list. */
export function loadsTools(processor: object): boolean {
  return 'getLoadedToolsForRequestContext' in processor;
}

/** Replaces an object's own method. */
export function replaceMethod<T extends object, K extends keyof T>(object: T, name: K, method: T[K]): void {
  Object.defineProperty(object, name, { value: method, configurable: true, writable: true });
}

/** A Mastra agent that can be copied for Mastra's editor. */
export interface Forkable extends AnyAgent {
  /** Whether Mastra replaces the agent with a durable one when it is registered. */
  readonly durable: unknown;
  /** A copy that can be changed without changing the agent. */
  __fork(): Forkable;
}

/** Whether it is Mastra's own agent. Other classes may implement `SubAgent`, but cannot be inspected. */
export function isForkable(agent: object): agent is Forkable {
  return '__fork' in agent && 'listTools' in agent && 'listAgents' in agent;
}

/** The agent behind a durable agent, which has the tools and sub-agents; any other agent itself. */
export function wrappedBy(agent: Forkable): Forkable {
  const { agent: inner }: { readonly agent?: unknown } & Forkable = agent;
  return typeof inner === 'object' && inner !== null && isForkable(inner) ? inner : agent;
}

/** The result of a streamed run. How it ended is known once it was read to the end. */
export interface Streaming {
  readonly status: unknown;
  readonly error: unknown;
  readonly tripwire: unknown;
  readonly finishReason: PromiseLike<unknown>;
  readonly text: PromiseLike<unknown>;
  /** Resolves when the stream was read to its end. Reads nothing itself. */
  _waitUntilFinished(): Promise<void>;
}

/** Whether a run was streamed. */
export function isStreaming(output: unknown): output is Streaming {
  return typeof output === 'object' && output !== null && '_waitUntilFinished' in output;
}

const TOOL_MARK = Symbol.for('mastra.core.tool.Tool');

/** Whether `createTool` created the tool. Such a tool checks its input itself. */
export function checksItself(tool: object): boolean {
  return TOOL_MARK in tool;
}

/** The names of tools that Mastra creates itself. It removes these names from the tools that it is given. */
export function madeOf(toolName: string): 'agent' | 'workflow' | undefined {
  if (toolName.startsWith('agent-')) return 'agent';
  return toolName.startsWith('workflow-') ? 'workflow' : undefined;
}

/**
 * How a model wants a call to be run. Models write it among the arguments, and Mastra removes it before the tool gets
 * them.
 */
const WISHES: ReadonlySet<string> = new Set([
  '_background',
  'resumeData',
  'suspendedToolCallId',
  'suspendedToolRunId',
]);

/** The arguments that the model wrote for the tool itself. */
export function argumentsOf(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written;
  const fields = Object.entries(written);
  const own = fields.filter(([field]) => !WISHES.has(field));
  return own.length === fields.length ? written : Object.fromEntries(own);
}

/** The fields that Mastra adds to the arguments of tools that it creates itself; to those of an agent also its thread. */
const RESUMED = 'suspendedToolRunId';
const ADDED: { readonly [made in 'agent' | 'workflow']: readonly string[] } = {
  agent: ['threadId', 'resourceId', RESUMED],
  workflow: [RESUMED],
};

/** The fields of a call's input that Mastra has added to what the model wrote. All others are the model's. */
export function addedFields(toolName: string, input: unknown, written: unknown): readonly string[] {
  const made = madeOf(toolName);
  if (made === undefined) return [];
  return ADDED[made].filter(
    (field) => Object.hasOwn(Object(input), field) && !Object.hasOwn(Object(written), field),
  );
}

/** The name that an agent gives to a tool. Models take no others, so Mastra changes names that do not fit. */
export function modelName(key: string): string {
  const plain = key.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  return (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, 63);
}

/** Whether a message was sent to the thread (`agent.sendMessage`), to a run in progress or one that it starts. */
export function isSent({ role }: MastraDBMessage): boolean {
  return role === 'signal';
}

/** Whether a message is the user's own. Mastra's packages and processors send messages, too. */
export function isOfUser(message: MastraDBMessage): boolean {
  return isSent(message) ? mastraDBMessageToSignal(message).type === 'user' : message.role === 'user';
}

/**
 * The ids of the messages that Mastra itself sends to a run as it starts. A message of the same role that a client has posted is data,
 * without methods.
 */
export function sentByMastra(messages: unknown): ReadonlySet<string> {
  const sent = [messages].flat().flatMap((one) => {
    const { id, toLLMMessage }: { readonly id?: unknown; readonly toLLMMessage?: unknown } = Object(one);
    return typeof toLLMMessage === 'function' && typeof id === 'string' ? [id] : [];
  });
  return new Set(sent);
}

/** How many model calls Mastra allows a run without a limit. */
export const DEFAULT_MAX_STEPS = 5;

/** In a stream Mastra starts tools early. This error hands back one that pauses, to be run again later. */
export function isEagerHandback(error: unknown): boolean {
  return error instanceof Error && error.name === 'EagerToolExecutionNotRun';
}

/** Whether the run is unchanged, because the resume data was for a call that does not wait. */
export function isNotResumed(error: unknown): boolean {
  return error instanceof Error && 'id' in error && error.id === 'AGENT_RESUME_TOOL_CALL_NOT_SUSPENDED';
}

/** The error that the tool threw, without Mastra's wrapper. */
export function thrownByTool(error: unknown): unknown {
  const wrapped = error instanceof Error && 'id' in error && error.id === 'TOOL_EXECUTION_FAILED';
  return wrapped && error.cause !== undefined ? error.cause : error;
}

/** Passes what a tool writes to the stream to `take`. Mastra creates a writer for each call. */
export function interceptWrites(context: CallContext | undefined, take: Write): void {
  const { writer = {}, agent = {} } = context ?? {};
  const stream: { writeFn?: Write | undefined } = writer;
  if (stream.writeFn !== undefined) stream.writeFn = take;
  for (const part of [agent, context]) if (part?.outputWriter !== undefined) part.outputWriter = take;
}

/** The context of a call for one that is made inside it, so that their writes can be told apart. */
export function innerContext(context: CallContext): CallContext {
  const { writer, agent } = context;
  const { writeFn }: { readonly writeFn?: unknown } = writer ?? {};
  return {
    ...context,
    ...(agent && { agent: { ...agent } }),
    // Mastra's stream of a tool is made of what it is called, and of where its writes go.
    ...(writer &&
      writeFn !== undefined && { writer: Reflect.construct(writer.constructor, [writer, writeFn]) }),
  };
}

/** Where Mastra stores runs. Undefined without a storage. */
export async function workflowsOf(agent: AnyAgent): Promise<Snapshots | undefined> {
  return agent.getMastraInstance()?.getStorage()?.getStore('workflows');
}

/** The name under which Mastra stores the paused runs of agents. */
export const RUNS = 'agentic-loop';

/** The same of durable agents. */
export const DURABLE_RUNS = 'durable-agentic-loop';

/** The name under which Mastra stores what has become of a model's answer in a run. */
export const ANSWERS = 'executionWorkflow';

interface CallsStep {
  readonly payload?: unknown;
  readonly suspendPayload?: { readonly __workflow_meta?: { readonly foreachOutput?: unknown } };
}

/** The calls of an answer and what has become of those that have begun, as Mastra stores them. */
export function storedCallsIn(context: object): { readonly calls: unknown; readonly outputs: unknown } {
  const { toolCallStep }: { readonly toolCallStep?: CallsStep } = context;
  return {
    calls: toolCallStep?.payload,
    outputs: toolCallStep?.suspendPayload?.__workflow_meta?.foreachOutput,
  };
}

/** Where a server puts a request's memory thread into its context; no option of the run displaces it. */
export const THREAD_KEY = 'mastra__threadId';

/** Lists the processors that a memory adds to those of an agent. */
export type ListProcessors = (...given: readonly unknown[]) => Promise<unknown[]>;

/** A memory, as far as this adapter uses it. */
export interface ObservingMemory {
  readonly getInputProcessors: ListProcessors;
  readonly getOutputProcessors: ListProcessors;
}

/** Whether a memory may have observational memory: one that does not tell of its configuration may. */
export function mayObserve(memory: object): memory is ObservingMemory {
  if (!('getInputProcessors' in memory && 'getOutputProcessors' in memory)) return false;
  if (!('getMergedThreadConfig' in memory) || typeof memory.getMergedThreadConfig !== 'function') return true;
  const { observationalMemory } = Object(memory.getMergedThreadConfig());
  return Boolean(observationalMemory);
}

/** The processor that `@mastra/memory` makes of its observational memory. */
export interface ObservationalProcessor {
  readonly engine: Engine;
}

/** Observational memory itself, as far as this adapter uses it. */
export interface Engine {
  readonly scope: 'thread' | 'resource';
  readonly observer: Observer;
  /** Writes observations of what is too much, and takes them into use. */
  observe(options: Stretch): Promise<{ readonly observed: boolean; readonly record: ObservationRecord }>;
  /** Writes observations ahead of time, beside the run. */
  buffer(options: Stretch): Promise<{ readonly buffered: boolean; readonly record: ObservationRecord }>;
  /** Takes those into use that were written ahead of time. */
  activate(options: Stretch): Promise<{ readonly activated: boolean; readonly record: ObservationRecord }>;
  getStatus(options: Stretch): Promise<ObservationStatus>;
  getObservationConfig(): { readonly instruction?: string };
}

/** A part of a conversation. */
export interface Stretch {
  readonly threadId: string;
  readonly resourceId?: string;
  readonly messages?: readonly MastraDBMessage[];
  readonly trigger?: string;
}

/** How much of it waits to be observed. */
interface ObservationStatus {
  readonly pendingTokens: number;
  readonly record: ObservationRecord;
}

/** What was observed so far. */
export interface ObservationRecord {
  readonly activeObservations?: string;
  readonly observationTokenCount?: number;
}

/** What writes observations. */
export interface Observer {
  call(...given: readonly unknown[]): Promise<{ readonly observations: string }>;
}

/** Whether a processor is that of observational memory. */
export function isObservational(processor: unknown): processor is ObservationalProcessor {
  return (
    typeof processor === 'object' &&
    processor !== null &&
    'id' in processor &&
    processor.id === 'observational-memory' &&
    'engine' in processor
  );
}
