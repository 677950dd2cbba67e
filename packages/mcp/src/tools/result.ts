import { Validator } from '@cfworker/json-schema';
import type { ToolCallOutcome } from '@hooks/core';
import { type Fields, isFields, type RpcError, type RpcMessage } from '../message/message.ts';

/** A result with `isError`. The message is its text, and hooks see the whole result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly result: Fields;

  constructor(result: Fields) {
    super(textOf(result));
    this.result = result;
  }
}

/** The server responded with an error instead of a result. */
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

/** The output of a call. Throws if the call failed. */
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

/** The message of a failure, with the changes of hooks. */
export function failureText({ error }: ToolCallOutcome): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns a result that fits the tool's output schema. A result that hooks have changed may not fit it; clients reject
 * such a result unless it is marked as an error.
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
    return false; // The schema is unreadable, so treat the result as unfitting.
  }
}
