import { BlockedError, type RunToolCall } from '@hooks/core/adapter';
import type { ToolCallOutcome } from '@hooks/core/tool-call';
import { ToolMessage } from '@langchain/core/messages';
import { refusal } from '../blocked.ts';
import { answerMessage, outputOf, replaced, withOutput } from './result.ts';
import type { HookableTool } from './tool.ts';

/** A failure that a tool, or a middleware in front of it, reported by a message instead of throwing. */
class ReportedFailure extends Error {
  readonly answer: ToolMessage;

  constructor(answer: ToolMessage) {
    super(answer.text);
    this.answer = answer;
  }
}

/** What the framework is to get of a call whose tool has answered `raw`. */
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

/** A failure that was reported stays reported, in the words that hooks left. */
function failure({ error, aborted }: ToolCallOutcome, raw: unknown): ToolMessage {
  if (error instanceof ReportedFailure) return error.answer;
  if (aborted || !isReport(raw)) throw error;
  return replaced(raw, error instanceof Error ? error.message : String(error));
}

/** What hooks are shown of a tool's raw result; throws a failure that it reports. */
export function shownOf(raw: unknown, callId: string | undefined): unknown {
  if (isReport(raw)) throw new ReportedFailure(raw);
  return outputOf(raw, callId);
}

/** Whether a tool's raw result tells of a failure. */
function isReport(raw: unknown): raw is ToolMessage {
  return ToolMessage.isInstance(raw) && raw.status === 'error';
}

/** The same, as the tool's function has to return it. */
export function concludeInside(
  call: RunToolCall,
  outcome: ToolCallOutcome,
  raw: unknown,
  tool: HookableTool | undefined,
): unknown {
  const result = conclude(call, outcome, raw, tool);
  const pair = tool?.responseFormat === 'content_and_artifact';
  return pair && ToolMessage.isInstance(result) ? [result, undefined] : result;
}

/** What the framework is to get of a call whose tool never ran. */
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
