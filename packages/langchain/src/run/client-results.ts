import { AfterToolCall, TransformToolResult } from '@hooks/core';
import { type BaseMessage, ChatMessage, FunctionMessage, ToolMessage } from '@langchain/core/messages';
import { threadId, type Whereabouts } from '../config.ts';
import type { Memory } from '../internals.ts';
import type { NativeToolCall } from '../options.ts';
import type { Registries } from '../registries.ts';
import { resultOf } from '../tool/answer.ts';
import { originalOf } from '../tool/intercept.ts';
import { resultsOf } from '../tool/known-results.ts';
import { descriptor } from '../tool/result.ts';
import { type HookableTool, partsOf } from '../tool/tool.ts';
import { withFields } from '../translate.ts';
import { messagesIn, type SubmittedInput, speakerOf, withMessages } from './input.ts';
import { type HookedRun, nativeRun } from './run.ts';

/** What is known of the results in an input besides its messages. */
export interface ResultPlace {
  readonly registries: Registries;
  /** The agent's tools by name. */
  readonly tools: ReadonlyMap<string, HookableTool>;
  /** Holds the calls that a client's results may answer. */
  readonly memory?: Memory | undefined;
}

/**
 * Runs the hooks of tool results on those in an input or in a Command's update, before the framework sees them. A client may
 * have made them up, whoever should have run the tool. Those that this session has produced are not decided on again.
 */
export async function submitResults(
  run: HookedRun,
  state: unknown,
  place: ResultPlace,
  config: Whereabouts | undefined,
): Promise<SubmittedInput> {
  const messages = messagesIn(state) ?? [];
  if (!messages.some(isResult) || !decidesAny(place)) return { state, refused: false };
  const { stop } = run;
  const calls: CallsById = new Map();
  let recalled: CallsById | undefined;
  const decided: BaseMessage[] = [];
  // One after the other, so that hooks decide once on a result that comes twice.
  for (const message of messages) {
    addCalls(calls, message);
    if (isResult(message)) {
      let made = callsOf(message, calls);
      if (made.length === 0) {
        recalled ??= await recalledCalls(place.memory, config);
        made = callsOf(message, recalled);
      }
      decided.push(await decide(run, message, made, place, config));
    } else decided.push(message);
  }
  const changed = decided.some((message, at) => message !== messages[at]);
  return { state: changed ? withMessages(state, decided) : state, refused: run.stop !== stop };
}

function isResult(message: BaseMessage): boolean {
  return speakerOf(message) === 'tool';
}

function decidesAny({ registries, tools }: ResultPlace): boolean {
  return [undefined, ...tools.values()].some((tool) => decidesResults(partsOf(tool, registries).registries));
}

/** Whether any hook may change or refuse the results of any tool. */
export function decidesResults(registries: Registries): boolean {
  return [TransformToolResult, AfterToolCall].some((point) => registries.decidesOfAnyTool(point));
}

async function decide(
  run: HookedRun,
  message: BaseMessage,
  made: readonly MadeCall[],
  { registries: outer, tools }: ResultPlace,
  config: Whereabouts | undefined,
): Promise<BaseMessage> {
  const registriesOf = (name = ''): Registries => partsOf(tools.get(name), outer).registries;
  const names = new Set([...made.map(({ name }) => name), message.name ?? ''].filter((name) => name !== ''));
  const callId = callIdOf(message) || message.id || crypto.randomUUID();
  const answer = ToolMessage.isInstance(message)
    ? withFields(message, { metadata: {} })
    : toolMessage(message, callId);
  const [toolName] = names;
  const [{ input } = { input: {} }] = made;
  const called = tools.get(toolName ?? '');
  const { original: tool, registries } = partsOf(called, outer);
  const principal = registries.principalOfCall(run, nativeRun(config));
  const call = {
    callId,
    toolName: toolName ?? '',
    input,
    agent: run.agent,
    tool: tool && descriptor(originalOf(tool)),
    native: { tool: called as NativeToolCall['tool'], config } satisfies NativeToolCall,
    principal,
  };
  const results = resultsOf(run, call, tool, registriesOf);
  const left =
    toolName === undefined
      ? results.withhold(answer, 'it names no tool, and no call')
      : await results.decide({ item: answer, call, names, result: resultOf({ output: answer }, call) });
  return left === answer ? message : written(message, left);
}

/** A result of another kind, or of another copy of LangChain, as a message of a tool. */
function toolMessage({ content, id, name }: BaseMessage, callId: string): ToolMessage {
  return new ToolMessage({
    content,
    tool_call_id: callId,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
}

/** The message as hooks left it: of its own kind, and in its place in the history. */
function written(message: BaseMessage, left: ToolMessage): BaseMessage {
  const { id, name = '' } = message;
  const { content } = left;
  const fields = { content, name, ...(id !== undefined && { id }) };
  if (message.getType() === 'function') return new FunctionMessage(fields);
  if (ChatMessage.isInstance(message)) return new ChatMessage({ ...fields, role: message.role });
  if (id !== undefined) left.id = id;
  return left;
}

/** The id of the call that a result answers. */
function callIdOf(message: BaseMessage): string | undefined {
  const id: unknown = Reflect.get(message, 'tool_call_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** A call in messages, as far as its result needs it. */
interface MadeCall {
  readonly name: string;
  readonly input: unknown;
}

/** By id, those of the latest message: whatever it calls by that id in one of its fields, a provider may read. */
type CallsById = Map<string, readonly MadeCall[]>;

function addCalls(calls: CallsById, message: BaseMessage): void {
  if (speakerOf(message) !== 'model') return;
  for (const [id, made] of Map.groupBy(callsIn(message), ({ id }) => id)) calls.set(id, made);
}

/** The calls that a result may answer. */
function callsOf(result: BaseMessage, calls: CallsById): readonly MadeCall[] {
  const id = callIdOf(result);
  if (id !== undefined) return calls.get(id) ?? [];
  return [...calls.values()]
    .flat()
    .filter((call) => call.name === result.name)
    .slice(-1);
}

/** The calls of a model's message, in each of the forms that clients of models read. */
function callsIn(message: BaseMessage): readonly (MadeCall & { readonly id: string })[] {
  const { content, additional_kwargs } = message;
  const { tool_calls, invalid_tool_calls }: { tool_calls?: unknown; invalid_tool_calls?: unknown } =
    Object(message);
  const all: unknown[] = [tool_calls, additional_kwargs['tool_calls'], invalid_tool_calls, content].flatMap(
    (list) => (Array.isArray(list) ? list : []),
  );
  return all.flatMap((one) => {
    const { id, function: declared, name = Object(declared).name, args, input = args } = Object(one);
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    return { id, name, input: typeof input === 'object' ? input : {} };
  });
}

/** The calls in the messages of the thread. */
async function recalledCalls(
  memory: Memory | undefined,
  config: Whereabouts | undefined,
): Promise<CallsById> {
  const calls: CallsById = new Map();
  const thread = threadId(config);
  if (memory === undefined || thread === undefined) return calls;
  const { checkpoint } = Object(await memory.getTuple({ configurable: { thread_id: thread } }));
  const messages: unknown = checkpoint?.channel_values?.messages;
  if (Array.isArray(messages)) for (const message of messages) addCalls(calls, message);
  return calls;
}
