import { isSameShape } from '@hooks/core/adapter';
import { isRecord } from '../sdk.ts';
import { withoutKept } from './kept-files.ts';

/**
 * Gives a replaced result the shape of the original. Claude Code drops any other shape without a message, and the model
 * reads the original. Returns undefined if the shape is unknown.
 */
export function shapedAs(original: unknown, given: unknown): { readonly value: unknown } | undefined {
  // Claude Code gets JSON, which has no `NaN`, for example.
  const json = JSON.stringify(given) ?? 'null';
  const replaced: unknown = JSON.parse(json);
  if (isSameShape(original, replaced) && keepsWords(original, replaced))
    return { value: withoutKept(replaced) };
  const text = typeof replaced === 'string' ? replaced : given === undefined ? '' : json;
  if (typeof original === 'string' || original === undefined || original === null) return { value: text };
  const block = { type: 'text', text };
  if (Array.isArray(original)) return { value: [block] };
  if (!isRecord(original)) return undefined;
  const { type, file, status, interrupted, content } = original;
  if (typeof original['stdout'] === 'string')
    return { value: { stdout: text, stderr: '', interrupted: interrupted === true, isImage: false } };
  if (type === 'text' && isRecord(file)) {
    const numLines = text.split('\n').length;
    const { filePath, startLine = 1 } = file;
    return { value: { type, file: { filePath, content: text, numLines, startLine, totalLines: numLines } } };
  }
  // What a sub-agent answered.
  if (status === 'completed' && Array.isArray(content)) return { value: { ...original, content: [block] } };
  if (typeof original['mode'] === 'string' && Array.isArray(original['filenames']))
    return { value: { mode: 'content', filenames: [], numFiles: 0, content: text, numLines: 1 } };
  if (typeof original['result'] === 'string' && typeof original['url'] === 'string')
    return { value: { ...original, result: text } };
  // After a write or an edit, the model reads only that it succeeded. Messages and the transcript have the texts.
  if (Array.isArray(original['structuredPatch'])) return { value: withoutTexts(original) };
  return undefined;
}

/** Fields that take only certain words. With another one, Claude Code drops the whole result. A test reads them in its types. */
const WORDS: ReadonlySet<string> = new Set(
  'action cell_type disabledReason folder_audience kind level mediaType method mode outcome rail rel role scope severity status taskType type unanswered verdict'.split(
    ' ',
  ),
);

function keepsWords(original: unknown, replaced: unknown, field = ''): boolean {
  if (typeof original === 'string') return original === replaced || !WORDS.has(field);
  const list = Array.isArray(original);
  return Object.entries(Object(original)).every(([name, value]) =>
    keepsWords(value, Reflect.get(Object(replaced), name), list ? field : name),
  );
}

function withoutTexts(result: { readonly [field: string]: unknown }): object {
  const emptied = Object.entries(result).map(([field, value]) => {
    if (field === 'structuredPatch') return [field, []];
    return [field, typeof value === 'string' && field !== 'type' && field !== 'filePath' ? '' : value];
  });
  return Object.fromEntries(emptied);
}

/** The output of an MCP tool as hooks see it: the text, where it is nothing but texts. */
export function readContent(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.flatMap((part: unknown) => (isPlainText(part) ? part.text : []));
  return texts.length === content.length ? texts.join('\n') : content;
}

function isPlainText(part: unknown): part is { readonly text: string } {
  return (
    isRecord(part) &&
    part['type'] === 'text' &&
    typeof part['text'] === 'string' &&
    Object.keys(part).length === 2
  );
}
