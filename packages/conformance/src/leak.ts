/**
 * Finds a text in a value and returns its path, or undefined. Searches all strings, keys, errors and byte arrays that
 * it can reach without running code: it calls no getters or functions.
 */
export function findText(value: unknown, text: string, path = ''): string | undefined {
  const visited = new Set<object>();
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value === 'string' && next.value.includes(text)) return next.path || '(the value)';
    if (typeof next.value !== 'object' || next.value === null || visited.has(next.value)) continue;
    visited.add(next.value);
    for (const [key, nested] of parts(next.value)) {
      if (key.includes(text)) return `${next.path}.${key} (the key)`;
      open.push({ value: nested, path: `${next.path}.${key}` });
    }
  }
  return undefined;
}

function parts(value: object): readonly (readonly [string, unknown])[] {
  if (ArrayBuffer.isView(value)) {
    return [
      ['bytes', new TextDecoder().decode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))],
    ];
  }
  const own = Reflect.ownKeys(value).map(
    (key) => [String(key), Object.getOwnPropertyDescriptor(value, key)?.value] as const,
  );
  if (value instanceof Map) return [...own, ...[...value].map((entry, n) => [`entry ${n}`, entry] as const)];
  if (value instanceof Set) return [...own, ...[...value].map((entry, n) => [`entry ${n}`, entry] as const)];
  return own;
}
