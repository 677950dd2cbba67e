import { BlockedError, type RunToolCall } from '@hooks/core/adapter';
import type { ToolCallOutcome, ToolResult } from '@hooks/core/tool-call';
import { ToolMessage } from '@langchain/core/messages';
import { refusal } from '../blocked.ts';
import { isControlFlow } from '../internals.ts';
import { answerMessage, outputOf, replaced, withOutput } from './result.ts';
import type { HookableTool } from './tool.ts';

/**
 * A failure that a tool or a middleware reported in a message instead of throwing. Its own message has the text, and the rest
 * of the content as JSON: hooks read all that the model reads.
 */
class ReportedFailure extends Error {
  readonly answer: ToolMessage;

  constructor(answer: ToolMessage) {
    super([answer.text, restOf(answer)].filter((text) => text !== '').join('\n'));
    this.answer = answer;
  }
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

/** An error whose text has more than its message, in the form that hooks read. */
class ThrownFailure extends Error {
  readonly thrown: Error;

  constructor(thrown: Error) {
    super(String(thrown));
    this.thrown = thrown;
  }
}

/**
 * What a tool threw, as hooks see it. LangChain gives the model the error as text, with its name, and some clients take
 * that from what a server sent.
 */
function thrownOf(error: unknown): unknown {
  if (!(error instanceof Error) || isControlFlow(error)) return error;
  const { message, constructor: made } = error;
  // A name that the class has not given may be anything.
  const name = Object.hasOwn(error, 'name') ? made.name : error.name;
  const isPlain = String(error) === (message === '' ? name : `${name}: ${message}`);
  return isPlain ? error : new ThrownFailure(error);
}

/** The result for the framework of a call whose tool returned `raw`. */
export function conclude(
  call: RunToolCall,
  outcome: ToolCallOutcome,
  raw: unknown,
  tool: HookableTool | undefined,
): unknown {
  if (outcome.status === 'ok') return withOutput(raw, outcome.output, tool, call.callId);
  if (outcome.status === 'error') return failure(outcome, raw);
  if (call.callId === undefined) throw new BlockedError(outcome);
  return refusal(outcome, call.callId, call.toolName);
}

/** A failure that was reported in a message stays a message, with the text from the hooks. */
function failure({ error, aborted }: ToolCallOutcome, raw: unknown): ToolMessage {
  if (error instanceof ReportedFailure) return error.answer;
  if (error instanceof ThrownFailure) throw error.thrown;
  if (aborted || !isReport(raw)) throw error;
  return replaced(raw, error instanceof Error ? error.message : String(error));
}

/** The output that hooks see of a tool's raw result. Throws if the result reports a failure. */
function shownOf(raw: unknown, callId: string | undefined): unknown {
  if (isReport(raw)) throw new ReportedFailure(raw);
  return outputOf(raw, callId);
}

/** What a tool returned or threw, as hooks see it. */
export function resultOf(raw: ToolResult, callId: string | undefined): ToolResult {
  if ('error' in raw) return { error: thrownOf(raw.error) };
  try {
    return { output: shownOf(raw.output, callId) };
  } catch (error) {
    return { error };
  }
}

/** Whether a tool's raw result reports a failure. */
function isReport(raw: unknown): raw is ToolMessage {
  return ToolMessage.isInstance(raw) && raw.status === 'error';
}

/** The result for the framework, from inside the tool's function. */
export function concludeInside(
  call: RunToolCall,
  outcome: ToolCallOutcome,
  raw: unknown,
  tool: HookableTool | undefined,
): unknown {
  return inside(conclude(call, outcome, raw, tool), tool);
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
