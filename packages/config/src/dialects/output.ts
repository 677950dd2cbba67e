/**
 * The fields that a hook may print, each with what it has to be: a list is one of these words, an object further fields.
 * Not zod, which takes longer to load than a hook to run.
 */
export type Shape = { readonly [field: string]: Kind | Shape };
type Kind = 'string' | 'boolean' | 'record' | 'any' | readonly string[];

/** What was printed, of that shape. All fields are optional; an object that is not there is empty. */
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
 * The fields of what a hook printed; others are ignored, or with `strict` an error. One that is null is not there, except
 * where it may be anything.
 *
 * @throws Error that names the field, and what was expected of it
 */
export function checked<const S extends Shape>(
  shape: S,
  json: unknown,
  options: { readonly strict?: boolean } = {},
): Printed<S> {
  return read(shape, json, options.strict ?? false, []) as Printed<S>;
}

/**
 * Refuses an answer in the words of another dialect, as it would be passed over.
 *
 * @throws Error that names the field, and the dialect that has it
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
