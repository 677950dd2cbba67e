/** A bad request, which the client gets as a 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** An object with the fields `K`, each of unknown type. */
export type Fields<K extends string> = { readonly [key in K]?: unknown };

/** Throws a `BadRequest` that names `path` if `value` is not an object. */
export function object<K extends string>(value: unknown, path: string): Fields<K> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new BadRequest(`${path} must be an object, but is ${kindOf(value)}.`);
}

/** Throws a `BadRequest` that names `path` if `value` is not an array. */
export function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new BadRequest(`${path} must be an array, but is ${kindOf(value)}.`);
}

/** Throws a `BadRequest` that names `path` if `value` is not a string. */
export function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new BadRequest(`${path} must be a string, but is ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
