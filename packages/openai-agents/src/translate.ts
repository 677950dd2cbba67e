import type { ModelMessage, ModelResponse, ModelSettings, ModelTool } from '@hooks/core';
import { isSameInput, ResultNames, spreadParts } from '@hooks/core/adapter';
import type {
  AgentInputItem,
  AgentOutputItem,
  ModelRequest,
  ModelSettings as SdkSettings,
} from '@openai/agents';

/** A tool's input as the model wrote it; text that is no JSON stays text. */
export function parseInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** The text of an input that hooks decided on. Text that is no JSON stays as the model wrote it. */
export function writeInput(input: unknown, written: string): string {
  return input === written ? written : JSON.stringify(input);
}

/** The text of a message's content, parts that are no text left out. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return textOfPart(content);
  return content.map(textOfPart).join('');
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return '';
  // What a model says when it refuses is no less its answer.
  const text: unknown = Reflect.get(part, 'text') ?? Reflect.get(part, 'refusal') ?? '';
  // A client may post anything as text, and providers may read it.
  return typeof text === 'string' ? text : JSON.stringify(text);
}

/** What a model is about to be sent, as plain data. */
export function messagesOf(input: ModelRequest['input']): readonly ModelMessage[] {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  const names = new ResultNames();
  return input.map((item) => {
    if (item.type === 'function_call')
      return { ...messageOf(item), ...names.called([{ callId: item.callId, toolName: item.name }]) };
    return item.type === 'function_call_result'
      ? { ...messageOf(item), ...names.of(item.callId, item.name) }
      : messageOf(item);
  });
}

function messageOf(item: AgentInputItem): ModelMessage {
  if ('role' in item) return { role: item.role, text: textOf(item.content), native: item };
  if (item.type === 'function_call_result') return { role: 'tool', text: textOf(item.output), native: item };
  return { role: 'assistant', text: '', native: item };
}

/** The items for a changed list of messages: an untouched message is its native item. */
export function itemsOf(messages: readonly ModelMessage[]): AgentInputItem[] {
  return messages.flatMap((message) => {
    const native = message.native as AgentInputItem | undefined;
    if (native !== undefined && messageOf(native).text === message.text) return [native];
    const item = itemOf(message, native);
    // A call has no text of its own: what a hook says with it is a message in front of it.
    const isBeside = native !== undefined && !('role' in native) && native.type !== 'function_call_result';
    return isBeside ? [item, native] : [item];
  });
}

function itemOf(
  { role, text, callId, toolName }: ModelMessage,
  native: AgentInputItem | undefined,
): AgentInputItem {
  if (native?.type === 'function_call_result') {
    return { ...native, output: outputWith(native.output, text) };
  }
  if (role === 'tool' && native === undefined && callId !== undefined && toolName !== undefined)
    return {
      type: 'function_call_result',
      callId,
      name: toolName,
      status: 'completed',
      output: { type: 'text', text },
    };
  switch (role) {
    case 'system':
      return { role, content: text };
    case 'assistant':
      if (native !== undefined && 'role' in native && native.role === 'assistant') {
        // What the provider has sent beside the message is about the original.
        const { id: _id, providerData: _sent, ...message } = native;
        const content = spreadParts<(typeof native.content)[number]>(native.content, text, '', {
          textOf: textOfPart,
          write: (changed) => ({ type: 'output_text', text: changed }),
        });
        return { ...message, content };
      }
      return { role, status: 'completed', content: [{ type: 'output_text', text }] };
    default: {
      const parts =
        native !== undefined && 'role' in native && native.role === 'user' ? native.content : text;
      return { role: 'user', content: typeof parts === 'string' ? text : withText(parts, text) };
    }
  }
}

function outputWith(output: Result['output'], text: string): Result['output'] {
  if (Array.isArray(output)) return withText(output, text);
  return typeof output === 'object' && output.type === 'text' ? { ...output, text } : { type: 'text', text };
}

type Result = Extract<AgentInputItem, { readonly type: 'function_call_result' }>;

/** Parts of a message or an output with another text. Parts whose text is untouched, images and files stay. */
export function withText<Part extends { readonly type: string }>(
  parts: readonly Part[],
  text: string,
): (Part | { type: 'input_text'; text: string })[] {
  return spreadParts<Part, { type: 'input_text'; text: string }>(parts, text, '', {
    textOf: textOfPart,
    write: (changed, part) => ({ ...part, type: 'input_text', text: changed }),
  });
}

/** The tools and handoffs that a model is told of. */
export function toolsOf({ tools, handoffs }: ModelRequest): readonly ModelTool[] {
  return [
    ...tools.map((tool) => ({
      name: tool.name,
      ...('description' in tool && { description: tool.description }),
      native: tool,
    })),
    ...handoffs.map((handoff) => ({
      name: handoff.toolName,
      description: handoff.toolDescription,
      native: handoff,
    })),
  ];
}

/** The parts of a request for a changed list of tools: hooks may leave tools out and describe them otherwise. */
export function requestTools(
  request: ModelRequest,
  tools: readonly ModelTool[],
): Pick<ModelRequest, 'tools' | 'handoffs' | 'toolsExplicitlyProvided'> {
  const kept = new Map(tools.map((tool) => [tool.native, tool]));
  const described = (native: object, field: string): object => {
    const description = kept.get(native)?.description;
    return description === undefined ? native : { ...native, [field]: description };
  };
  return {
    tools: request.tools
      .filter((tool) => kept.has(tool))
      .map((tool) => (tool.type === 'function' ? (described(tool, 'description') as typeof tool) : tool)),
    handoffs: request.handoffs
      .filter((handoff) => kept.has(handoff))
      .map((handoff) => described(handoff, 'toolDescription') as typeof handoff),
    toolsExplicitlyProvided: true,
  };
}

