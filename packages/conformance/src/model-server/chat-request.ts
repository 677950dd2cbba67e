import type { WireRequest } from './endpoint.ts';
import { list, object, string } from './json.ts';
import { readContent, readRequest, readRole, type SharedField } from './read.ts';
import type { ModelMessage, ModelTool, ModelToolCall } from './request.ts';

/** Reads the body of `POST /v1/chat/completions`. */
export function readChatRequest(raw: unknown): WireRequest {
  const body = object<BodyField>(raw, 'The body');
  return readRequest(body, {
    endpoint: 'chat.completions',
    messages: list(body.messages, 'messages').map(readMessage),
    readTool,
    settings: {
      maxTokens: body.max_completion_tokens ?? body.max_tokens,
      reasoningEffort: body.reasoning_effort,
    },
  });
}

type BodyField = SharedField | 'messages' | 'max_tokens' | 'max_completion_tokens' | 'reasoning_effort';

function readMessage(raw: unknown, index: number): ModelMessage {
  const path = `messages[${index}]`;
  const message = object<'role' | 'content' | 'tool_calls' | 'tool_call_id'>(raw, path);
  const role = readRole(message.role, `${path}.role`);
  const content = readContent(message.content, `${path}.content`);
  if (role === 'tool') {
    return { role, content, toolCallId: string(message.tool_call_id, `${path}.tool_call_id`) };
  }
  const calls = list(message.tool_calls ?? [], `${path}.tool_calls`);
  if (calls.length === 0) return { role, content };
  return { role, content, toolCalls: calls.map((call, n) => readToolCall(call, `${path}.tool_calls[${n}]`)) };
}

function readToolCall(raw: unknown, path: string): ModelToolCall {
  const call = object<'id' | 'function'>(raw, path);
  const made = object<'name' | 'arguments'>(call.function, `${path}.function`);
  return {
    id: string(call.id, `${path}.id`),
    name: string(made.name, `${path}.function.name`),
    arguments: string(made.arguments, `${path}.function.arguments`),
  };
}

function readTool(raw: unknown, index: number): ModelTool {
  const path = `tools[${index}]`;
  const tool = object<'type' | 'function'>(raw, path);
  if (tool.type !== 'function') return { name: string(tool.type, `${path}.type`) };
  const made = object<'name' | 'description' | 'parameters'>(tool.function, `${path}.function`);
  return {
    name: string(made.name, `${path}.function.name`),
    ...(typeof made.description === 'string' && { description: made.description }),
    ...(made.parameters !== undefined && { parameters: made.parameters }),
  };
}
