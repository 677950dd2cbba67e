/** Whether a value must be awaited. Awaiting a value that is not a promise costs five times as much as a call. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls `next` now, or once `value` has settled if it is a promise. */
export function after<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => R | PromiseLike<R>,
): R | PromiseLike<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
