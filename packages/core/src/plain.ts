import { fail } from './error.ts';

/** How deep a tool's input may be nested: what reads it (schemas, hooks, `JSON.stringify`) needs a stack frame a level. */
const MAX_DEPTH = 256;

/** How many values may be written again because an object stands in several places. */
const MAX_REPEATED = 100_000;

/** The copies that `readPlain` has made, and their size. Nothing can change them, so they need not be read again. */
const read: WeakMap<object, number> = new WeakMap();

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
  const reader = new Reader(name, true);
  const plain = reader.readAll(value);
  if ('data' in plain && isObject(plain.data)) read.set(plain.data, reader.size);
  return plain;
}

/** Whether `readPlain` has made this copy. */
export function isRead(value: unknown): boolean {
  return isObject(value) && read.has(value);
}

/** About how many bytes of memory an input takes that `readPlain` has read. */
export function sizeOf(input: unknown): number {
  if (isObject(input)) return read.get(input) ?? 0;
  return typeof input === 'string' ? input.length : 0;
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

const HIDDEN = 'has a symbol as a key, or a field that is not enumerable';
const REFUSED: unique symbol = Symbol('refused');

/** Reads one value, up to the first problem. */
class Reader {
  /** The characters of its texts, and eight bytes for every other value. */
  size = 0;
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
      return { data: this.#readAt(value, 0) };
    } catch (error) {
      return { problem: error === REFUSED ? this.#problem : `${this.#path()} cannot be read` };
    }
  }

  /** @param key where it stands; its object or list is the path so far */
  #read(value: unknown, key: string | number, depth: number): unknown {
    this.size += typeof value === 'string' ? value.length : 8;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    // Most values need no path, so it is kept for objects only.
    this.#keys.push(key);
    const data = this.#readAt(value, depth);
    this.#keys.pop();
    return data;
  }

  #readAt(value: unknown, depth: number): unknown {
    if (isObject(value)) return this.#object(value, depth);
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
    // `Object.keys` would write each index as a text.
    if (Object.values(list).length !== length || Object.getOwnPropertySymbols(list).length > 0)
      this.#refuse('is an array with empty places or fields of its own');
    this.#count(list, length);
    const copy = copyList(list);
    // A Proxy may answer otherwise the second time.
    if (copy.length !== length) this.#refuse('is an array that changes while it is read');
    for (let index = 0; index < length; index++) {
      const entry = copy[index];
      if (entry !== undefined) {
        const data = this.#read(entry, index, depth + 1);
        if (data !== entry) copy[index] = data;
      } else if (this.#isInput) {
        this.#keys.push(index);
        this.#refuse('is undefined');
      }
    }
    return copy;
  }

  #fields(value: object, depth: number): object {
    if (!isPlain(value)) this.#refuse(`is ${kindOf(value)}`);
    const keys = Object.getOwnPropertyNames(value);
    if (Object.getOwnPropertySymbols(value).length > 0) this.#refuse(HIDDEN);
    this.#count(value, keys.length);
    const copy = newObject(keys.length, Object.getPrototypeOf(value) === null ? null : Object.prototype);
    for (const key of keys) {
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (!field?.enumerable) this.#refuse(HIDDEN);
      if (!('value' in field)) {
        this.#keys.push(key);
        this.#refuse('is an accessor');
      }
      if (field.value === undefined) continue;
      const data = this.#read(field.value, key, depth + 1);
      if (key === '__proto__') Object.defineProperty(copy, key, { ...field, value: data });
      else copy[key] = data;
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

/** The JSON of data that `readPlain` has read. It joins texts one by one: lists of them take three times as long. */
function write(data: unknown): string {
  if (typeof data === 'string') return quoted(data);
  // JSON has -0, which `String` and `JSON.stringify` write as 0.
  if (!isObject(data)) return Object.is(data, -0) ? '-0' : String(data);
  if (isDate(data)) return JSON.stringify(new Date(timeOf(data)).toISOString());
  let text = '';
  let before = '';
  if (Array.isArray(data)) {
    for (const entry of data) {
      text += before + write(entry);
      before = ',';
    }
    return `[${text}]`;
  }
  const fields = data as { readonly [field: string]: unknown };
  for (const key of sortedKeys(data)) {
    text += `${before}${quoted(key)}:${write(fields[key])}`;
    before = ',';
  }
  return `{${text}}`;
}

/** The keys of an object, in order. For a few, `sort` takes several times as long. */
function sortedKeys(data: object): string[] {
  const keys = Object.keys(data);
  if (keys.length > 16) return keys.sort();
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] ?? '';
    let to = at;
    for (let before = keys[to - 1] ?? ''; to > 0 && before > key; before = keys[--to - 1] ?? '')
      keys[to] = before;
    keys[to] = key;
  }
  return keys;
}

