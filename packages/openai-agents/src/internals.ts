import { BlockedError } from '@hooks/core/adapter';
import type { AgentInputItem, Model, Session } from '@openai/agents';

/*
 * What this package relies on of the SDK, written as structure: it works with any copy of the SDK (ESM or CommonJS)
 * and imports none. Methods, not properties, so that the SDK's generic types fit. What is private to the SDK (names that begin
 * with an underscore, hidden symbols, the text of a function) is used here or through the types here, and nowhere else;
 * test/internals.test.ts fails by name when a new version moves it.
 */

/** A run's context: one object from the first to the last call of a run. */
export interface SdkContext {
  /** The user's own. */
  context: unknown;
  /** One object for a run and the runs of its agents as tools. */
  readonly usage: object;
  /** By a tool's {@link approvalKey}: a plain name is taken for JSON that does not parse, which takes longer than a call. */
  isToolApproved(approval: {
    toolName: string;
    callId: string;
    /** Whose tool it is; without, what people have decided about the tools of all agents counts. */
    agent?: object | undefined;
  }): boolean | undefined;
  getRejectionMessage(toolName: string, callId: string): string | undefined;
}

/** What a function tool gets beside its input. */
export interface SdkDetails {
  readonly toolCall?: { readonly callId: string; readonly name: string; readonly arguments: string };
  /** Set where an agent-as-tool whose own run was interrupted is taken up again. */
  readonly resumeState?: string;
  readonly signal?: AbortSignal;
}

/** What the SDK invokes a tool with. */
export interface Invocation {
  readonly context: SdkContext;
  /** The arguments, as JSON. */
  readonly input: string;
  /** The very object that the SDK made: nested runs hang on hidden properties of it, and on the object itself. */
  readonly details: SdkDetails | undefined;
}

/** A function tool, and everything that the SDK makes one of: MCP tools and agents as tools. */
export interface SdkFunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly deferLoading?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly inputGuardrails?: readonly unknown[] | undefined;
  readonly outputGuardrails?: readonly unknown[] | undefined;
  readonly customDataExtractor?: ((extraction: never) => unknown) | undefined;
  invoke(context: unknown, input: string, details?: object): Promise<unknown>;
  needsApproval(context: unknown, input: unknown, callId?: string): Promise<boolean>;
}

/** Any tool of an agent. */
export interface SdkTool {
  readonly type: string;
  readonly name: string;
}

/** What a tool gave, as `toolUseBehavior` is shown it. */
export interface SdkToolResult {
  readonly type: string;
  readonly tool: SdkFunctionTool;
  readonly output?: unknown;
  readonly runItem: { readonly agent?: SdkAgent; readonly rawItem?: { readonly callId?: string } };
}

/** Whether a turn's tools have given the final output. */
export type SdkFinal = { isFinalOutput: false } | { isFinalOutput: true; finalOutput: string };

/** When a tool's output is the final output. */
export type SdkToolUse =
  | 'run_llm_again'
  | 'stop_on_first_tool'
  | { stopAtToolNames: string[] }
  | ((context: SdkContext, results: SdkToolResult[]) => SdkFinal | Promise<SdkFinal>);

/** An agent. */
export interface SdkAgent {
  readonly name: string;
  readonly tools: readonly SdkTool[];
  /** A name, or a model of its own. */
  model: string | Model;
  /** An {@link SdkToolUse}. */
  toolUseBehavior: unknown;
  readonly outputType: unknown;
  getAllTools(...args: never[]): unknown;
  clone(...args: never[]): unknown;
  on(event: 'agent_end', listener: (context: object) => void): unknown;
  on(event: 'agent_handoff', listener: (context: object, next: { readonly name: string }) => void): unknown;
}

/** A call that waits for a person. */
export interface SdkApprovalItem {
  readonly name: string | undefined;
  readonly arguments: string | undefined;
  readonly agent: { readonly name: string };
  readonly rawItem: {
    readonly type: string;
    readonly name?: string;
    readonly providerData?: { readonly arguments?: string };
  };
  /** Of a function tool's call: the tool's {@link approvalKey}. */
  readonly functionToolStateKey?: string | undefined;
}

/** A tool that a tool search has found. */
interface SdkFound {
  tool: SdkTool;
  readonly toolIndex: number;
  readonly entry: { readonly tools: SdkTool[] };
}

/** A call of a function tool in the turn that goes on. */
export interface SdkFunctionRun {
  tool: SdkFunctionTool;
  /** For which tool of which MCP server it is. */
  mcpToolBinding?: unknown;
}

