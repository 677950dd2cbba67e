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
 * Rejects a decision that the dialect would ignore, because it stands in the wrong place or is in the form of another
 * dialect. One that only allows is ignored.
 * @throws Error with the field
 */
export function refuseMisplaced(shape: Shape, json: unknown, path: readonly string[] = []): void {
  if (!isRecord(json)) return;
  for (const [field, value] of Object.entries(json)) {
    const kind = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (kind !== undefined && !isKind(kind)) refuseMisplaced(kind, value, [...path, field]);
    if (kind === undefined && decides(field, value, path.length > 0))
      throw new Error(
        `${[...path, field].join('.')}: it would be ignored here; expected one of: ${Object.keys(shape).join(', ')}`,
      );
  }
}

/** Fields with which a hook of some dialect refuses, asks or changes something. */
const DECIDING: ReadonlySet<string> = new Set([
  ...['permissionDecision', 'permission_decision', 'permission', 'decision', 'behavior', 'continue'],
  ...['updatedInput', 'updated_input', 'modifiedArgs', 'updatedToolOutput', 'updatedMCPToolOutput'],
  ...['updated_tool_response', 'updated_mcp_tool_output', 'modifiedResult'],
]);

function decides(field: string, value: unknown, nested: boolean): boolean {
  if (/^hook_?specific_?output$/i.test(field) && isRecord(value))
    return Object.entries(value).some(([inner, one]) => decides(inner, one, true));
  // At the top, it may be the event that a hook prints again.
  if (field === 'tool_input') return nested;
  if (!DECIDING.has(field)) return false;
  if (isRecord(value) && field === 'decision') return value['behavior'] !== 'allow';
  return !['allow', 'approve', true, null].includes(value as string);
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
