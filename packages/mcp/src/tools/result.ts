import { Validator } from '@cfworker/json-schema';
import type { ToolCallOutcome } from '@hooks/core';
import { type Fields, isFields, type RpcError, type RpcMessage } from '../message/message.ts';

/** A tool that says it has failed: what it said is the message, and hooks see the whole result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly result: Fields;

  constructor(result: Fields) {
    super(textOf(result));
    this.result = result;
  }
}

/** The server answered with an error in place of a result. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What the output of a call is, or throws where it failed. */
export function outputOf({ result, error }: RpcMessage): Fields {
  if (error !== undefined) throw new ServerError(error);
  if (result === undefined) throw new ServerError({ code: 0, message: 'The server returned no result.' });
  if (result['isError'] === true) throw new ToolFailure(result);
  return result;
}

function textOf({ content }: Fields): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => (isFields(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

/** The message of a failure, as hooks have replaced it. */
export function failureText({ error }: ToolCallOutcome): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A result that a client takes for what the tool's schema promises. One that hooks have changed may not fit it any more;
 * clients reject that, unless it is marked as an error.
 */
export function fitting(result: Fields, outputSchema: Fields | undefined): Fields {
  const { structuredContent, ...rest } = result;
  if (outputSchema === undefined || rest['isError'] === true) return result;
  if (structuredContent !== undefined && fits(structuredContent, outputSchema)) return result;
  const content: readonly unknown[] = Array.isArray(rest['content']) ? rest['content'] : [];
  return { ...rest, content: [...content, MISFIT], isError: true };
}

const MISFIT = {
  type: 'text',
  text: '(A policy changed this result. It no longer fits the output schema of the tool.)',
};

function fits(value: unknown, schema: Fields): boolean {
  try {
    return new Validator({ ...schema }, '2020-12').validate(value).valid;
  } catch {
    return false; // The schema cannot be read: nobody knows whether it fits.
  }
}
