import { AfterToolCall, TransformToolResult } from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import { type BaseMessage, ChatMessage, FunctionMessage, ToolMessage } from '@langchain/core/messages';
import { threadId, type Whereabouts } from '../config.ts';
import type { Memory } from '../internals.ts';
import type { NativeToolCall } from '../options.ts';
import type { Registries } from '../registries.ts';
import { resultOf } from '../tool/answer.ts';
import { originalOf } from '../tool/intercept.ts';
import { resultsOf } from '../tool/known-results.ts';
import { descriptor } from '../tool/result.ts';
import { type HookableTool, hookedTool } from '../tool/tool.ts';
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
  const calls = new Calls(() => recalled(place.memory, config));
  const decided: BaseMessage[] = [];
  // One after the other, so that hooks decide once on a result that comes twice.
  for (const message of messages) {
    calls.add(message);
    decided.push(
      isResult(message) ? await decide(run, message, await calls.of(message), place, config) : message,
    );
  }
  const changed = decided.some((message, at) => message !== messages[at]);
  return { state: changed ? withMessages(state, decided) : state, refused: run.stop !== stop };
}

function isResult(message: BaseMessage): boolean {
  return speakerOf(message) === 'tool';
}

function decidesAny({ registries, tools }: ResultPlace): boolean {
  const own = [...tools.values()].flatMap((tool) => hookedTool(tool)?.registries ?? []);
  return [registries, ...own].some(decidesResults);
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
  const registriesOf = (name = ''): Registries =>
    outer.around(hookedTool(tools.get(name))?.registries ?? Attachment.none);
  const names = new Set([...made.map(({ name }) => name), message.name ?? ''].filter((name) => name !== ''));
  const callId = callIdOf(message) || message.id || crypto.randomUUID();
  const answer = ToolMessage.isInstance(message)
    ? withFields(message, { metadata: {} })
    : toolMessage(message, callId);
  const [toolName] = names;
  const [{ input } = { input: {} }] = made;
  const called = tools.get(toolName ?? '');
  const tool = hookedTool(called)?.original ?? called;
  const principal = registriesOf(toolName).principalOfCall(run, nativeRun(config));
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

/** The calls that results may answer. */
class Calls {
  /** By id, those of the latest message: whatever it calls by that id in one of its fields, a provider may read. */
  readonly #made: Map<string, readonly MadeCall[]> = new Map();
  readonly #recall: () => Promise<readonly BaseMessage[]>;
  #recalled: Calls | undefined;

  constructor(recall: () => Promise<readonly BaseMessage[]>) {
    this.#recall = recall;
  }

  add(message: BaseMessage): void {
    if (speakerOf(message) !== 'model') return;
    for (const [id, calls] of Map.groupBy(callsIn(message), ({ id }) => id)) this.#made.set(id, calls);
  }

  /** Those before a result in its input, or else in its thread. */
  async of(result: BaseMessage): Promise<readonly MadeCall[]> {
    const id = callIdOf(result);
    const here = this.#find(id, result.name);
    if (here.length > 0) return here;
    if (this.#recalled === undefined) {
      this.#recalled = new Calls(async () => []);
      for (const message of await this.#recall()) this.#recalled.add(message);
    }
    return this.#recalled.#find(id, result.name);
  }

  #find(id: string | undefined, name: string | undefined): readonly MadeCall[] {
    if (id !== undefined) return this.#made.get(id) ?? [];
    const named = [...this.#made.values()].flat().findLast((call) => call.name === name);
    return named === undefined ? [] : [named];
  }
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

/** The messages of the thread. */
async function recalled(
  memory: Memory | undefined,
  config: Whereabouts | undefined,
): Promise<readonly BaseMessage[]> {
  const thread = threadId(config);
  if (memory === undefined || thread === undefined) return [];
  const { checkpoint } = Object(await memory.getTuple({ configurable: { thread_id: thread } }));
  const messages: unknown = checkpoint?.channel_values?.messages;
  return Array.isArray(messages) ? messages : [];
}