/** A request's settings without the choice of a tool that hooks took away: the SDK and providers refuse such a choice. */
export function withoutLostChoice(
  request: ModelRequest,
  left: readonly ModelTool[] | undefined,
): SdkSettings {
  const { toolChoice, ...rest } = request.modelSettings;
  if (left === undefined || toolChoice === undefined) return request.modelSettings;
  const isIn = (tools: readonly ModelTool[]): boolean => tools.some(({ name }) => name === toolChoice);
  return left.length === 0 || (isIn(toolsOf(request)) && !isIn(left)) ? rest : request.modelSettings;
}

/** The settings of a call in neutral words. */
export function settingsOf({ temperature, maxTokens, reasoning }: SdkSettings): ModelSettings {
  return {
    temperature,
    maxTokens,
    reasoningEffort: effortOf(reasoning?.effort),
    reasoningVisible: reasoning?.summary === undefined ? undefined : reasoning.summary !== null,
  };
}

function effortOf(effort: unknown): ModelSettings['reasoningEffort'] {
  if (effort === 'none') return 'off';
  return effort === 'low' || effort === 'medium' || effort === 'high' ? effort : undefined;
}

/** The SDK's settings with those that hooks set. */
export function withSettings(settings: SdkSettings, changed: ModelSettings | undefined): SdkSettings {
  if (changed === undefined) return settings;
  const { temperature, maxTokens, reasoningEffort, reasoningVisible } = changed;
  const reasoning = {
    ...settings.reasoning,
    ...(reasoningEffort !== undefined && {
      effort: reasoningEffort === 'off' ? ('none' as const) : reasoningEffort,
    }),
    ...(reasoningVisible === true && { summary: 'auto' as const }),
  };
  if (reasoningVisible === false) delete reasoning.summary;
  return {
    ...settings,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
  };
}

/** What a model answered, as plain data. */
export function responseOf(output: readonly AgentOutputItem[], usage?: Tokens): ModelResponse {
  const reasoning = [...new Set(output.flatMap(reasoningOf))].join('\n');
  return {
    text: output.map(textOfItem).join(''),
    ...(reasoning !== '' && { reasoning }),
    toolCalls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ callId: item.callId, toolName: item.name, input: parseInput(item.arguments) }]
        : [],
    ),
    ...(usage && { usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens } }),
    native: output,
  };
}

/** Tokens, in the SDK's words. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

function textOfItem(item: AgentOutputItem): string {
  return isMessage(item) && 'content' in item ? textOf(item.content) : '';
}

/** The model's reasoning: an item of its own, or what a provider of chat completions sends beside a message. */
function reasoningOf(item: AgentOutputItem): readonly string[] {
  if (item.type === 'reasoning') {
    // The SDK leaves the full text of a Responses API, beside its summary, in what the provider sent.
    const sent: unknown = item.providerData?.['content'];
    const full: readonly unknown[] = Array.isArray(sent) ? sent : [];
    return [...(item.content ?? []), ...(item.rawContent ?? []), ...full].flatMap((part) => {
      const { text } = Object(part);
      return typeof text === 'string' ? [text] : [];
    });
  }
  if (!isMessage(item) || !('content' in item) || !Array.isArray(item.content)) return [];
  const parts: readonly { readonly providerData?: object | undefined }[] = [item, ...item.content];
  return parts.flatMap(({ providerData }) =>
    ['reasoning', 'reasoning_content'].flatMap((field) => {
      const text: unknown = Reflect.get(providerData ?? {}, field);
      return typeof text === 'string' && text !== '' ? [text] : [];
    }),
  );
}

function isMessage({ type }: AgentOutputItem): boolean {
  return type === 'message' || type === undefined;
}

/**
 * The output items for a changed response. Of those that stay nothing is kept that may hold the original answer: what
 * the provider sent beside them, and the model's reasoning, without which a provider does not know their ids.
 */
export function outputOf(original: readonly AgentOutputItem[], response: ModelResponse): AgentOutputItem[] {
  const before = responseOf(original);
  const retold = response.text !== before.text;
  const calls = new Map(response.toolCalls.map((call) => [call.callId, call]));
  const kept = original.flatMap((item): AgentOutputItem[] => {
    if (item.type === 'reasoning') return [];
    if (item.type !== 'function_call') return retold && isMessage(item) ? [] : [alone(item)];
    const call = calls.get(item.callId);
    calls.delete(item.callId);
    if (call === undefined) return [];
    const same = isSameInput(call.input, parseInput(item.arguments));
    const { id: _id, providerData: _sent, ...rest } = item;
    return [{ ...rest, name: call.toolName, arguments: same ? item.arguments : JSON.stringify(call.input) }];
  });
  const said = retold && response.text !== '' ? [spoken(response.text)] : [];
  const added = [...calls.values()].map(
    ({ callId, toolName, input }): AgentOutputItem => ({
      type: 'function_call',
      callId,
      name: toolName,
      status: 'completed',
      arguments: JSON.stringify(input),
    }),
  );
  return [...said, ...kept, ...added];
}

/** A message without what the provider sent beside it. Of other items that is all there is, and no text or call. */
function alone(item: AgentOutputItem): AgentOutputItem {
  if (!('role' in item) || item.role !== 'assistant') return item;
  const { id: _id, providerData: _sent, ...message } = item;
  return { ...message, content: item.content.map(({ providerData: _own, ...part }) => part) };
}

/** An assistant's message of that text. */
export function spoken(text: string): AgentOutputItem {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
}
