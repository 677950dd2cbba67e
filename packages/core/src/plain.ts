import { fail } from './error.ts';

/** How deep a tool's input may be nested: what reads it (schemas, hooks, `JSON.stringify`) needs a stack frame a level. */
const MAX_DEPTH = 256;

/** How many values may be written again because an object stands in several places. */
const MAX_REPEATED = 100_000;

/** The copies that `readPlain` has made. Nothing can change them, so they need not be read again. */
const read: WeakSet<object> = new WeakSet();

/** A frozen copy as plain data, or what JSON cannot show, and where. */
export type PlainData = { readonly data: unknown } | { readonly problem: string };

/**
 * Reads data as JSON shows it, each value once, into a frozen copy: nothing that the original does later can change it.
 * The rule for what JSON itself does not have is in the documentation of `ToolCall.input`.
 *
 * @param name what the path of a problem starts with
 */
export function readPlain(value: unknown, name = 'input'): PlainData {
  if (isRead(value)) return { data: value };
  const plain = new Reader(name, true).readAll(value);
  if ('data' in plain && isObject(plain.data)) read.add(plain.data);
  return plain;
}

/** Whether `readPlain` has made this copy. */
export function isRead(value: unknown): boolean {
  return isObject(value) && read.has(value);
}

/**
 * The JSON of plain data with sorted keys: the same text for the same data, and only for that. A list may hold an input and
 * what belongs to it, so it may be deeper than an input, and have `undefined` as an entry.
 *
 * @throws HooksError `INVALID_INPUT` if JSON cannot show the value
 */
export function canonicalJson(value: unknown): string {
  if (isRead(value)) return write(value);
  const plain = new Reader('value', false).readAll(value);
  return 'problem' in plain ? fail('INVALID_INPUT', plain.problem) : write(plain.data);
}

/**
 * Whether two inputs of tools are the same: whether their JSON is, whatever the order of keys. An input that JSON cannot
 * show is like no other. Use it for all comparisons: what `execute` gets is a copy, never the object that was sent.
 */
export function isSameInput(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  const [ours, theirs] = [readPlain(one), readPlain(other)];
  if ('problem' in ours || 'problem' in theirs) return false;
  return write(ours.data) === write(theirs.data);
}

const REFUSED: unique symbol = Symbol('refused');

/** Reads one value, up to the first problem. */
class Reader {
  #problem = '';
  readonly #name: string;
  readonly #isInput: boolean;
  readonly #maxDepth: number;
  /** The keys that lead to where it reads. */
  readonly #keys: (string | number)[] = [];
  readonly #seen: Set<object> = new Set();
  #repeated = 0;

  constructor(name: string, isInput: boolean) {
    this.#name = name;
    this.#isInput = isInput;
    this.#maxDepth = isInput ? MAX_DEPTH : 2 * MAX_DEPTH;
  }

  /** Where it reads, as code would write it. Long keys are cut. */
  #path(): string {
    const steps = this.#keys.map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      const short = key.length > 40 ? `${key.slice(0, 40)}…` : key;
      return /^[\w$]+$/.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
    });
    // The path of what is too deep says nothing in full length.
    const shown = steps.length > 10 ? [...steps.slice(0, 10), '…'] : steps;
    return `${this.#name}${shown.join('')}`;
  }

  readAll(value: unknown): PlainData {
    try {
      const data = this.#read(value, 0);
      return { data };
    } catch (error) {
      return { problem: error === REFUSED ? this.#problem : `${this.#path()} cannot be read` };
    }
  }

  #read(value: unknown, depth: number): unknown {
    if (typeof value === 'object') return value === null ? null : this.#object(value, depth);
    if (typeof value === 'number' && !Number.isFinite(value)) this.#refuse(`is ${value}`);
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function')
      this.#refuse(`is a ${typeof value}`);
    return value;
  }

  #object(value: object, depth: number): object {
    if (depth >= this.#maxDepth) this.#refuse(`is nested deeper than ${this.#maxDepth} levels`);
    if (isDate(value)) return this.#date(value);
    const data = Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth);
    return Object.freeze(data);
  }

  #date(date: Date): Date {
    const copy = copyDate(date, true);
    if (Number.isNaN(timeOf(copy))) this.#refuse('is an invalid Date');
    if (Reflect.ownKeys(date).length > 0) this.#refuse('is a Date with fields of its own');
    return copy;
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    if (!isArrayPrototype(Object.getPrototypeOf(list)))
      this.#refuse('is an array of a class of its own, or inherits entries');
    const { length } = list;
    if (Object.keys(list).length !== length || Object.getOwnPropertySymbols(list).length > 0)
      this.#refuse('is an array with empty places or fields of its own');
    this.#count(list, length);
    const copy = copyList(list);
    for (let index = 0; index < length; index++) {
      const entry = copy[index];
      if (typeof entry === 'string' || typeof entry === 'boolean') continue;
      this.#keys.push(index);
      if (entry === undefined && this.#isInput) this.#refuse('is undefined');
      copy[index] = this.#read(entry, depth + 1);
      this.#keys.pop();
    }
    return copy;
  }

  #fields(value: object, depth: number): object {
    if (!isPlain(value)) this.#refuse(`is ${kindOf(value)}`);
    const copy = copyFields(value);
    const keys = Object.keys(copy);
    if (keys.length !== Reflect.ownKeys(value).length)
      this.#refuse('has a symbol as a key, or a field that is not enumerable');
    this.#count(value, keys.length);
    for (const key of keys) {
      this.#keys.push(key);
      if (!('value' in (Object.getOwnPropertyDescriptor(value, key) ?? {}))) this.#refuse('is an accessor');
      // A plain `copy[key] =` of an own field sets `__proto__`, too, as the data that it is.
      const field = copy[key];
      if (field === undefined) delete copy[key];
      else if (typeof field !== 'string' && typeof field !== 'boolean')
        copy[key] = this.#read(field, depth + 1);
      this.#keys.pop();
    }
    return copy;
  }

  /** JSON writes an object again in each of its places, so a few kilobytes may have terabytes of JSON. */
  #count(value: object, entries: number): void {
    if (this.#seen.has(value)) this.#repeated += entries + 1;
    else this.#seen.add(value);
    if (this.#repeated > MAX_REPEATED)
      this.#refuse(`repeats objects: written as JSON, they have more than ${MAX_REPEATED} values`);
  }

  #refuse(what: string): never {
    this.#problem = `${this.#path()} ${what}`;
    throw REFUSED;
  }
}

