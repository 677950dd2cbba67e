import { BlockedError } from '@hooks/core/adapter';
import type { AgentInputItem, Model, Session } from '@openai/agents';

/*
 * The parts of the SDK that this package relies on, as structural types: it works with any copy of the SDK (ESM or
 * CommonJS) and imports none. They are methods, not properties, so that the SDK's generic types fit. Private parts of
 * the SDK (names that begin with an underscore, hidden symbols, the text of a function) are used only here or through
 * the types here. test/internals.test.ts fails by name when a new version moves one.
 */

/** A run's context: one object from the first to the last call of a run. */
export interface SdkContext {
  /** The user's own. */
  context: unknown;
  /** One object for a run and the runs of its agents as tools. */
  readonly usage: object;
  /**
   * Takes a tool's {@link approvalKey}. A plain name would be parsed as JSON first and fail, which takes longer than a
   * call.
   */
  isToolApproved(approval: {
    toolName: string;
    callId: string;
    /** The agent that owns the tool. Without it, decisions about the tools of all agents count. */
    agent?: object | undefined;
  }): boolean | undefined;
  getRejectionMessage(toolName: string, callId: string): string | undefined;
}

/** What a function tool gets besides its input. */
export interface SdkDetails {
  readonly toolCall?: { readonly callId: string; readonly name: string; readonly arguments: string };
  /** Set when the interrupted run of an agent-as-tool resumes. */
  readonly resumeState?: string;
  readonly signal?: AbortSignal;
}

/** The arguments with which the SDK invokes a tool. */
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

/** The result of a tool, as `toolUseBehavior` gets it. */
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
  readonly agent: SdkAgent;
  readonly rawItem: {
    readonly type: string;
    readonly name?: string;
    readonly providerData?: { readonly arguments?: string };
  };
  /** For a call of a function tool: the tool's {@link approvalKey}. */
  readonly functionToolStateKey?: string | undefined;
}

/** A tool that a tool search has found. */
interface SdkFound {
  tool: SdkTool;
  readonly toolIndex: number;
  readonly entry: { readonly tools: SdkTool[] };
}

/** A call of a function tool in the current turn. */
export interface SdkFunctionRun {
  tool: SdkFunctionTool;
  /** The MCP tool and server that the call is for. */
  mcpToolBinding?: unknown;
}

/** A run between two calls of `run`: paused, or over. */
export interface SdkState {
  readonly _context: SdkContext;
  _currentAgent: SdkAgent;
  readonly _conversationId: string | undefined;
  readonly _previousResponseId: string | undefined;
  readonly _lastProcessedResponse: { readonly functions: readonly SdkFunctionRun[] } | undefined;
  readonly history: AgentInputItem[];
  /** What the model answered. The SDK stores it, and sends `providerData` to nobody. */
  readonly _modelResponses: readonly SdkResponse[];
  /** How many turns there were, and may be. */
  readonly _currentTurn: number;
  readonly _maxTurns: number | null;
  /** The result of the latest turn. If the run is over, it has the final output as text. */
  readonly _currentStep: { output?: string } | undefined;
  /** The source of the final output: the turn, or an error handler of the run. */
  readonly _finalOutputSource: string | undefined;
  /** The tools that tool searches found, by agent. */
  readonly _toolSearchRuntimeToolsByAgent: ReadonlyMap<
    SdkAgent,
    { readonly routedOwners: ReadonlyMap<string, SdkFound> }
  >;
  /** Messages that users added while the run was paused. */
  readonly _pendingInput: readonly AgentInputItem[];
  addInput(input: AgentInputItem[]): void;
  clearPendingInput(): void;
  getInterruptions(): readonly SdkApprovalItem[];
  approve(item: SdkApprovalItem): void;
  reject(item: SdkApprovalItem, options?: { message?: string }): void;
  toString(): string;
}

