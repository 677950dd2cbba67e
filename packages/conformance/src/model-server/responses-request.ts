import type { WireRequest } from './endpoint.ts';
import { BadRequest, list, object, string } from './json.ts';
import { readContent, readRole, readSettings, systemText } from './read.ts';
import type { ModelMessage, ModelTool } from './request.ts';

/** Reads the body of `POST /v1/responses`. */
export function readResponsesRequest(raw: unknown): WireRequest {
  const body = object<BodyField>(raw, 'The body');
  refuseStored(body);
  const messages = [...readInstructions(body.instructions), ...readInput(body.input)];
  const reasoning = object<'effort' | 'summary'>(body.reasoning ?? {}, 'reasoning');
  return {
    endpoint: 'responses',
    model: string(body.model, 'model'),
    system: systemText(messages),
    messages,
    tools: list(body.tools ?? [], 'tools').map(readTool),
    settings: readSettings({
      temperature: body.temperature,
      topP: body.top_p,
      maxTokens: body.max_output_tokens,
      reasoningEffort: reasoning.effort,
      reasoningSummary: reasoning.summary,
      toolChoice: body.tool_choice,
      parallelToolCalls: body.parallel_tool_calls,
    }),
    stream: body.stream === true,
  };
}

type BodyField =
  | 'model'
  | 'input'
  | 'instructions'
  | 'tools'
  | 'stream'
  | 'temperature'
  | 'top_p'
  | 'max_output_tokens'
  | 'reasoning'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | StoredField;

type StoredField = 'previous_response_id' | 'conversation';

/** This server keeps no responses; a conversation without its beginning would be answered wrongly. */
function refuseStored(body: { readonly [key in StoredField]?: unknown }): void {
  for (const field of ['previous_response_id', 'conversation'] as const) {
    if (body[field] === undefined || body[field] === null) continue;
    throw new BadRequest(`${field} is not supported: this server stores nothing. Send the whole input.`);
  }
}

function readInstructions(instructions: unknown): readonly ModelMessage[] {
  if (typeof instructions !== 'string' || instructions === '') return [];
  return [{ role: 'system', content: instructions }];
}

function readInput(input: unknown): readonly ModelMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return list(input, 'input').flatMap((item, index) => readItem(item, `input[${index}]`));
}

function readItem(raw: unknown, path: string): readonly ModelMessage[] {
  const item = object<ItemField>(raw, path);
  switch (item.type ?? 'message') {
    case 'message':
      return [
        { role: readRole(item.role, `${path}.role`), content: readContent(item.content, `${path}.content`) },
      ];
    case 'function_call': {
      const call = {
        id: string(item.call_id, `${path}.call_id`),
        name: string(item.name, `${path}.name`),
        arguments: string(item.arguments, `${path}.arguments`),
      };
      return [{ role: 'assistant', content: '', toolCalls: [call] }];
    }
    case 'function_call_output': {
      const content = readContent(item.output, `${path}.output`);
      return [{ role: 'tool', content, toolCallId: string(item.call_id, `${path}.call_id`) }];
    }
    case 'item_reference':
      throw new BadRequest(
        `${path} is an item_reference, but this server stores nothing. Send the item itself.`,
      );
    default:
      return []; // reasoning and the calls that a provider runs itself are no part of the conversation
  }
}

type ItemField = 'type' | 'role' | 'content' | 'call_id' | 'name' | 'arguments' | 'output';

function readTool(raw: unknown, index: number): ModelTool {
  const path = `tools[${index}]`;
  const tool = object<'type' | 'name' | 'description' | 'parameters'>(raw, path);
  if (tool.type !== 'function') return { name: string(tool.type, `${path}.type`) };
  return {
    name: string(tool.name, `${path}.name`),
    ...(typeof tool.description === 'string' && { description: tool.description }),
    ...(tool.parameters !== undefined && tool.parameters !== null && { parameters: tool.parameters }),
  };
}