/** The JSON of data that `readPlain` has read. */
function write(data: unknown): string {
  // JSON has -0, which JSON.stringify writes as 0.
  if (Object.is(data, -0)) return '-0';
  if (!isObject(data)) return JSON.stringify(data) ?? 'undefined';
  if (isDate(data)) return JSON.stringify(new Date(timeOf(data)).toISOString());
  if (Array.isArray(data)) return `[${data.map(write).join()}]`;
  const fields = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join()}}`;
}

/** The entries of an array, each read once. The array's own method, of another realm, would make an array of its realm. */
export function copyList(list: readonly unknown[]): unknown[] {
  return Array.prototype.slice.call(list);
}

/** The fields of an object, each read once. `__proto__` is a field like others. */
export function copyFields(value: object): { [field: string]: unknown } {
  const copy: { [field: string]: unknown } = { ...value };
  return Object.getPrototypeOf(value) === null ? Object.setPrototypeOf(copy, null) : copy;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether it is an array, or an object without a class. Those of another realm count, too. */
export function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Data that is an object's prototype has no function.
  return (
    Object.getPrototypeOf(prototype) === null && typeof ownField(prototype, 'isPrototypeOf') === 'function'
  );
}

/** Whether it is a Date, and not of a class of its own. */
export function isDate(value: object): value is Date {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return false;
  if (prototype !== READONLY_DATE && prototype !== Date.prototype && !ownField(prototype, 'getTime'))
    return false;
  try {
    timeOf(value as Date);
    return true;
  } catch {
    return false;
  }
}

/** Array.prototype, of whatever realm, is an array itself; the prototype of a class is none, and an array of data has no function. */
function isArrayPrototype(prototype: unknown): boolean {
  if (prototype === Array.prototype) return true;
  return Array.isArray(prototype) && typeof ownField(prototype, 'slice') === 'function';
}

function ownField(value: object, field: string): unknown {
  return Object.getOwnPropertyDescriptor(value, field)?.value;
}

/** The time of a Date, whatever its own methods say. */
function timeOf(date: Date): number {
  return Date.prototype.getTime.call(date);
}

/** A copy of a Date. The setters of a frozen one throw: freezing alone does not keep its time. */
export function copyDate(date: Date, frozen: boolean): Date {
  const copy = new Date(timeOf(date));
  return frozen ? Object.freeze(Object.setPrototypeOf(copy, READONLY_DATE)) : copy;
}

const READONLY_DATE: object = /* @__PURE__ */ readonlyDate();

function readonlyDate(): object {
  const prototype = Object.create(Date.prototype);
  for (const name of Object.getOwnPropertyNames(Date.prototype))
    if (name.startsWith('set')) Object.defineProperty(prototype, name, { value: refuseChange });
  return prototype;
}

function refuseChange(): never {
  throw new TypeError('This Date is read-only; change a copy: new Date(date)');
}

/** What an object is that is no plain data. */
function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === 'Object' ? 'an instance of a class, or inherits fields' : `a ${tag}`;
}
