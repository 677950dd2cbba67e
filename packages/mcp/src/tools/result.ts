import { runInNewContext } from 'node:vm';
import { Validator } from '@cfworker/json-schema';
import { type Fields, isFields, type RpcError, type RpcMessage, SERVER_ERROR } from '../message/message.ts';

/** A result with `isError`. The message has its text, and the rest of it as JSON: hooks see all of it. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly result: Fields;

  constructor(result: Fields) {
    const { content, isError: _, resultType, ...fields } = result;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
    const texts = parts.flatMap((part) => (isText(part) ? part.text : []));
    const others: readonly unknown[] = parts
      .filter((part) => part !== undefined)
      .flatMap((part): readonly unknown[] => (isText(part) ? beyondText(part) : [part]));
    const rest = {
      ...(others.length > 0 && { content: others }),
      ...fields,
      ...(resultType !== undefined && resultType !== 'complete' && { resultType }),
    };
    super(withRest(texts.join('\n'), rest));
    this.result = result;
  }
}

/** The server responded with an error instead of a result. The message has its `data`, too. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: number;
  readonly data: unknown;

  constructor(error: RpcError | Fields) {
    const { code, message, ...rest } = error;
    const isCode = Number.isInteger(code);
    super(
      withRest(typeof message === 'string' ? message : '', {
        ...(!isCode && { code }),
        ...(typeof message !== 'string' && { message }),
        ...rest,
      }),
    );
    this.code = isCode ? Number(code) : SERVER_ERROR;
    this.data = error.data;
  }
}

/** A text, and the fields beside it, if there are any. */
function withRest(text: string, rest: Fields): string {
  const json = JSON.stringify(rest);
  if (json === '{}') return text;
  return text === '' ? json : `${text}\n${json}`;
}

interface Text extends Fields {
  readonly text: string;
}

function isText(part: unknown): part is Text {
  return isFields(part) && part['type'] === 'text' && typeof part['text'] === 'string';
}

/** What a part has besides its text: annotations, metadata. */
function beyondText({ text: _, ...part }: Text): readonly Fields[] {
  return Object.keys(part).length > 1 ? [part] : [];
}

/** The output of a call. Throws if the call failed. */
export function outputOf({ result, error }: RpcMessage): Fields {
  if (error !== undefined) throw new ServerError(error);
  if (result === undefined) throw new ServerError({ code: 0, message: 'The server returned no result.' });
  if (result['isError'] === true) throw new ToolFailure(result);
  return result;
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

/** The schema is the server's: it may have an expression, or references, that take years. */
const LONGEST_CHECK_MS = 500;

function fits(value: unknown, schema: Fields): boolean {
  const check = (): boolean => new Validator({ ...schema }, '2020-12').validate(value).valid;
  try {
    return runInNewContext('check()', { check }, { timeout: LONGEST_CHECK_MS }) === true;
  } catch {
    return false; // The schema is unreadable, or takes too long, so treat the result as unfitting.
  }
}
