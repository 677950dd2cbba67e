import type { Execute, ToolCallOutcome } from '@hooks/core';
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

/** A call between core and the server of its tool: what hooks leave unchanged is the server's own response. */
export class Exchange {
  #reply: Reply | undefined;
  #output: unknown;

  /** Runs a tool by a request to its server. */
  by(request: (...running: Parameters<Execute>) => Promise<Reply>): Execute {
    return async (...running) => {
      this.#reply = undefined;
      this.#reply = await request(...running);
      this.#output = outputOf(this.#reply);
      return this.#output;
    };
  }

  /** The response to the caller. Undefined if something else than the tool has failed. */
  answer(outcome: ToolCallOutcome): Reply | undefined {
    const { status, error, output } = outcome;
    if (status === 'ok')
      return output === this.#output && this.#reply ? this.#reply : { result: resultOf(output) };
    if (status !== 'error') return { result: failed(failureText(outcome)) };
    return error instanceof ToolFailure ? error.reply : undefined;
  }
}

/** The output of a call: the text of a result that is nothing but text, or the whole result. Throws if it failed. */
function outputOf(reply: Reply): unknown {
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

export function failed(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}

/** A result of MCP with a hook's output. */
function resultOf(output: unknown): object {
  if (isRecord(output) && Array.isArray(output['content'])) return output;
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return { content: [{ type: 'text', text }] };
}
