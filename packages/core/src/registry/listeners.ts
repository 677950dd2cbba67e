import { isThenable } from '../thenable.ts';

/** Calls a function that only listens. What it throws, or rejects with, changes nothing. */
export function tell<T>(listener: (value: T) => unknown, value: T, failed: () => void = () => {}): void {
  try {
    const answer = listener(value);
    if (isThenable(answer)) answer.then(undefined, failed);
  } catch {
    failed();
  }
}

/** Functions that watch something. An error of one changes nothing, and the others still run. */
export class Listeners<T> {
  /** Read without a copy, because a dispatch asks whether there is any. */
  readonly all: Set<(value: T) => void> = new Set();
  readonly #failed: () => void;

  /** @param failed called when a listener throws or rejects */
  constructor(failed: () => void) {
    this.#failed = failed;
  }

  add(listener: (value: T) => void): Disposable {
    this.all.add(listener);
    return { [Symbol.dispose]: () => void this.all.delete(listener) };
  }

  emit(value: T): void {
    for (const listener of this.all) tell(listener, value, this.#failed);
  }
}
