/**
 * A result in the shape of the one that it takes the place of: Claude Code drops any other without a word, and the model
 * reads the original. Nothing where no shape is known for it.
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
  // Of a file that was written or edited, the model reads no more than that it was.
  if (Array.isArray(original['structuredPatch'])) return { value: original };
  return undefined;
}

/** The same fields all the way down, with values of the same types: a result of which only texts were changed. */
function isSameShape(original: unknown, replaced: unknown): boolean {
  if (Array.isArray(original)) {
    return (
      Array.isArray(replaced) &&
      original.length === replaced.length &&
      original.every((item, index) => isSameShape(item, replaced[index]))
    );
  }
  if (!isRecord(original)) return original === null ? replaced === null : typeof original === typeof replaced;
  if (!isRecord(replaced)) return false;
  const fields = Object.keys(original);
  return (
    fields.length === Object.keys(replaced).length &&
    fields.every((field) => isSameShape(original[field], replaced[field]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
