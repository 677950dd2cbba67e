/**
 * A stand-in for a user's object, with some properties replaced. It has the same class. Everything else is read from the
 * original when it is needed, and its methods run with the original as `this`: own and inherited members, accessors,
 * members that are not enumerable, private fields and frozen objects all work. What is written to it is written to the
 * original, except for the replaced properties.
 *
 * @param replaced the properties that the stand-in has instead
 */
export function standIn<T extends object>(original: T, replaced: object): T {
  const methods = new WeakMap<Method, Method>();
  const read = (key: PropertyKey): unknown => {
    const value: unknown = Reflect.get(original, key);
    if (!isMethod(value)) return value;
    const bound = methods.get(value) ?? value.bind(original);
    methods.set(value, bound);
    return bound;
  };
  const members: PropertyDescriptorMap = {};
  for (const [key, enumerable] of membersOf(original))
    members[key] = {
      get: () => read(key),
      set: (value) => Reflect.set(original, key, value),
      enumerable,
      configurable: true,
    };
  for (const key of Reflect.ownKeys(replaced))
    members[key] = {
      value: Reflect.get(replaced, key),
      writable: true,
      enumerable: members[key]?.enumerable ?? true,
      configurable: true,
    };
  return Object.create(Object.getPrototypeOf(original), members);
}

type Method = (...args: readonly unknown[]) => unknown;

/** The keys of an object and of its classes, and whether they are enumerable. */
function membersOf(object: object): ReadonlyMap<PropertyKey & (string | symbol), boolean> {
  const members = new Map<string | symbol, boolean>();
  for (let from = object; from !== null && from !== Object.prototype; from = Object.getPrototypeOf(from))
    for (const key of Reflect.ownKeys(from)) {
      if (members.has(key) || (key === 'constructor' && from !== object)) continue;
      members.set(key, from === object && Object.prototype.propertyIsEnumerable.call(from, key));
    }
  return members;
}

/** Whether a value is a function and nothing more. Some schemas are functions with properties, which binding would lose. */
function isMethod(value: unknown): value is Method {
  return typeof value === 'function' && Reflect.ownKeys(value).every((key) => OF_FUNCTIONS.has(key));
}

const OF_FUNCTIONS: ReadonlySet<PropertyKey> = new Set([
  'length',
  'name',
  'prototype',
  'arguments',
  'caller',
]);
