import type { ModelMessage, ModelResponse, ModelTool } from '@hooks/core';
import { type NamedModel, ResultNames, SeenMessages, spreadParts } from '@hooks/core/adapter';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { markOf, withMark } from './blocked.ts';

/** LangChain's messages as hooks see them. */
export function toModelMessages(messages: readonly BaseMessage[]): ModelMessage[] {
  const names = new ResultNames();
  return messages.map((message) => {
    const role = roleOf(message);
    const calls = (AIMessage.isInstance(message) && message.tool_calls) || [];
    const callId = ToolMessage.isInstance(message) ? message.tool_call_id : undefined;
    const said = {
      role,
      ...names.called(calls.map(({ id, name }) => ({ callId: id ?? '', toolName: name }))),
      ...(role === 'tool' && names.of(callId, message.name)),
    };
    return seen.of(message, said, message.content, () => textIn(message));
  });
}

const seen: SeenMessages<BaseMessage> = new SeenMessages();

/** The text of a message. Providers read a user's text in blocks of other types, too (`text-plain`, `input_text`). */
export function textIn(message: BaseMessage): string {
  const { content } = message;
  if (roleOf(message) !== 'user' || !Array.isArray(content)) return message.text;
  return content.map(anyText).join('');
}

/** The messages for LangChain. Those that hooks did not change are the original objects. */
export function toMessages(messages: readonly ModelMessage[]): BaseMessage[] {
  return messages.map(toMessage);
}

/** The tools of a model request as hooks see them. */
export function toModelTools(tools: readonly unknown[]): ModelTool[] {
  return tools.map((tool) => {
    const description: unknown = Reflect.get(Object(tool), 'description');
    return {
      name: toolName(tool),
      description: typeof description === 'string' ? description : undefined,
      native: tool,
    };
  });
}

/** The name of a tool. One in a provider's own format may only have a type, or a field: `{ googleSearch: {} }`. */
export function toolName(tool: unknown): string {
  const { name, type, function: declared } = Object(tool);
  return String(name ?? declared?.name ?? type ?? Object.keys(Object(tool))[0]);
}

/**
 * A model's answer as hooks see it.
 *
 * @param isAnswer whether a call of this name is a structured response
 */
export function toModelResponse(
  message: AIMessage,
  isAnswer: (toolName: string) => boolean = () => false,
): ModelResponse {
  const usage = usageOf(message);
  const reasoning = reasoningIn(message);
  return {
    text: message.text,
    ...(reasoning !== '' && { reasoning }),
    toolCalls: (message.tool_calls ?? []).map(({ id, name, args }) => ({
      callId: id ?? '',
      toolName: name,
      input: args,
      ...(isAnswer(name) && { isAnswer: true }),
    })),
    ...(usage && { usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } }),
    native: message,
  };
}

/**
 * What clients keep of the model's reasoning: in blocks of the content, in extra fields, or in the provider's own output. Each
 * provider has other names for it.
 */
function reasoningIn({ content, additional_kwargs, response_metadata }: AIMessage): string {
  const found = new Set<string>();
  const open: { readonly value: unknown; readonly isThought: boolean }[] = [];
  for (const value of [content, additional_kwargs, response_metadata['output']])
    open.push({ value, isThought: false });
  for (const { value, isThought } of open) {
    if (isThought && typeof value === 'string' && value !== '') found.add(value);
    if (typeof value !== 'object' || value === null) continue;
    const { type, thought }: { type?: unknown; thought?: unknown } = value;
    // A tool may have an argument of that name.
    if (typeof type === 'string' && /tool|function/i.test(type)) continue;
    const isOwn = isThought || thought === true || (typeof type === 'string' && THOUGHT.test(type));
    for (const [field, inner] of Object.entries(value))
      if (!OPAQUE.test(field)) open.push({ value: inner, isThought: isOwn || THOUGHT.test(field) });
  }
  return [...found].join('\n');
}

/** The types and names of blocks and fields with reasoning, but for what a provider has encrypted. */
const THOUGHT = /^(?!redacted).*(?:reasoning|thinking|thought)/i;

/** Fields without a text of the model, and those whose own fields a tool or the caller names. */
const OPAQUE =
  /^(?:type|id|index|status|format|encrypted_content|redactedContent|parsed|tool_calls|function_call)$|signatures?(?:__)?$/i;

/**
 * The answer for LangChain after hooks changed it. Clients keep the raw answer, its reasoning or its log probabilities in
 * extra fields, and some send those to the provider instead of the text. The new answer has only the extra fields that reveal
 * nothing about the old text.
 */
export function toAIMessage(
  response: ModelResponse,
  original: AIMessage,
  content: BaseMessage['content'] = response.text,
): AIMessage {
  const { name, id, usage_metadata, additional_kwargs } = original;
  const mark = markOf(original);
  const response_metadata = pick(original.response_metadata, (_field, value) => typeof value !== 'object');
  return new AIMessage({
    content,
    tool_calls: response.toolCalls.map(({ callId, toolName, input }) => ({
      type: 'tool_call',
      id: callId,
      name: toolName,
      args: input as { [key: string]: unknown }, // a model's arguments are an object
    })),
    // Ids and signatures of calls, which providers require.
    additional_kwargs: pick(additional_kwargs, (field) => /^__.*(ids|signatures)__$/.test(field)),
    response_metadata: mark === undefined ? response_metadata : withMark(response_metadata, mark),
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    ...(usage_metadata !== undefined && { usage_metadata }),
  });
}

