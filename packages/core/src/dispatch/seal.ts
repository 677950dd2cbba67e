import type { EventPayload } from '../event/event.ts';
import { copyDate, copyFields, copyList, isDate, isObject, isPlain, isRead } from '../plain.ts';
import { principalFrom } from '../principal.ts';

/**
 * Hooks see frozen copies, so that only their decisions change anything, and what guards and people approved is what
 * runs. Copies plain data (objects, arrays, dates and errors), however deep; passes class instances and functions by
 * reference.
 */

/** The copies that were made here. They are not sealed again. */
const sealed: WeakSet<object> = new WeakSet();

/** Sealed messages. As messages they are not sealed again; elsewhere their `native` is copied, too. */
const sealedMessages: WeakSet<object> = new WeakSet();

/** A deeply frozen copy of plain data; the value itself if it is one. */
export function seal<T>(value: T): T {
  if (!isObject(value) || isRead(value) || sealed.has(value)) return value;
  return copyOf(value, true) as T;
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
    copy[field] = HOLDS_NATIVE.has(field) ? sealAround(value) : seal(value);
  }
  // The copy has the same fields.
  return Object.freeze(copy) as F;
}

/**
 * An event as hooks see it. Its principal defaults to the session's.
 *
 * @throws HooksError `INVALID_INPUT` if the principal is none
 */
export function sealEvent<E extends EventPayload>(event: E): E {
  const { principal = event.session.principal } = event;
  if (principal === undefined) return sealFields(event);
  return sealFields({ ...event, principal: principalFrom(principal, event.type) });
}

/** The fields of a sealed patch, as copies that their receiver may change. */
export function thawFields<F extends object>(fields: F): F {
  const copy: { [field: string]: unknown } = { ...(fields as object) };
  for (const field in copy) if (!HOLDS_NATIVE.has(field)) copy[field] = thaw(copy[field]);
  return copy as F;
}

/** Fields whose entries may hold an object of the framework. */
const HOLDS_NATIVE: ReadonlySet<string> = new Set(['messages', 'tools', 'response', 'tool']);

function sealAround(value: object): object {
  return Array.isArray(value) ? Object.freeze(value.map(sealEntry)) : sealEntry(value);
}

/** A sealed message that is not sealed again. */
export function sealMessage<M extends object>(message: M): M {
  const copy = sealEntry(message);
  sealedMessages.add(copy);
  return copy;
}

/** A sealed message, tool or response, which keeps the framework's own objects. */
function sealEntry<T>(entry: T): T {
  if (!isObject(entry) || sealedMessages.has(entry) || !isPlain(entry)) return entry;
  const copy: { [field: string]: unknown } = { ...(entry as object) };
  for (const field of Object.keys(copy))
    if (field !== 'native' && field !== 'ref') copy[field] = seal(copy[field]);
  // The copy has the same fields.
  return Object.freeze(copy) as T;
}

/** Copies each object once, also where it leads back to itself. */
function copyOf(root: object, frozen: boolean): object {
  const copies = new Map<object, object>();
  const copied = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy = shallowCopy(value, frozen);
    if (copy !== value) copies.set(value, copy);
    return copy;
  };
  const copy = copied(root);
  // The iteration reaches what is added meanwhile, so that depth costs no stack.
  for (const own of copies.values()) {
    if (Array.isArray(own)) {
      for (let index = 0; index < own.length; index++)
        if (isObject(own[index])) own[index] = copied(own[index]);
    } else {
      const fields = own as { [field: string]: unknown };
      for (const field of Object.getOwnPropertyNames(own))
        if (isObject(fields[field])) fields[field] = copied(fields[field]);
    }
    if (frozen) Object.freeze(own);
  }
  if (frozen) sealed.add(copy as object);
  return copy as object;
}

/** A copy with the same values; the value itself if it is a class instance, or cannot be read. */
function shallowCopy(value: object, frozen: boolean): object {
  try {
    if (Array.isArray(value)) return copyList(value);
    if (isPlain(value)) return copyFields(value);
    if (isDate(value)) return copyDate(value, frozen);
    return frozen && value instanceof Error ? copyError(value) : value;
  } catch {
    return value;
  }
}

/** An error of the same class, with the same fields. */
function copyError(error: Error): Error {
  const copy: Error = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(error));
  // It would say where the copy was made.
  delete copy.stack;
  for (const field of Object.getOwnPropertyNames(error))
    Object.defineProperty(copy, field, {
      value: Reflect.get(error, field),
      enumerable: Object.prototype.propertyIsEnumerable.call(error, field),
      writable: true,
      configurable: true,
    });
  return copy;
}