/** A run between two calls of `run`: paused, or over. */
export interface SdkState {
  readonly _context: SdkContext;
  readonly _currentAgent: SdkAgent;
  readonly _conversationId: string | undefined;
  readonly _previousResponseId: string | undefined;
  readonly _lastProcessedResponse: { readonly functions: readonly SdkFunctionRun[] } | undefined;
  readonly history: AgentInputItem[];
  /** How many turns there were, and may be. */
  readonly _currentTurn: number;
  readonly _maxTurns: number | null;
  /** What the newest turn has come to; where that is the end, with the final output as text. */
  readonly _currentStep: { output?: string } | undefined;
  /** Who gave the final output: the turn, or one of the run's error handlers. */
  readonly _finalOutputSource: string | undefined;
  /** What tool searches have found for agents. */
  readonly _toolSearchRuntimeToolsByAgent: ReadonlyMap<
    SdkAgent,
    { readonly routedOwners: ReadonlyMap<string, SdkFound> }
  >;
  /** What users have said since the run has paused. */
  readonly _pendingInput: readonly AgentInputItem[];
  addInput(input: AgentInputItem[]): void;
  clearPendingInput(): void;
  getInterruptions(): readonly SdkApprovalItem[];
  approve(item: SdkApprovalItem): void;
  reject(item: SdkApprovalItem, options?: { message?: string }): void;
  toString(): string;
}

/** What a run gives: a plain result, or one that is still streamed. */
export interface SdkResult {
  readonly state: SdkState;
  readonly history: AgentInputItem[];
  readonly lastAgent: SdkAgent | undefined;
  readonly interruptions: readonly SdkApprovalItem[];
  /** Of a streamed result: settles when the run is over. */
  readonly completed?: Promise<void>;
  /** Of a streamed result: whether whoever read it has stopped it. */
  readonly cancelled?: boolean;
}

/** Options of a run, as far as they are looked at. */
export interface SdkRunOptions {
  readonly stream?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly session?: Session | undefined;
  readonly conversationId?: string | undefined;
  readonly previousResponseId?: string | undefined;
  readonly context?: unknown;
  readonly maxTurns?: number | null;
}

/** What a run is begun with. */
export type SdkInput = string | AgentInputItem[] | SdkState;

/** A runner's `run`. */
export type SdkRun = (agent: SdkAgent, input: SdkInput, options: SdkRunOptions) => Promise<SdkResult>;

/** The events of a streamed result, once. */
export function eventsOf(result: SdkResult): ReadableStream<unknown> {
  return (result as SdkResult & { toStream(): ReadableStream<unknown> }).toStream();
}

/** Whether a run is taken up, rather than begun. */
export function isState(input: SdkInput): input is SdkState {
  return typeof input === 'object' && 'getInterruptions' in input;
}

/** Whether it is a function tool, the kind whose calls run in this process. */
export function isFunctionTool(tool: SdkTool): tool is SdkTool & SdkFunctionTool {
  return tool.type === 'function' && 'invoke' in tool;
}

/** Whether it is an agent as a tool: the only function tools that stream events. */
export function isAgentTool(tool: object): boolean {
  return 'on' in tool && typeof tool.on === 'function';
}

/** The name under which a run's context keeps what people have decided about calls of a tool. */
export function approvalKey(tool: SdkFunctionTool): string {
  const { name, deferLoading } = tool;
  const namespace = namespaceOf(tool);
  if (namespace !== undefined) return JSON.stringify(['namespaced', namespace, name]);
  return JSON.stringify([deferLoading === true ? 'deferred_top_level' : 'bare', name]);
}

/** The namespace that a tool was put into. */
export function namespaceOf(tool: SdkFunctionTool): string | undefined {
  const key = hiddenKey(tool, 'functionToolNamespace');
  return key && Reflect.get(tool, key);
}

/** The agent under which people's decisions are kept. A sandbox agent that runs is a copy of it, which the SDK tells nobody. */
export function decidingAgent(agent: SdkAgent | undefined): SdkAgent | undefined {
  return agent !== undefined && 'capabilities' in agent ? undefined : agent;
}

/** The symbol of the SDK's own under which it keeps something with an object. */
function hiddenKey(object: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === description);
}

/** A copy that keeps prototype, accessors, symbols and hidden properties, with some properties replaced. */
export function copyWith<T extends object>(original: T, replaced: object): T {
  return Object.create(Object.getPrototypeOf(original), {
    ...Object.getOwnPropertyDescriptors(original),
    ...Object.getOwnPropertyDescriptors(replaced),
  });
}

