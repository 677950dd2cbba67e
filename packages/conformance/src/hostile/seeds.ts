import { inspect } from 'node:util';
import { shorten } from './witness.ts';

/** What a random case did wrong. */
export interface Found {
  /** One sentence each; empty if nothing. */
  readonly faults: readonly string[];
  /** The case, for the message. */
  readonly about: unknown;
}

/** How many cases run at once. */
const AT_ONCE = 4;

/** When a case counts as hanging: well before its test does, whose failure would not name the case. */
const CASE_HANGS_AFTER_MS = 300_000;

/**
 * Plays the cases with the given seeds, or from 0 up to a count, several at once. Rejects with the faults of the first and the seeds of all that
 * have any. If `HOOKS_SEED` is set, plays only the case with that seed.
 */
export async function expectNoFaults(
  cases: number | readonly number[],
  play: (seed: number) => Promise<Found>,
  { hangsAfterMs = CASE_HANGS_AFTER_MS }: { readonly hangsAfterMs?: number } = {},
): Promise<void> {
  const seeds = seedsOf(cases);
  const found: Seeded[] = [];
  const left = seeds[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const seed of left) {
      // A case that throws must not hide the others.
      const one = await inTime(() => play(seed), hangsAfterMs).catch(
        (error: unknown): Found => ({ faults: [`the case threw ${String(error)}`], about: undefined }),
      );
      if (one.faults.length > 0) found.push({ ...one, seed });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (found.length === 0) return;
  const failure = new Error(
    tellFound(
      found.toSorted((one, other) => one.seed - other.seed),
      seeds.length,
    ),
  );
  // The stack would only show this line.
  failure.stack = failure.message;
  throw failure;
}

/** Plays the cases one after the other. The first that rejects ends them, with its seed in the message. */
export async function expectEach(
  cases: number | readonly number[],
  play: (seed: number) => Promise<void>,
): Promise<void> {
  for (const seed of seedsOf(cases)) {
    try {
      await inTime(() => play(seed), CASE_HANGS_AFTER_MS);
    } catch (error) {
      if (!(error instanceof Error)) throw new Error(`seed ${seed} threw ${String(error)}`);
      error.message = `seed ${seed} (HOOKS_SEED=${seed} plays only this case): ${error.message}`;
      throw error;
    }
  }
}

function seedsOf(cases: number | readonly number[]): readonly number[] {
  const only = process.env['HOOKS_SEED'];
  if (only !== undefined) return [Number(only)];
  return typeof cases === 'number' ? Array.from({ length: cases }, (_, seed) => seed) : cases;
}

async function inTime<T>(play: () => Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`The case has not ended after ${limitMs / 1000} seconds.`)),
    limitMs,
  );
  try {
    return await Promise.race([play(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Seeded = Found & { readonly seed: number };

/** Each kind of fault with its first seed, all seeds, and the first case. */
function tellFound(found: readonly Seeded[], count: number): string {
  const kinds = new Map<string, { readonly line: string; more: number }>();
  for (const { seed, faults } of found) {
    for (const fault of faults) {
      const kind = fault.replace(/[[{].*|"(?:[^"\\]|\\.)*"|\d+/gs, '');
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { line: `  seed ${seed}: ${fault}`, more: 0 });
      else known.more++;
    }
  }
  const [first] = found;
  return [
    `${found.length} of ${count} cases have faults:`,
    ...[...kinds.values()].map(({ line, more }) => (more === 0 ? line : `${line} (and ${more} like it)`)),
    `HOOKS_SEED=${first?.seed} plays only the first. All seeds: ${found.map(({ seed }) => seed).join(', ')}`,
    `case ${first?.seed}: ${shorten(inspect(first?.about, { depth: 20, breakLength: Number.POSITIVE_INFINITY }), 3_000)}`,
  ].join('\n');
}
