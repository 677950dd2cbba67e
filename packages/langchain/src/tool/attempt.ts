import { isGenerator } from './result.ts';
import type { HeldWrites } from './writes.ts';

/** How one attempt of a tool ended. */
export type Attempt = { readonly output: unknown } | { readonly error: unknown };

/** Runs an attempt, however it ends. */
export async function tried(run: () => unknown): Promise<Attempt> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

/** The final value of what may be a generator. */
export async function final(value: unknown, writes?: HeldWrites, chunks?: unknown[]): Promise<unknown> {
  if (!isGenerator(value)) return value;
  for (;;) {
    const result = await (writes === undefined ? value.next() : writes.around(() => value.next()));
    if (result.done) return result.value;
    chunks?.push(result.value);
  }
}
