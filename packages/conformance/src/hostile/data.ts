/** Reads data as an attacker's victim would: also what is inherited, hidden, or nested too deep for recursion. */

/**
 * JSON with sorted keys, the same text for the same data. What JSON cannot show stands between angle brackets: inherited
 * fields, accessors, symbols, instances of classes, functions, cycles and infinite numbers. Does not recurse.
 */
export function canonical(root: unknown): string {
  let text = '';
  const open = new Set<object>();
  const steps: Step[] = [{ value: root }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('text' in step) text += step.text;
    else if ('close' in step) open.delete(step.close);
    else if (!isObject(step.value)) text += scalar(step.value);
    else if (open.has(step.value)) text += '<cycle>';
    else {
      open.add(step.value);
      steps.push({ close: step.value }, ...partsOf(step.value).toReversed());
    }
  }
  return text;
}

/** Whether a value is data that JSON shows as it is. */
export function isPlainJson(value: unknown): boolean {
  return !canonical(value)
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .includes('<');
}

/** Whether a text can be reached from a value: in its keys and strings, by inheritance and through accessors. */
export function reaches(root: unknown, text: string): boolean {
  const visited = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.includes(text)) return true;
    if (!isObject(value) || visited.has(value)) continue;
    visited.add(value);
    for (const key of Reflect.ownKeys(value)) {
      if (String(key).includes(text)) return true;
      open.push(read(value, key));
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!isIntrinsic(prototype)) open.push(prototype);
    if (value instanceof Map || value instanceof Set) open.push(...value);
  }
  return false;
}

type Step = { readonly value: unknown } | { readonly text: string } | { readonly close: object };

function partsOf(value: object): readonly Step[] {
  const items = Array.isArray(value)
    ? value.map((item, at): readonly Step[] => [{ text: at === 0 ? '' : ',' }, { value: item }])
    : [];
  const keys = Reflect.ownKeys(value).filter(
    (key) => !(Array.isArray(value) && (key === 'length' || (typeof key === 'string' && /^\d+$/.test(key)))),
  );
  // JSON has no undefined.
  const present = keys.filter((key) => !isUndefined(Object.getOwnPropertyDescriptor(value, key)));
  const sorted = present.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  const fields = sorted.map((key, at) => [
    { text: `${at === 0 ? '' : ','}${nameOf(key)}:` },
    ...fieldOf(value, key, Array.isArray(value)),
  ]);
  const prototype: unknown = Object.getPrototypeOf(value);
  const inherited = isIntrinsic(prototype) ? [] : [{ text: '<inherits>' }, { value: prototype }];
  const tag = isPlainKind(value) ? '' : `<${Object.prototype.toString.call(value)}>`;
  const entries = value instanceof Map || value instanceof Set ? [{ value: [...value] }] : [];
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return [{ text: tag + start }, ...items.flat(), ...fields.flat(), ...inherited, ...entries, { text: end }];
}

function isUndefined(descriptor: PropertyDescriptor | undefined): boolean {
  return descriptor !== undefined && 'value' in descriptor && descriptor.value === undefined;
}

function nameOf(key: string | symbol): string {
  return typeof key === 'symbol' ? `<${String(key)}>` : JSON.stringify(key);
}

function fieldOf(value: object, key: string | symbol, isArray: boolean): readonly Step[] {
  const { enumerable = false, ...own } = Object.getOwnPropertyDescriptor(value, key) ?? {};
  const hidden = enumerable && !isArray ? [] : [{ text: '<hidden>' }];
  return 'value' in own ? [...hidden, { value: own.value }] : [{ text: '<accessor>' }];
}

function scalar(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  // JSON has one zero.
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : `<${value}>`;
  return `<${typeof value}>`;
}

/** Runs accessors, as a tool that reads its input does. */
function read(value: object, key: string | symbol): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a prototype is that of plain data, of this realm or another. No data has functions. */
function isIntrinsic(prototype: unknown): boolean {
  if (!isObject(prototype)) return true;
  const own = Array.isArray(prototype) ? 'concat' : 'hasOwnProperty';
  return typeof Object.getOwnPropertyDescriptor(prototype, own)?.value === 'function';
}

function isPlainKind(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}
