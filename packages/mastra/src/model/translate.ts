import type { ModelMessage, ModelResponse, ModelSettings, ModelTool } from '@hooks/core';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';

export type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];

/** The prompt with one more system message after the leading ones, because some providers accept none further down. */
export function withSystemText(prompt: Prompt, content: string): Prompt {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? prompt.length : first;
  return [...prompt.slice(0, at), { role: 'system', content }, ...prompt.slice(at)];
}

/**
 * The messages of the prompt for hooks. Results of parallel calls are separate messages, so that each can be changed.
 */
export function messagesOf(prompt: Prompt): ModelMessage[] {
  return prompt
    .filter(({ role }) => role !== 'system')
    .flatMap(
      (message): Prompt =>
        message.role === 'tool'
          ? message.content.map((part) => ({ ...message, content: [part] }))
          : [message],
    )
    .map(messageOf);
}

function messageOf(message: PromptMessage): ModelMessage {
  const { role, content } = message;
  if (typeof content === 'string') return { role, text: content, native: message };
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'tool-result' && 'value' in part.output ? textOf(part.output.value) : '';
  });
  return { role, text: texts.filter((text) => text !== '').join('\n'), native: message };
}

/** A message as hooks left it, for the prompt. The original if its text is unchanged. */
export function promptOf(message: ModelMessage): PromptMessage {
  const { role, text, native } = message;
  if (isPromptMessage(native) && messageOf(native).text === text) return native;
  const part = { type: 'text', text } as const;
  if (role === 'system') return { role, content: text };
  if (role === 'tool' && isPromptMessage(native) && native.role === 'tool')
    return { ...native, content: native.content.map((result) => withResult(result, text)) };
  if (role === 'user' || role === 'tool') return { role: 'user', content: [part] };
  const others = isPromptMessage(native) && native.role === 'assistant' ? native.content : [];
  return { role, content: [part, ...others.filter(({ type }) => type !== 'text')] };
}

type ToolPart = Extract<PromptMessage, { readonly role: 'tool' }>['content'][number];

function withResult(part: ToolPart, value: string): ToolPart {
  if (part.type !== 'tool-result') return part;
  return { ...part, output: { type: part.output.type.startsWith('error') ? 'error-text' : 'text', value } };
}

function isPromptMessage(value: unknown): value is PromptMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A tool as hooks see it. */
export function toolOf(name: string, native: unknown): ModelTool {
  const { description }: { readonly description?: unknown } = Object(native);
  return { name, native, ...(typeof description === 'string' && { description }) };
}

/** Mastra's settings of a model call in our form. */
export function settingsOf(settings: ProcessInputStepArgs['modelSettings']): ModelSettings {
  const { temperature, maxOutputTokens } = settings ?? {};
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
  };
}

/** A part of a model's stream, as far as all versions of the AI SDK's models agree. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: unknown;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly finishReason?: unknown;
  readonly providerMetadata?: unknown;
  readonly usage?: { readonly inputTokens?: Tokens; readonly outputTokens?: Tokens };
}

type Tokens = number | { readonly total?: number } | undefined;

/** The answer of a model as hooks see it. */
export function responseOf(parts: readonly StreamPart[]): ModelResponse {
  const { usage } = parts.find(({ type }) => type === 'finish') ?? {};
  const inputTokens = count(usage?.inputTokens);
  const outputTokens = count(usage?.outputTokens);
  return {
    text: parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [String(delta)] : [])).join(''),
    toolCalls: parts.flatMap(({ type, toolCallId = '', toolName = '', input }) =>
      type === 'tool-call' ? [{ callId: toolCallId, toolName, input: parsed(input) }] : [],
    ),
    usage: {
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    },
    native: parts,
  };
}

/** The parts around an answer. */
const FRAME: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'finish', 'error']);

/**
 * The parts of a model's stream for an answer as hooks left it. Everything besides text and tool calls (reasoning,
 * sources, files, raw provider data) is left out, because it may reveal what hooks removed.
 */
export function partsOf(response: ModelResponse, parts: readonly StreamPart[]): readonly StreamPart[] {
  const before = responseOf(parts);
  const said = response.text === before.text;
  const called =
    response.toolCalls === before.toolCalls ||
    JSON.stringify(response.toolCalls) === JSON.stringify(before.toolCalls);
  if (said && called) return parts;
  const kept = parts.filter(
    ({ type }) =>
      FRAME.has(type) || (said && type.startsWith('text-')) || (called && type.startsWith('tool-')),
  );
  const end = kept.findIndex(({ type }) => type === 'finish' || (!said && type.startsWith('tool-')));
  const at = end === -1 ? kept.length : end;
  const text = said || response.text === '' ? [] : textParts(response.text);
  const calls = called
    ? []
    : response.toolCalls.map(({ callId, toolName, input }) => ({
        type: 'tool-call',
        toolCallId: callId,
        toolName,
        input: JSON.stringify(input),
      }));
  const finished = kept.slice(at).map((part) => {
    if (part.type !== 'finish') return part;
    const { providerMetadata: _beside, ...finish } = part;
    return called ? finish : { ...finish, finishReason: reason(part, calls.length) };
  });
  return [...kept.slice(0, at), ...text, ...calls, ...finished];
}

function textParts(text: string): readonly StreamPart[] {
  const id = 'hooks';
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ];
}

function reason({ finishReason }: StreamPart, calls: number): unknown {
  const unified = calls > 0 ? 'tool-calls' : 'stop';
  return typeof finishReason === 'string' ? unified : { unified, raw: unified };
}

function count(tokens: Tokens): number | undefined {
  return typeof tokens === 'object' ? tokens.total : tokens;
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