/** The name under which a tool search of the user's keeps what finds tools. */
export function searchKey(tool: SdkTool): symbol | undefined {
  return hiddenKey(tool, 'clientToolSearchExecutor');
}

/**
 * Details with which a tool calls `stop` between parsing its input and running. `stop` must throw, so that the tool does
 * not run.
 */
export function stoppedWhenParsed(
  details: SdkDetails | undefined,
  stop: (input: unknown) => never,
): SdkDetails {
  return new Proxy(details ?? {}, {
    get: (target, name) =>
      typeof name === 'symbol' && name.description === 'openai.agents.functionToolParsedInputCallback'
        ? stop
        : Reflect.get(target, name),
  });
}

/** Whether it is the SDK's own function that a tool is invoked by, which can be known by its text alone. */
export function isMadeBySdk({ invoke }: SdkFunctionTool): boolean {
  return String(invoke).includes('invokeWithoutTimeout');
}

interface Span {
  readonly error?: { readonly message: string; readonly data?: object } | null;
  setError(error: { readonly message: string; readonly data?: object }): void;
}

/** Overwrites what a finished tool has written into the trace of its failure, before hooks could say what is to be known of it. */
export function hideTracedError(details: object): void {
  const key = hiddenKey(details, 'openai.agents.toolCallParentSpan');
  const span: Span | undefined = key && Reflect.get(details, key);
  if (span?.error?.data === undefined || !('error' in span.error.data)) return;
  const data = { ...span.error.data, error: 'Tool execution failed. Hooks have replaced the error.' };
  span.setError({ ...span.error, data });
}

/**
 * Gives a runner what another one has besides its configuration: its listeners, and which names of its traces were
 * configured. The others are those of the state with which a run resumes.
 */
export function shareRunner(runner: object, from: object): void {
  for (const name of ['eventEmitter', 'traceOverrides']) Reflect.set(runner, name, Reflect.get(from, name));
}

/** A state as text, without its user's own context, which need not be JSON. */
export function stateText(state: SdkState): string {
  const { _context: context } = state;
  const own = context.context;
  try {
    context.context = {};
    return state.toString();
  } finally {
    context.context = own;
  }
}

/** A place in a state that holds a function tool. */
export interface ToolSlot {
  /** The agent whose tool it is. */
  readonly agent: SdkAgent;
  readonly tool: SdkFunctionTool;
  replace(tool: SdkFunctionTool): void;
}

/** The function tools that a state keeps: those of the paused turn, and those that tool searches have found. */
export function toolSlotsOf(state: SdkState): readonly ToolSlot[] {
  const paused = (state._lastProcessedResponse?.functions ?? []).map((run) => ({
    agent: state._currentAgent,
    tool: run.tool,
    replace(tool: SdkFunctionTool) {
      run.tool = tool;
    },
  }));
  const found = [...state._toolSearchRuntimeToolsByAgent].flatMap(([agent, { routedOwners }]) =>
    [...routedOwners.values()].flatMap((owner) => {
      const { tool, toolIndex, entry } = owner;
      if (!isFunctionTool(tool)) return [];
      const replace = (other: SdkFunctionTool): void => {
        owner.tool = other;
        entry.tools[toolIndex] = other;
      };
      return { agent, tool, replace };
    }),
  );
  return [...paused, ...found];
}

/**
 * Puts a text in the place of the final output.
 *
 * @throws BlockedError where the output is structured, so that text would not do
 */
export function answerInstead({ _currentStep: step, _currentAgent: agent }: SdkState, text: string): void {
  if (agent.outputType !== 'text') throw new BlockedError({ reason: text, stop: true });
  if (step !== undefined) step.output = text;
}

/** The limit of turns, where it was that which ended a run. */
export function limitOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'MaxTurnsExceededError') return undefined;
  const state: Pick<SdkState, '_maxTurns'> | undefined = Reflect.get(error, 'state');
  return state?._maxTurns ?? 0;
}

/** Whether a model or a provider is the SDK's own, which is told by the name of its class. */
export function isOpenAI(one: object): boolean {
  return /^(OpenAI|LazyDefault)/.test(one.constructor.name);
}

/** What stands for an object of the user's in all but some properties: it has its class, and its methods are called on it. */
export function replacing<T extends object>(
  original: T,
  replaced: { readonly [name: PropertyKey]: unknown },
): T {
  return new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value;
    },
  });
}
