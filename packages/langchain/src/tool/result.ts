import type { ToolDescriptor } from '@hooks/core';
import { canonicalJson } from '@hooks/core/adapter';
import { type BaseMessageLike, coerceMessageLikeToMessage, ToolMessage } from '@langchain/core/messages';
import { type Command, isCommandResult } from '../internals.ts';
import { isSchema, jsonSchemaOf } from './schema.ts';
import type { HookableTool } from './tool.ts';

/** An input as text, to notice changes in place; undefined if JSON cannot show all of it. */
export function textOf(input: unknown): string | undefined {
  try {
    return canonicalJson(input);
  } catch {
    return undefined;
  }
}

/** How hooks see a tool. */
export function descriptor(tool: HookableTool): ToolDescriptor {
  const hints = tool.metadata?.['annotations'];
  const annotations =
    typeof hints === 'object' && hints !== null ? (hints as ToolDescriptor['annotations']) : undefined;
  const { schema } = tool;
  return {
    kind: isMcp(tool) ? 'mcp' : 'function',
    ref: tool,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(isSchema(schema) && { inputSchema: () => jsonSchemaOf(schema) }),
    ...(annotations !== undefined && { annotations }),
  };
}

/** `@langchain/mcp-adapters` puts what the server says about a tool into its metadata. */
function isMcp(tool: HookableTool): boolean {
  return tool.metadata !== undefined && ('annotations' in tool.metadata || 'mcp' in tool.metadata);
}

/** The output that hooks see of a tool's raw result: that of a message, or of the message in a command. */
export function outputOf(raw: unknown, callId: string | undefined): unknown {
  const answer = answerOf(raw, callId);
  return answer === undefined ? raw : partsOf(answer);
}

/** The message in a tool's raw result that answers the call. */
export function answerOf(raw: unknown, callId: string | undefined): ToolMessage | undefined {
  if (ToolMessage.isInstance(raw)) return raw;
  return isCommandResult(raw) ? answerIn(raw, callId) : undefined;
}

/** The content of a message; with its artifact, if it has one, in the form of `content_and_artifact`. */
function partsOf({ content, artifact }: ToolMessage): unknown {
  return artifact === undefined ? content : [content, artifact];
}

/** Whether an output is what hooks saw. */
function isShown(output: unknown, raw: unknown, callId: string | undefined): boolean {
  const shown = outputOf(raw, callId);
  if (output === shown) return true;
  const pairs = Array.isArray(output) && Array.isArray(shown) && shown.length === 2 && output.length === 2;
  return pairs && output[0] === shown[0] && output[1] === shown[1];
}

/** The raw result with the output from the hooks. A replaced output drops the artifact, unless it includes one. */
export function withOutput(
  raw: unknown,
  output: unknown,
  tool: HookableTool | undefined,
  callId: string | undefined,
): unknown {
  if (isShown(output, raw, callId)) return raw;
  if (ToolMessage.isInstance(raw)) return replaced(raw, output);
  if (isCommandResult(raw) && answerIn(raw, callId) !== undefined) {
    const pairs = writesOf(raw).map(([channel, value]) => {
      if (channel !== 'messages') return [channel, value] as const;
      const messages = [value].flat().map((message) => {
        const answer = asAnswer(message, callId);
        return answer === undefined ? message : replaced(answer, output);
      });
      return [channel, messages] as const;
    });
    const update = Array.isArray(raw.update) ? pairs : Object.fromEntries(pairs);
    return Object.assign(Object.create(Object.getPrototypeOf(raw)), raw, { update });
  }
  return tool?.responseFormat === 'content_and_artifact' ? asPair(output) : output;
}

/** The answer to a call whose output is not from the tool's own run. */
export function answerMessage(
  output: unknown,
  tool: HookableTool | undefined,
  callId: string,
  name: string,
): unknown {
  if (ToolMessage.isInstance(output) || isCommandResult(output)) return output;
  const [content, artifact] = tool?.responseFormat === 'content_and_artifact' ? asPair(output) : [output];
  return new ToolMessage({
    content: asContent(content),
    artifact,
    tool_call_id: callId,
    name,
    status: 'success',
  });
}

/** The message for a tool that threw, with the text of `createAgent` without middleware. */
export function failureMessage(error: unknown, callId: string, name: string): ToolMessage {
  return new ToolMessage({
    content: `${error}\n Please fix your mistakes.`,
    tool_call_id: callId,
    name,
    status: 'error',
  });
}

/** Whether LangChain treats a value as an async generator. */
export function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    'next' in value &&
    typeof value.next === 'function'
  );
}

/** Content and artifact in the output of a hook. */
function asPair(output: unknown): readonly [unknown, unknown] {
  const pair = Array.isArray(output) && output.length === 2 && !isBlocks(output);
  return pair ? [output[0], output[1]] : [output, undefined];
}

function asContent(content: unknown): ToolMessage['content'] {
  return typeof content === 'string' || isBlocks(content) ? content : (JSON.stringify(content) ?? '');
}

function isBlocks(content: unknown): content is Exclude<ToolMessage['content'], string> {
  return Array.isArray(content) && content.every((block) => block?.type !== undefined);
}

/** The same answer with another content, and nothing else of the old one. An artifact is kept only if the output has one, too. */
export function replaced(message: ToolMessage, output: unknown): ToolMessage {
  const { tool_call_id, name, id, status } = message;
  const [content, artifact] = message.artifact === undefined ? [output] : asPair(output);
  return new ToolMessage({
    content: asContent(content),
    ...(artifact !== undefined && { artifact }),
    tool_call_id,
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    ...(status !== undefined && { status }),
  });
}

/** What a command writes. Its update is a list of pairs or an object. */
function writesOf({ update }: Command): readonly (readonly [channel: string, value: unknown])[] {
  return Array.isArray(update) ? update : Object.entries(Object(update));
}

/** The answer to a call in the messages of a command. */
function answerIn(command: Command, callId: string | undefined): ToolMessage | undefined {
  for (const [channel, value] of writesOf(command)) {
    const messages = channel === 'messages' ? [value].flat() : [];
    for (const message of messages) {
      const answer = asAnswer(message, callId);
      if (answer !== undefined) return answer;
    }
  }
  return undefined;
}

/** The message if it answers the call. LangGraph accepts several forms of messages. */
function asAnswer(message: unknown, callId: string | undefined): ToolMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (callId === undefined || Reflect.get(message, 'tool_call_id') !== callId) return undefined;
  const answer = coerceMessageLikeToMessage(message as BaseMessageLike);
  return ToolMessage.isInstance(answer) ? answer : undefined;
}