/** A text in quotes. Most need no escape, and asking costs less than escaping. */
function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** What JSON.stringify may escape: quotes, backslashes, control characters, and halves of surrogate pairs. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** An object for many fields is one that V8 need not convert when they are added. */
function newObject(size: number, prototype: object | null): { [field: string]: unknown } {
  if (size > 128 || prototype === null) return Object.setPrototypeOf(Object.create(null), prototype);
  return {};
}

/**
 * The entries of an array, each read once. The array's own method, of another realm, would make an array of its realm, and
 * `slice` one of the class that the array names as its `constructor`.
 */
export function copyList(list: readonly unknown[]): unknown[] {
  return Array.prototype.toSpliced.call(list, 0, 0);
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
  if (prototype !== Date.prototype && !ownField(prototype, 'getTime') && !ownField(prototype, READONLY))
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

function ownField(value: object, field: string | symbol): unknown {
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

/** Marks the prototype of dates that a copy of this package has frozen. */
const READONLY = Symbol.for('@hooks/core/readonly-date');

const READONLY_DATE: object = /* @__PURE__ */ readonlyDate();

function readonlyDate(): object {
  const prototype = Object.create(Date.prototype, { [READONLY]: { value: true } });
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

/** Whether both have the same fields at every depth, with values of the same types, so that only texts, numbers and such differ. */
export function isSameShape(original: unknown, other: unknown): boolean {
  if (typeof original !== 'object' || original === null)
    return original === null ? other === null : typeof original === typeof other;
  if (typeof other !== 'object' || other === null || Array.isArray(original) !== Array.isArray(other))
    return false;
  const fields = new Map(Object.entries(other));
  const own = Object.entries(original);
  return (
    own.length === fields.size &&
    own.every(([field, value]) => fields.has(field) && isSameShape(value, fields.get(field)))
  );
}

/** The names of an object's own fields, of those that it inherits, and of the accessors of its class. */
export function fieldNames(value: object): Set<string> {
  const names = new Set<string>();
  for (const name in value) names.add(name);
  for (let at: unknown = value; isObject(at) && !isLast(at); at = Object.getPrototypeOf(at))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get) names.add(name);
  return names;
}

/** Whether it is `Object.prototype`, of this realm or another one: it has the accessor `__proto__`. */
function isLast(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, '__proto__');
}

/** An object with named values, not a list, a map or a function. */
export function isRecord(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * All that an object has as data, each field read once: also hidden fields, what it inherits, and what its class has as
 * accessors. Without methods.
 */
export function readAll(value: object): { [field: string]: unknown } {
  const read: { [field: string]: unknown } = { ...value };
  for (const name of new Set([...Object.getOwnPropertyNames(value), ...fieldNames(value)])) {
    if (Object.hasOwn(read, name)) continue;
    const inherited: unknown = Reflect.get(value, name);
    if (typeof inherited !== 'function') read[name] = inherited;
  }
  return read;
}

/** The fields of these names, each read once: instances of a class inherit theirs, and a getter may answer anew each time. */
export function readFields(value: object, names: readonly string[]): { [field: string]: unknown } {
  const read: { [field: string]: unknown } = {};
  for (const name of names) if (name in value) read[name] = Reflect.get(value, name);
  return read;
}
