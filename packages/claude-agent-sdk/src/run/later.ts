/**
 * A stand-in for an object that is not there yet, all of whose methods return promises. They wait for it.
 *
 * @param own members that the stand-in has instead
 */
export function later<T extends object>(made: Promise<T>, own: object = {}): T {
  // Whoever calls a method gets the error.
  made.catch(() => {});
  const methods = new Map<PropertyKey, unknown>();
  const stand: T = new Proxy(own as T, {
    get(_, name) {
      if (Reflect.has(own, name)) return Reflect.get(own, name);
      if (name === Symbol.asyncIterator) return () => stand;
      // It is no promise.
      if (name === 'then') return undefined;
      const method =
        methods.get(name) ?? ((...args: unknown[]) => made.then((there) => call(there, name, args)));
      methods.set(name, method);
      return method;
    },
  });
  return stand;
}

function call(object: object, name: PropertyKey, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(object, name);
  if (typeof method !== 'function') throw new TypeError(`${String(name)} is not a function`);
  return method.apply(object, args);
}
