import type { WireRequest } from './endpoint.ts';
import { object, string } from './json.ts';
import { readContent, readRequest, readRole, type SharedField } from './read.ts';
import type { ModelMessage, ModelTool } from './request.ts';

/** Reads the body of `POST /v1/responses`. `input` is the whole input, with all references resolved. */
export function readResponsesRequest(raw: unknown, input: readonly unknown[]): WireRequest {
  const body = object<BodyField>(raw, 'The body');
  const items = input.flatMap((item, index) => readItem(item, `input[${index}]`));
  const reasoning = object<'effort' | 'summary'>(body.reasoning ?? {}, 'reasoning');
  return readRequest(body, {
    endpoint: 'responses',
    messages: [...readInstructions(body.instructions), ...items],
    readTool,
    settings: {
      maxTokens: body.max_output_tokens,
      reasoningEffort: reasoning.effort,
      reasoningSummary: reasoning.summary,
    },
  });
}

type BodyField = SharedField | 'instructions' | 'max_output_tokens' | 'reasoning';

function readInstructions(instructions: unknown): readonly ModelMessage[] {
  if (typeof instructions !== 'string' || instructions === '') return [];
  return [{ role: 'system', content: instructions }];
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
    default:
      return []; // reasoning and provider-run calls are not part of the conversation
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
