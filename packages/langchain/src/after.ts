/** Whether a value has to be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Goes on with `next` now, or when `value` has settled if it is a promise: a run makes no promise for nothing. */
export function after<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => R | PromiseLike<R>,
): R | PromiseLike<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
