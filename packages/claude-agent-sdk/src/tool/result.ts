import type { ToolCallOutcome } from '@hooks/core';
import { failureText } from '@hooks/core/adapter';
import { isRecord } from '../sdk.ts';
import { readContent } from './shape.ts';

/** A response of an MCP server to a call. */
export interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a tool of this process reported as its failure. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly reply: Reply;

  constructor(message: string, reply: Reply) {
    super(message);
    this.reply = reply;
  }
}

/** The output of a call: the text of a result that is nothing but text, or the whole result. Throws if it failed. */
export function outputOf(reply: Reply): unknown {
  const { result, error } = reply;
  if (error !== undefined)
    throw new ToolFailure(error.data === undefined ? error.message : JSON.stringify(error), reply);
  if (!isRecord(result)) return result;
  const { content, isError, ...rest } = result;
  const text = Object.keys(rest).length === 0 ? readContent(content) : undefined;
  if (isError === true)
    throw new ToolFailure(typeof text === 'string' ? text : JSON.stringify({ content, ...rest }), reply);
  return typeof text === 'string' ? text : result;
}

/** The response to Claude Code. What hooks left unchanged is the server's own. */
export function replyOf(outcome: ToolCallOutcome, reply: Reply | undefined, output: unknown): Reply {
  const { status, error } = outcome;
  if (status === 'ok') {
    if (reply !== undefined && outcome.output === output) return reply;
    return { result: resultOf(outcome.output) };
  }
  if (status === 'error' && error instanceof ToolFailure) return error.reply;
  return { result: failed(failureText(outcome)) };
}

export function failed(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}

/** A result of MCP with a hook's output. */
function resultOf(output: unknown): object {
  if (isRecord(output) && Array.isArray(output['content'])) return output;
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return { content: [{ type: 'text', text }] };
}
