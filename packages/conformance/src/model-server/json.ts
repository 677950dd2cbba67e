/** A request that cannot be answered, as the client's 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** An object of which only the fields `K` are of interest, each still unknown. */
export type Fields<K extends string> = { readonly [key in K]?: unknown };

/** Throws a `BadRequest` that names `path` if `value` is no object. */
export function object<K extends string>(value: unknown, path: string): Fields<K> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new BadRequest(`${path} must be an object, but is ${kindOf(value)}.`);
}

/** Throws a `BadRequest` that names `path` if `value` is no array. */
export function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new BadRequest(`${path} must be an array, but is ${kindOf(value)}.`);
}

/** Throws a `BadRequest` that names `path` if `value` is no string. */
export function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new BadRequest(`${path} must be a string, but is ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
