/**
 * The shape of a hook's output: a list of permitted words, or an object with further fields. Not a zod schema, because
 * loading zod takes longer than running a hook.
 */
export type Shape = { readonly [field: string]: Kind | Shape };
type Kind = 'string' | 'boolean' | 'record' | 'any' | readonly string[];

/** Output of that shape. All fields are optional. An object that is missing is empty. */
export type Printed<S extends Shape> = {
  readonly [Field in keyof S as S[Field] extends Kind ? Field : never]?: Value<S[Field]>;
} & { readonly [Field in keyof S as S[Field] extends Kind ? never : Field]: Value<S[Field]> };

type Value<K> = K extends 'string'
  ? string
  : K extends 'boolean'
    ? boolean
    : K extends 'record'
      ? Readonly<Record<string, unknown>>
      : K extends readonly (infer Word)[]
        ? Word
        : K extends Shape
          ? Printed<K>
          : unknown;

/**
 * Picks the known fields of a hook's output. Ignores others, or with `strict` throws. A field that is null counts as
 * missing, unless it may hold anything.
 * @throws Error with the field and the expected value
 */
export function checked<const S extends Shape>(
  shape: S,
  json: unknown,
  options: { readonly strict?: boolean } = {},
): Printed<S> {
  return read(shape, json, options.strict ?? false, []) as Printed<S>;
}

/**
 * Rejects an answer in another dialect, which would otherwise be ignored.
 * @throws Error with the field and its dialect
 */
export function refuseForeign(json: unknown, dialects: Readonly<Record<string, string>>): void {
  const field = Object.keys(dialects).find((name) => Object.hasOwn(Object(json), name));
  if (field !== undefined) throw new Error(`${field}: a field of ${dialects[field]}`);
}

function read(
  shape: Shape,
  json: unknown,
  strict: boolean,
  path: readonly string[],
): Record<string, unknown> {
  const given = (json ?? undefined) === undefined && path.length > 0 ? {} : json;
  if (!isRecord(given)) throw new Error(`${path.join('.') || 'the output'}: expected an object`);
  const unknown = strict ? Object.keys(given).find((field) => !Object.hasOwn(shape, field)) : undefined;
  if (unknown !== undefined) {
    throw new Error(
      `${[...path, unknown].join('.')}: unknown field; expected one of: ${Object.keys(shape).join(', ')}`,
    );
  }
  const result: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries(shape)) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    const at = [...path, field];
    if (!isKind(kind)) result[field] = read(kind, value, strict, at);
    else if (value !== undefined && (value !== null || kind === 'any'))
      result[field] = checkedValue(kind, value, at);
  }
  return result;
}

function checkedValue(kind: Kind, value: unknown, path: readonly string[]): unknown {
  if (fits(kind, value)) return value;
  const expected =
    typeof kind === 'string' ? kind.replace('record', 'object') : kind.map((word) => `"${word}"`);
  throw new Error(`${path.join('.')}: expected ${[expected].flat().join(' | ')}`);
}

function fits(kind: Kind, value: unknown): boolean {
  if (kind === 'any') return true;
  if (kind === 'record') return isRecord(value);
  return typeof kind === 'string' ? typeof value === kind : kind.some((word) => word === value);
}

function isKind(kind: Kind | Shape): kind is Kind {
  return typeof kind === 'string' || Array.isArray(kind);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
