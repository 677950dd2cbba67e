import { isSameShape } from '@hooks/core/adapter';

/**
 * Gives a replaced result the shape of the original. Claude Code silently drops any other shape, and the model reads the
 * original. Returns undefined if the shape is unknown.
 */
export function shapedAs(original: unknown, replaced: unknown): { readonly value: unknown } | undefined {
  if (isSameShape(original, replaced)) return { value: replaced };
  const text = typeof replaced === 'string' ? replaced : (JSON.stringify(replaced) ?? '');
  if (typeof original === 'string' || original === undefined || original === null) return { value: text };
  const block = { type: 'text', text };
  if (Array.isArray(original)) return { value: [block] };
  if (!isRecord(original)) return undefined;
  const { type, file, status } = original;
  if (typeof original['stdout'] === 'string') {
    return { value: { stdout: text, stderr: '', interrupted: original['interrupted'] === true } };
  }
  if (type === 'text' && isRecord(file)) {
    const numLines = text.split('\n').length;
    const { filePath, startLine = 1 } = file;
    return { value: { type, file: { filePath, content: text, numLines, startLine, totalLines: numLines } } };
  }
  if (status === 'completed' && Array.isArray(original['content']))
    return { value: { ...original, content: [block] } };
  if (typeof original['result'] === 'string' && typeof original['url'] === 'string')
    return { value: { ...original, result: text } };
  // After a write or an edit, the model only reads that it succeeded.
  if (Array.isArray(original['structuredPatch'])) return { value: original };
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