/** The name and the provider of a model. A string is for `initChatModel`, for example `openai:gpt-5`. */
export function namedModel(model: unknown): NamedModel {
  if (typeof model === 'string') {
    const provider = model.slice(0, Math.max(0, model.indexOf(':')));
    return { model, ...(provider !== '' && { provider }) };
  }
  if (typeof model !== 'object' || model === null) return {};
  const name: unknown = Reflect.get(model, 'model') ?? Reflect.get(model, 'modelName');
  const { ls_provider: provider } = isChatModel(model) ? model.getLsParams({}) : {};
  return {
    ...(typeof name === 'string' && { model: name }),
    ...(typeof provider === 'string' && { provider }),
  };
}

/** Whether a model names its provider, as chat models do. */
function isChatModel(model: object): model is Pick<BaseChatModel, 'getLsParams'> {
  return 'getLsParams' in model && typeof model.getLsParams === 'function';
}

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** The usage of a message, whose own type resolves to `never`. */
function usageOf({ usage_metadata }: { readonly usage_metadata?: Usage | undefined }): Usage | undefined {
  return usage_metadata;
}

/** The role of a message's author. */
function roleOf(message: BaseMessage): ModelMessage['role'] {
  switch (ChatMessage.isInstance(message) ? message.role : message.getType()) {
    case 'ai':
    case 'assistant':
      return 'assistant';
    case 'tool':
    case 'function':
      return 'tool';
    case 'system':
    case 'developer':
      return 'system';
    default:
      return 'user';
  }
}

function toMessage({ role, text, callId = '', toolName: name, native }: ModelMessage): BaseMessage {
  const original = isMessage(native) ? native : undefined;
  if (original !== undefined && roleOf(original) === role)
    return textIn(original) === text ? original : withText(original, text);
  const fields = { content: text, ...(original?.id !== undefined && { id: original.id }) };
  switch (role) {
    case 'system':
      return new SystemMessage(fields);
    case 'assistant':
      return new AIMessage(fields);
    case 'tool':
      return new ToolMessage({ ...fields, tool_call_id: callId, ...(name !== undefined && { name }) });
    case 'user':
      return new HumanMessage(fields);
  }
}

/** A message with another text. Its other blocks stay: images, files, cache marks, an answer's calls and reasoning. */
export function withText<M extends BaseMessage>(message: M, text: string): M;
export function withText(message: BaseMessage, text: string): BaseMessage {
  const { content } = message;
  if (AIMessage.isInstance(message))
    return toAIMessage({ ...toModelResponse(message), text }, message, contentWith(content, text, blockText));
  const role = roleOf(message);
  const changed = withFields(message, {
    content: contentWith(content, text, role === 'user' ? anyText : blockText),
    // An answer's extra fields may have its old text, but for its calls.
    ...(role === 'assistant' && {
      additional_kwargs: pick(message.additional_kwargs, (field) =>
        /^(tool_calls|function_call)$/.test(field),
      ),
      response_metadata: {},
    }),
  });
  // What a message was made of may be its content by another name.
  Reflect.deleteProperty(changed.lc_kwargs, 'contentBlocks');
  return changed;
}

/** What an answer took, as its model tells. */
export type Spent = NonNullable<AIMessage['usage_metadata']>;

/** A copy of a message with other fields. */
export function withFields<M extends BaseMessage>(message: M, fields: Partial<M>): M {
  const lc_kwargs = { ...message.lc_kwargs, ...fields };
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields, { lc_kwargs });
}

/** Content with another text. Blocks whose text is untouched, and those without text, stay. */
function contentWith(
  content: BaseMessage['content'],
  text: string,
  textOf: (block: Block) => string,
): BaseMessage['content'] {
  if (!Array.isArray(content)) return text;
  const blocks: readonly Block[] = content;
  if (text === '' && blocks.every((block) => textOf(block) !== '')) return text;
  const written = spreadParts<Block>(blocks, text, '', {
    textOf,
    write(changed, block) {
      // What a provider has sent beside a text is about the original.
      const { id: _id, annotations: _about, ...rest }: Block = block ?? { type: 'text' };
      return { ...rest, text: changed };
    },
  });
  return written as typeof content; // the same kinds of blocks
}

/** A block of a message's content. */
interface Block {
  readonly type: string;
  readonly text?: unknown;
  readonly [field: string]: unknown;
}

function blockText({ type, text }: Block): string {
  return type === 'text' && typeof text === 'string' ? text : '';
}

function anyText({ text }: Block): string {
  return typeof text === 'string' ? text : '';
}

function isMessage(value: unknown): value is BaseMessage {
  return typeof value === 'object' && value !== null && 'getType' in value;
}

function pick(fields: Fields, wanted: (field: string, value: unknown) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field, value]) => wanted(field, value)));
}

interface Fields {
  readonly [field: string]: unknown;
}
