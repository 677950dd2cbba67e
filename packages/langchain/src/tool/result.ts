import type { ToolDescriptor } from '@hooks/core';
import { canonicalJson, isSameInput } from '@hooks/core/adapter';
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
    description: tool.description,
    inputSchema: isSchema(schema) ? () => jsonSchemaOf(schema) : undefined,
    annotations,
  };
}

/** `@langchain/mcp-adapters` puts what the server says about a tool into its metadata. */
function isMcp(tool: HookableTool): boolean {
  return tool.metadata !== undefined && ('annotations' in tool.metadata || 'mcp' in tool.metadata);
}

/** The call that a result answers, as far as its messages need it. */
export interface AnsweredCall {
  readonly callId?: string | undefined;
  readonly toolName: string;
}

/** The output that hooks see of a tool's raw result: that of a message, or of the messages in a command. */
export function outputOf(raw: unknown, call: AnsweredCall): unknown {
  const answers = answersOf(raw, call.callId);
  const [answer] = answers;
  if (answer === undefined) return raw;
  return answers.length === 1 ? partsOf(answer, call) : answers.map((one) => partsOf(one, call));
}

/** The messages in a tool's raw result that answer the call. More than one only if a command repeats itself. */
export function answersOf(raw: unknown, callId: string | undefined): readonly ToolMessage[] {
  const answers: ToolMessage[] = [];
  withAnswers(raw, callId, (answer) => {
    answers.push(answer);
    return answer;
  });
  return answers;
}

/**
 * The content of a message; with its artifact, if it has one, in the form of `content_and_artifact`; with its other fields
 * as a third part, if it has any. What hooks do not see here, nobody gets.
 */
function partsOf(message: ToolMessage, call: AnsweredCall): unknown {
  const { content, artifact } = message;
  const fields = otherFields(message, call);
  if (fields !== undefined) return [content, artifact ?? null, fields];
  return artifact === undefined ? content : [content, artifact];
}

/** The fields of a message that are shown otherwise, tell its place in the history, or are LangChain's own. */
const USUAL: ReadonlySet<string> = new Set([
  'content',
  'artifact',
  'id',
  'status',
  'type',
  'lc_direct_tool_output',
  'lc_kwargs',
  'lc_namespace',
  'lc_serializable',
]);

/** What a message has besides its content and artifact; undefined if nothing. */
export function otherFields(
  message: ToolMessage,
  { callId = message.tool_call_id, toolName }: AnsweredCall,
): Record<string, unknown> | undefined {
  // The serialized message has the fields that its constructor got, whatever they are.
  const { name, tool_call_id, ...fields } = { ...message.lc_kwargs, ...message };
  const other = Object.entries(fields).filter(([field, value]) => !USUAL.has(field) && !isNothing(value));
  if (!isNothing(name) && name !== toolName) other.push(['name', name]);
  if (!isNothing(tool_call_id) && tool_call_id !== callId) other.push(['tool_call_id', tool_call_id]);
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** Whether a field is missing or empty. */
export function isNothing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === '';
  return Object.keys(value).length === 0 && Reflect.getPrototypeOf(value) === Object.prototype;
}

/** Whether an output is what hooks saw. */
function isShown(output: unknown, shown: unknown): boolean {
  if (output === shown || isSameInput(output, shown)) return true;
  // An artifact may be any object.
  if (!Array.isArray(output) || !Array.isArray(shown)) return false;
  return output.length === shown.length && output.every((part, nth) => isShown(part, shown[nth]));
}

/** The raw result with the output from the hooks. A replaced output drops what it does not include. */
export function withOutput(
  raw: unknown,
  output: unknown,
  tool: HookableTool | undefined,
  call: AnsweredCall,
): unknown {
  if (isShown(output, outputOf(raw, call))) return raw;
  if (ToolMessage.isInstance(raw)) return replaced(raw, output, call);
  const { length } = answersOf(raw, call.callId);
  if (length > 0) {
    const each = length > 1 && Array.isArray(output) && output.length === length && !isBlocks(output);
    const left: unknown[] = each ? [...output] : [output];
    return withAnswers(raw, call.callId, (answer) =>
      left.length === 0 ? undefined : replaced(answer, left.shift(), call),
    );
  }
  return tool?.responseFormat === 'content_and_artifact' ? asPair(output) : output;
}

/** A tool's raw result with other answers to the call, or without those that `map` leaves out. */
export function withAnswers(
  raw: unknown,
  callId: string | undefined,
  map: (answer: ToolMessage) => ToolMessage | undefined,
): unknown {
  if (!isCommandResult(raw)) return ToolMessage.isInstance(raw) ? map(raw) : raw;
  const pairs = writesOf(raw).map(([channel, value]) => {
    if (channel !== 'messages') return [channel, value] as const;
    const messages = [value].flat().flatMap((message) => {
      const answer = asAnswer(message, callId);
      return answer === undefined ? [message] : (map(answer) ?? []);
    });
    return [channel, messages] as const;
  });
  const update = Array.isArray(raw.update) ? pairs : Object.fromEntries(pairs);
  return Object.assign(Object.create(Object.getPrototypeOf(raw)), raw, { update });
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

/**
 * The same answer with another content, and nothing else of the old one. An artifact and other fields are kept only if the
 * output has them, too.
 */
export function replaced(message: ToolMessage, output: unknown, call: AnsweredCall): ToolMessage {
  const { name, id, status, tool_call_id } = message;
  const shown = partsOf(message, call);
  const [content, artifact, fields] = shown === message.content ? [output] : asParts(output);
  return new ToolMessage({
    ...(typeof fields === 'object' && fields),
    content: asContent(content),
    ...(artifact !== undefined && artifact !== null && { artifact }),
    tool_call_id: call.callId ?? tool_call_id,
    ...(name !== undefined && { name: call.toolName }),
    ...(id !== undefined && { id }),
    ...(status !== undefined && { status }),
  });
}

/** Content, artifact and other fields in the output of a hook. */
function asParts(output: unknown): readonly [content: unknown, artifact?: unknown, fields?: unknown] {
  const all = Array.isArray(output) && output.length === 3 && !isBlocks(output);
  return all ? [output[0], output[1], output[2]] : asPair(output);
}

/** What a command writes. Its update is a list of pairs or an object. */
function writesOf({ update }: Command): readonly (readonly [channel: string, value: unknown])[] {
  return Array.isArray(update) ? update : Object.entries(Object(update));
}

/** The message if it answers the call. LangGraph accepts several forms of messages. */
function asAnswer(message: unknown, callId: string | undefined): ToolMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (callId === undefined || Reflect.get(message, 'tool_call_id') !== callId) return undefined;
  const answer = coerceMessageLikeToMessage(message as BaseMessageLike);
  return ToolMessage.isInstance(answer) ? answer : undefined;
}
