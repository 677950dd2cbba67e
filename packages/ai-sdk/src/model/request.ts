import type { ModelMessage, ModelSettings, ModelTool } from '@hooks/core';
import type { ModelRequest, Prepared } from '@hooks/core/adapter';
import type { ModelParams, ModelPrompt } from '../sdk.ts';

type PromptMessage = ModelPrompt[number];
type Send = Extract<Prepared, { readonly kind: 'send' }>;

/** A request to a model, as hooks see it. */
export function requestOf(params: ModelParams): ModelRequest {
  const { prompt, tools = [], temperature, maxOutputTokens } = params;
  return {
    instructions: prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
    messages: messagesOf(prompt),
    tools: tools.map(toolOf),
    settings: {
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    },
    native: params,
  };
}

/** The request as hooks left it, with their context as another system message. */
export function changedParams(params: ModelParams, { patch, context }: Send): ModelParams {
  const { instructions, messages, tools, settings } = patch;
  if (context.length === 0 && Object.keys(patch).length === 0) return params;
  const system =
    instructions === undefined ? params.prompt.filter(({ role }) => role === 'system') : [said(instructions)];
  const rest =
    messages === undefined ? params.prompt.filter(({ role }) => role !== 'system') : messages.map(promptOf);
  const kept = params.tools?.flatMap((tool) => {
    const left = tools?.find(({ name }) => name === tool.name);
    if (tools !== undefined && left === undefined) return [];
    const described = left?.description !== undefined && 'inputSchema' in tool;
    return [described ? { ...tool, description: left.description } : tool];
  });
  return {
    ...params,
    // Some providers accept system messages only at the beginning.
    prompt: [...system, ...context.map(said), ...rest],
    ...(kept && { tools: kept }),
    ...(settings && nativeSettings(settings)),
  };
}

function nativeSettings({ temperature, maxTokens, reasoningEffort }: ModelSettings): Partial<ModelParams> {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort === 'off' ? 'none' : reasoningEffort }),
  };
}

function said(content: string): PromptMessage {
  return { role: 'system', content };
}

function toolOf(native: NonNullable<ModelParams['tools']>[number]): ModelTool {
  const { name } = native;
  const description = 'description' in native ? native.description : undefined;
  return { name, native, ...(description !== undefined && { description }) };
}

/** The messages of a prompt, each tool result as one of its own: hooks could not change it otherwise. */
function messagesOf(prompt: ModelPrompt): readonly ModelMessage[] {
  return prompt.flatMap((message) => {
    if (message.role === 'system') return [];
    if (message.role !== 'tool') return [messageOf(message)];
    return message.content.map((part) => messageOf({ ...message, content: [part] }));
  });
}

function messageOf(native: PromptMessage): ModelMessage {
  const { role, content } = native;
  if (typeof content === 'string') return { role, text: content, native };
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'tool-result' ? resultText(part.output) : '';
  });
  return { role, text: texts.filter((text) => text !== '').join('\n'), native };
}

/** A message as hooks left it: the original where its text is untouched. */
function promptOf({ role, text, native }: ModelMessage): PromptMessage {
  const original = isPromptMessage(native) ? native : undefined;
  if (original !== undefined && messageOf(original).text === text) return original;
  const part = { type: 'text', text } as const;
  if (role === 'system') return said(text);
  if (role === 'tool' && original?.role === 'tool')
    return { ...original, content: original.content.map((result) => withResult(result, text)) };
  if (role !== 'assistant') return { role: 'user', content: [part] };
  const others = original?.role === 'assistant' ? original.content : [];
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

function resultText(output: Extract<ToolPart, { readonly type: 'tool-result' }>['output']): string {
  if (!('value' in output)) return output.reason ?? '';
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}
