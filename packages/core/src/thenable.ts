/** Whether a value has to be waited for. Awaiting what is no promise costs five times a call. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Goes on with `next` now, or when `value` has settled if it is a promise: synchronous until a promise. */
export function after<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => R | PromiseLike<R>,
): R | PromiseLike<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
