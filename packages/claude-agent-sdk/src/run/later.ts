/**
 * A stand-in for an object that does not exist yet and has methods only. Each waits for the object, and returns a promise.
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
      // `await` must not take it for a promise.
      if (name === 'then') return undefined;
      const method =
        methods.get(name) ?? ((...args: unknown[]) => made.then((object) => call(object, name, args)));
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
