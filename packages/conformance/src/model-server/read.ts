import type { WireRequest } from './endpoint.ts';
import { BadRequest, list, object, string } from './json.ts';
import type { ModelMessage, ModelSettings, ModelTool } from './request.ts';

/** The fields of a body that have the same name in both endpoints. */
export type SharedField =
  | 'model'
  | 'tools'
  | 'stream'
  | 'temperature'
  | 'top_p'
  | 'tool_choice'
  | 'parallel_tool_calls';

/** Reads a request: the shared fields, and those that each endpoint reads in its own way. */
export function readRequest(
  body: { readonly [field in SharedField]?: unknown },
  own: Pick<WireRequest, 'endpoint' | 'messages'> & {
    readonly readTool: (raw: unknown, index: number) => ModelTool;
    readonly settings: { readonly [key in keyof ModelSettings]: unknown };
  },
): WireRequest {
  const { endpoint, messages, readTool, settings } = own;
  return {
    endpoint,
    model: string(body.model, 'model'),
    system: systemText(messages),
    messages,
    tools: list(body.tools ?? [], 'tools').map(readTool),
    settings: readSettings({
      temperature: body.temperature,
      topP: body.top_p,
      toolChoice: body.tool_choice,
      parallelToolCalls: body.parallel_tool_calls,
      ...settings,
    }),
    stream: body.stream === true,
  };
}

const roles: ReadonlyMap<unknown, ModelMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

export function readRole(value: unknown, path: string): ModelMessage['role'] {
  const role = roles.get(value);
  if (role) return role;
  throw new BadRequest(
    `${path} must be one of ${[...roles.keys()].join(', ')}, but is ${JSON.stringify(value)}.`,
  );
}

/** The text of a message's content: a string, or parts. A part without text becomes `[type]`. */
export function readContent(content: unknown, path: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return list(content, path)
    .map((part, index) => {
      const { type, text, refusal } = object<'type' | 'text' | 'refusal'>(part, `${path}[${index}]`);
      if (typeof text === 'string') return text;
      return typeof refusal === 'string' ? refusal : `[${String(type)}]`;
    })
    .join('');
}

/** The settings among these wire fields. A field of the wrong type counts as not sent. */
function readSettings(wire: { readonly [key in keyof ModelSettings]: unknown }): ModelSettings {
  return {
    ...(typeof wire.temperature === 'number' && { temperature: wire.temperature }),
    ...(typeof wire.topP === 'number' && { topP: wire.topP }),
    ...(typeof wire.maxTokens === 'number' && { maxTokens: wire.maxTokens }),
    ...(typeof wire.reasoningEffort === 'string' && { reasoningEffort: wire.reasoningEffort }),
    ...(typeof wire.reasoningSummary === 'string' && { reasoningSummary: wire.reasoningSummary }),
    ...readToolChoice(wire.toolChoice),
    ...(typeof wire.parallelToolCalls === 'boolean' && { parallelToolCalls: wire.parallelToolCalls }),
  };
}

function readToolChoice(choice: unknown): Pick<ModelSettings, 'toolChoice'> {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { toolChoice: choice };
  if (typeof choice !== 'object' || choice === null) return {};
  const named = object<'name' | 'function'>(choice, 'tool_choice');
  const { name } = named.function ? object<'name'>(named.function, 'tool_choice.function') : named;
  return typeof name === 'string' ? { toolChoice: { name } } : {};
}

/** The system texts of a conversation, joined by empty lines. */
function systemText(messages: readonly ModelMessage[]): string {
  return messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n\n');
}
