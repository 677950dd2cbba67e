/**
 * Maps every text in a value: in plain objects, arrays, maps, sets, errors, and other objects' own fields, including
 * field names; in boxed strings and `URLSearchParams`; in `Headers` and `FormData`, which become lists of pairs. An object
 * with `toJSON` (a URL) becomes its JSON. Unchanged values are returned as they are, and nothing
 * is changed in place. Bytes are left alone.
 *
 * Never throws. A part that cannot be read, or is nested deeper than 100 levels, becomes a note that says so.
 * @param map gets the text and the name of its field, if it has one
 */
export function mapTexts(value: unknown, map: MapText): unknown {
  return walked(value, map, (item) => item);
}

/** Like {@link mapTexts}, and maps numbers of 13 digits or more, as a card has. One that changes becomes a text. */
export function mapTextsAndNumbers(value: unknown, map: MapText): unknown {
  return walked(value, map, (item, name) => {
    if (typeof item !== 'bigint' && !(Number.isInteger(item) && Number(item) >= SMALLEST_NUMBER)) return item;
    const text = String(item);
    const mapped = map(text, name);
    return mapped === text ? item : mapped;
  });
}

const SMALLEST_NUMBER = 1e12;

function walked(value: unknown, map: MapText, other: MapOther): unknown {
  try {
    const walk = new Walk(map, other, false);
    const copy = walk.visit(value, undefined, 0);
    // A copy must not refer back to the original, so if anything changed, cut its cycles.
    return copy !== value && walk.cyclic ? new Walk(map, other, true).visit(value, undefined, 0) : copy;
  } catch {
    return '[withheld: could not be read]';
  }
}

type MapText = (text: string, name?: string) => string;
/** Maps what is neither a text nor an object. */
type MapOther = (item: unknown, name?: string) => unknown;

class Walk {
  cyclic = false;
  readonly #map: MapText;
  readonly #other: MapOther;
  readonly #cut: boolean;
  readonly #copies = new Map<object, unknown>();
  readonly #within = new Set<object>();

  constructor(map: MapText, other: MapOther, cut: boolean) {
    this.#map = map;
    this.#other = other;
    this.#cut = cut;
  }

  visit(item: unknown, name: string | undefined, depth: number): unknown {
    if (typeof item === 'string') return this.#map(item, name);
    if (typeof item !== 'object' || item === null) return this.#other(item, name);
    if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return item;
    if (depth > DEEPEST) return '[withheld: nested too deeply]';
    if (this.#within.has(item)) {
      this.cyclic = true;
      return this.#cut ? '[circular]' : item;
    }
    if (this.#copies.has(item)) return this.#copies.get(item);
    this.#within.add(item);
    const copy = copyOf(item, (inner, innerName) => this.visit(inner, innerName ?? name, depth + 1));
    this.#within.delete(item);
    this.#copies.set(item, copy);
    return copy;
  }
}

const DEEPEST = 100;

type Visit = (item: unknown, name?: string) => unknown;

function copyOf(item: object, visit: Visit): unknown {
  // Most objects are plain, and asking for all the other kinds costs more than their texts.
  if (isPlain(item)) return copyOfFields(item, visit);
  if (Array.isArray(item)) {
    const copy = item.map((inner) => visit(inner));
    return copy.some((inner, i) => inner !== item[i]) ? copy : item;
  }
  if (item instanceof Map) {
    const entries = [...item].map(([key, inner]) => [visit(key), visit(inner, nameOf(key))] as const);
    return changed([...item], entries) ? new Map(entries) : item;
  }
  if (item instanceof Set) {
    const members = [...item].map((inner) => visit(inner));
    return changed([[...item]], [members]) ? new Set(members) : item;
  }
  if (item instanceof String) {
    const text = item.valueOf();
    const copy = visit(text);
    return copy === text ? item : copy;
  }
  if (item instanceof URLSearchParams) {
    const entries = [...item];
    const copies = entries.map(([name, inner]): [string, string] => [
      String(visit(name)),
      String(visit(inner, name)),
    ]);
    return changed(entries, copies) ? new URLSearchParams(copies) : item;
  }
  if (isPairs(item)) {
    const entries = [...item.entries()];
    const copies = entries.map(([name, inner]) => [visit(name), visit(inner, nameOf(name))] as const);
    return changed(entries, copies) ? copies : item;
  }
  if ('toJSON' in item && typeof item.toJSON === 'function') {
    // Readers see the result of `toJSON`, which a copy of the fields may not be able to produce.
    const said: unknown = item.toJSON();
    const copy = visit(said);
    if (copy !== said) return copy;
  }
  return copyOfFields(item, visit);
}

function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !('toJSON' in item) && !(Symbol.toStringTag in item);
}

function copyOfFields(item: object, visit: Visit): object {
  const hidden = item instanceof Error ? HIDDEN.filter((name) => isHidden(item, name)) : [];
  const names = [...Object.keys(item), ...hidden];
  const copies: unknown[] = [];
  let isChanged = false;
  for (const [at, name] of names.entries()) {
    const isField = at < names.length - hidden.length;
    const inner: unknown = Reflect.get(item, name);
    const copyName = isField ? visit(name) : name;
    const copy = isField ? visit(inner, fieldName(item, name)) : visit(inner);
    isChanged ||= copyName !== name || copy !== inner;
    copies.push(copyName, copy);
  }
  if (!isChanged) return item;
  const copy: object = Object.create(Object.getPrototypeOf(item));
  for (const at of names.keys())
    Object.defineProperty(copy, String(copies[2 * at]), {
      value: copies[2 * at + 1],
      enumerable: at < names.length - hidden.length,
      writable: true,
      configurable: true,
    });
  return copy;
}

function isHidden(error: Error, field: string): boolean {
  return Object.getOwnPropertyDescriptor(error, field)?.enumerable === false;
}

/** An error's fields besides the enumerable ones. */
const HIDDEN = ['name', 'message', 'stack', 'cause', 'errors'] as const;

/** Objects whose content is pairs, and no field: `Headers`, `FormData`. */
function isPairs(item: object): item is { entries(): Iterable<readonly [unknown, unknown]> } {
  return /^\[object (?:Headers|FormData)\]$/.test(Object.prototype.toString.call(item));
}

/** `{ name: 'API_KEY', value: … }`: the field `name` names the value. */
function fieldName(item: object, name: string): string | undefined {
  if (name !== 'value') return name;
  if ('name' in item) return nameOf(item.name);
  return 'key' in item ? nameOf(item.key) : undefined;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function changed(before: readonly (readonly unknown[])[], after: readonly (readonly unknown[])[]): boolean {
  return before.some((row, i) => row.some((inner, k) => inner !== after[i]?.[k]));
}
