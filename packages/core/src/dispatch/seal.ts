import type { EventPayload } from '../event/event.ts';

/**
 * Hooks see frozen copies, so that only their decisions change anything, and what guards and people approved is what
 * runs. Copies plain data (objects, arrays and errors); passes class instances and functions by reference.
 */

/** The depth at which data counts as circular. */
const DEEP = 100;

/** A deeply frozen copy of plain data. */
export function seal<T>(value: T): T {
  return isObject(value) ? (copyOf(value, true) as T) : value;
}

/** A deep copy of plain data that its receiver may change. */
export function thaw<T>(value: T): T {
  return isObject(value) ? (copyOf(value, false) as T) : value;
}

/**
 * The fields of an event or a patch, frozen, with frozen copies of their data. Keeps the framework's own objects:
 * `native`, including that of messages, tools and responses, and a tool's `ref`.
 */
export function sealFields<F extends object>(fields: F): F {
  const copy: { [field: string]: unknown } = { ...(fields as object) };
  for (const field in copy) {
    const value = copy[field];
    if (!isObject(value) || field === 'session' || field === 'native') continue;
    copy[field] = HOLDS_NATIVE.has(field) ? sealAround(value) : copyOf(value, true);
  }
  // The copy has the same fields.
  return Object.freeze(copy) as F;
}

/** An event as hooks see it. Its principal defaults to the session's. */
export function sealEvent<E extends EventPayload>(event: E): E {
  const { principal = event.session.principal } = event;
  return sealFields(principal === undefined ? event : { ...event, principal });
}

/** The fields of a sealed patch, as copies that their receiver may change. */
export function thawFields<F extends object>(fields: F): F {
  const copy: { [field: string]: unknown } = { ...(fields as object) };
  for (const field in copy) if (!HOLDS_NATIVE.has(field)) copy[field] = thaw(copy[field]);
  return copy as F;
}

/** Whether two values hold the same plain data. Circular data equals nothing. */
export function isSameData(one: unknown, other: unknown, depth: number = DEEP): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || !isPlain(one) || !isPlain(other) || depth === 0) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ours, theirs] = [one, other] as readonly { readonly [key: string]: unknown }[];
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameData(ours?.[key], theirs?.[key], depth - 1))
  );
}

/** Fields whose entries may hold an object of the framework. */
const HOLDS_NATIVE: ReadonlySet<string> = new Set(['messages', 'tools', 'response', 'tool']);

function sealAround(value: object): object {
  return Array.isArray(value) ? Object.freeze(value.map(sealEntry)) : (sealEntry(value) as object);
}

function sealEntry(entry: unknown): unknown {
  if (!isObject(entry) || !isPlain(entry)) return entry;
  const copy: { [field: string]: unknown } = { ...entry };
  for (const field of Object.keys(copy))
    if (field !== 'native' && field !== 'ref') copy[field] = seal(copy[field]);
  return Object.freeze(copy);
}

const TOO_DEEP: unique symbol = Symbol('too deep');

function copyOf(value: object, frozen: boolean): object {
  try {
    return copyNested(value, frozen, DEEP, undefined);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    return copyNested(value, frozen, Number.POSITIVE_INFINITY, new Map());
  }
}

/** @param copies the copies so far, since data may be circular */
function copyNested(
  value: object,
  frozen: boolean,
  depth: number,
  copies: Map<object, object> | undefined,
): object {
  const known = copies?.get(value);
  if (known) return known;
  if (depth === 0) throw TOO_DEEP;
  if (Array.isArray(value)) {
    const copy: unknown[] = value.slice();
    copies?.set(value, copy);
    for (let index = 0; index < copy.length; index++) {
      const nested = copy[index];
      if (isObject(nested)) copy[index] = copyNested(nested, frozen, depth - 1, copies);
    }
    return frozen ? Object.freeze(copy) : copy;
  }
  if (!isPlain(value)) return frozen && value instanceof Error ? sealError(value, depth, copies) : value;
  const copy: { [key: string]: unknown } = { ...value };
  if (Object.getPrototypeOf(value) === null) Object.setPrototypeOf(copy, null);
  copies?.set(value, copy);
  for (const key in copy) {
    const nested = copy[key];
    if (isObject(nested)) copy[key] = copyNested(nested, frozen, depth - 1, copies);
  }
  return frozen ? Object.freeze(copy) : copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  // The object prototype of another realm counts, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A frozen error of the same class, with the same fields. */
function sealError(error: Error, depth: number, copies: Map<object, object> | undefined): Error {
  const copy: Error = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(error));
  copies?.set(error, copy);
  for (const field of Object.getOwnPropertyNames(error)) {
    const value: unknown = Reflect.get(error, field);
    Object.defineProperty(copy, field, {
      value: isObject(value) ? copyNested(value, true, depth - 1, copies) : value,
      enumerable: Object.prototype.propertyIsEnumerable.call(error, field),
    });
  }
  return Object.freeze(copy);
}
