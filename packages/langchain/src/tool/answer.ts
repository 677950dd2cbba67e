import { BlockedError, errorText, type RunToolCall } from '@hooks/core/adapter';
import type { ToolCallOutcome, ToolResult } from '@hooks/core/tool-call';
import { ToolMessage } from '@langchain/core/messages';
import { refusal, withoutWrittenMark } from '../blocked.ts';
import { isControlFlow } from '../internals.ts';
import {
  type AnsweredCall,
  answerMessage,
  isNothing,
  otherFields,
  outputOf,
  replaced,
  textOf,
  withOutput,
} from './result.ts';
import type { HookableTool } from './tool.ts';

/**
 * A failure that a tool or a middleware reported in a message instead of throwing. Its own message has the text, and the rest
 * of the content and the other fields as JSON: hooks read all that the model and the user read.
 */
class ReportedFailure extends Error {
  readonly answer: ToolMessage;

  constructor(answer: ToolMessage, call: AnsweredCall) {
    const beside = besideOf(answer, call);
    super([answer.text, restOf(answer), beside].filter((text) => text).join('\n'));
    this.answer = beside === undefined ? replaced(answer, answer.content, call) : answer;
  }
}

/** The artifact and the other fields of a message as JSON; undefined if JSON cannot show all of them. */
function besideOf(answer: ToolMessage, call: AnsweredCall): string | undefined {
  const artifact = withoutWrittenMark(answer);
  const fields = otherFields(answer, call);
  const parts = fields === undefined ? artifact : { artifact, ...fields };
  return isNothing(parts) ? '' : textOf(parts);
}

/** The content of a message besides its text: other blocks, and other fields of texts. */
function restOf({ content }: ToolMessage): string {
  if (!Array.isArray(content)) return '';
  const rest = content.flatMap((block) => {
    if (block.type !== 'text' || typeof block.text !== 'string') return [block];
    const { text: _, ...fields } = block;
    return Object.keys(fields).length > 1 ? [fields] : [];
  });
  return rest.length > 0 ? JSON.stringify(rest) : '';
}

/** A thrown value whose text is not its message, in the form that hooks read. */
class ThrownFailure extends Error {
  readonly thrown: unknown;

  constructor(text: string, thrown: unknown) {
    super(text);
    this.thrown = thrown;
  }
}

/**
 * What a tool threw, as hooks see it. LangChain gives the model the error as text, with its name, and some clients take
 * that from what a server sent. LangGraph's ToolNode gives it the `message` of whatever was thrown.
 */
function thrownOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || isControlFlow(error)) return error;
  const message: unknown = Reflect.get(error, 'message');
  const text = textOfThrown(error);
  if (text === undefined) return error;
  if (error instanceof Error) {
    // A name that the class has not given may be anything.
    const name = Object.hasOwn(error, 'name') ? error.constructor.name : error.name;
    if (text === (message === '' ? name : `${name}: ${message}`)) return error;
  } else if (message === undefined) return error;
  return new ThrownFailure(text.includes(String(message)) ? text : `${text}\n${message}`, error);
}

/** The text of what was thrown; undefined if it has none. */
function textOfThrown(error: object): string | undefined {
  try {
    return String(error);
  } catch {
    return undefined;
  }
}

/** The result for the framework of a call whose tool returned `raw`. */
export function conclude(
  call: RunToolCall,
  outcome: ToolCallOutcome,
  raw: unknown,
  tool: HookableTool | undefined,
): unknown {
  if (outcome.status === 'ok') return withOutput(raw, outcome.output, tool, call);
  if (outcome.status === 'error') return failure(outcome, raw, call);
  if (call.callId === undefined) throw new BlockedError(outcome);
  return refusal(outcome, call.callId, call.toolName);
}

/** A failure that was reported in a message stays a message, with the text from the hooks. */
function failure({ error, aborted }: ToolCallOutcome, raw: unknown, call: AnsweredCall): ToolMessage {
  if (error instanceof ReportedFailure) return error.answer;
  if (error instanceof ThrownFailure) throw error.thrown;
  if (aborted || !isReport(raw)) throw error;
  const text = errorText(error);
  const beside = besideOf(raw, call);
  // What is not the model's to read does not become text that it reads.
  return replaced(
    raw,
    beside && text.endsWith(`\n${beside}`) ? text.slice(0, -beside.length - 1) : text,
    call,
  );
}

/** What a tool returned or threw, as hooks see it. */
export function resultOf(raw: ToolResult, call: AnsweredCall): ToolResult {
  if ('error' in raw) return { error: thrownOf(raw.error) };
  return isReport(raw.output)
    ? { error: new ReportedFailure(raw.output, call) }
    : { output: outputOf(raw.output, call) };
}

/** Whether a tool's raw result reports a failure. */
function isReport(raw: unknown): raw is ToolMessage {
  return ToolMessage.isInstance(raw) && raw.status === 'error';
}

/** A result in the form that the tool's function must return. */
export function inside(result: unknown, tool: HookableTool | undefined): unknown {
  const pair = tool?.responseFormat === 'content_and_artifact';
  return pair && ToolMessage.isInstance(result) ? [result, undefined] : result;
}

/** The result for the framework of a call whose tool never ran. */
export function concludeUnrun(
  call: RunToolCall,
  outcome: ToolCallOutcome,
  tool: HookableTool | undefined,
): unknown {
  if (outcome.status !== 'ok') return conclude(call, outcome, undefined, tool);
  return call.callId === undefined
    ? outcome.output
    : answerMessage(outcome.output, tool, call.callId, call.toolName);
}