/** An answer of the model. */
interface SdkResponse {
  providerData?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of a run, complete or still streaming. */
export interface SdkResult {
  readonly state: SdkState;
  readonly history: AgentInputItem[];
  readonly lastAgent: SdkAgent | undefined;
  readonly interruptions: readonly SdkApprovalItem[];
  /** For a streamed result: settles when the run is over. */
  readonly completed?: Promise<void>;
  /** For a streamed result: whether the reader has canceled it. */
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

/** The input of a run. */
export type SdkInput = string | AgentInputItem[] | SdkState;

/** A runner's `run`. */
export type SdkRun = (agent: SdkAgent, input: SdkInput, options: SdkRunOptions) => Promise<SdkResult>;

/** The events of a streamed result, once. */
export function eventsOf(result: SdkResult): ReadableStream<unknown> {
  return (result as SdkResult & { toStream(): ReadableStream<unknown> }).toStream();
}

/** Whether a run resumes from a state. */
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
 * Copies to a runner what another one has besides its configuration: the listeners, and the trace names that were
 * configured explicitly. A resumed run uses the names of its state for all others.
 */
export function shareRunner(runner: object, from: object): void {
  for (const name of ['eventEmitter', 'traceOverrides']) Reflect.set(runner, name, Reflect.get(from, name));
}

/** The parts of a runner that {@link refusedRun} needs. */
export interface SdkRunner {
  readonly config: object;
}

/**
 * The result of a run that hooks have refused before it began: a run in which nothing of the user's runs, be it a
 * guardrail, a listener or a trace. Its model is hooked in a run that has ended, so that it gives the reason and is not called.
 *
 * @param runner its class makes the runner
 */
export async function refusedRun(
  runner: SdkRunner,
  agent: SdkAgent,
  model: Model,
  input: AgentInputItem[],
  { stream, context, signal }: SdkRunOptions,
): Promise<SdkResult> {
  const guardrails = { inputGuardrails: [], outputGuardrails: [] };
  const unused = { callModelInputFilter: undefined, sandbox: undefined };
  const config = { ...runner.config, ...guardrails, ...unused, tracingDisabled: true };
  const bare: { run: SdkRun } = Reflect.construct(runner.constructor, [config]);
  const clone = agent.clone as (changes: object) => SdkAgent;
  const standIn = clone.call(agent, {
    ...guardrails,
    model,
    instructions: '',
    prompt: undefined,
    tools: [],
    mcpServers: [],
    handoffs: [],
  });
  const result = await bare.run(standIn, input, { stream: stream === true, context, signal });
  result.state._currentAgent = agent;
  return result;
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

/** The field of an answer's `providerData` that identifies the pause after it. */
export const PAUSE = '@hooks/pause';

/**
 * Gives a paused run a name of its own, which its state keeps however it is stored and restored.
 *
 * @param session the id of the run's session. Undefined if it has one of its own
 */
export function namePause({ _modelResponses: responses }: SdkState, session?: string): void {
  const last = responses.at(-1);
  if (last === undefined) return;
  const pause = { id: crypto.randomUUID(), ...(session !== undefined && { session }) };
  last.providerData = { ...last.providerData, [PAUSE]: pause };
}

/** The id of the session in which a run has paused. Undefined if it had one of its own, or has not named its pause. */
export function pausedSession({ _modelResponses: responses }: SdkState): string | undefined {
  const { session }: { readonly session?: unknown } = Object(responses.at(-1)?.providerData?.[PAUSE]);
  return typeof session === 'string' ? session : undefined;
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
 * Replaces the final output with a text.
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

/** Whether the model or provider is the SDK's own, judged by its class name. */
export function isOpenAI(one: object): boolean {
  return /^(OpenAI|LazyDefault)/.test(one.constructor.name);
}

/** Whether the model is the SDK's own of the Chat Completions API, or a class derived from it. */
export function isChatCompletions(model: object): boolean {
  for (let one = Object.getPrototypeOf(model); one !== null; one = Object.getPrototypeOf(one))
    if (one.constructor.name === 'OpenAIChatCompletionsModel') return true;
  return false;
}

/** The name that a model object of the Responses API tells. Others of the SDK keep theirs to themselves. */
export function modelNameOf(one: object): string | undefined {
  const name: unknown = isOpenAI(one) ? Reflect.get(one, '_model') : undefined;
  return typeof name === 'string' ? name : undefined;
}
