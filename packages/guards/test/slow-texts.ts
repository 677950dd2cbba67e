import { readFileSync } from 'node:fs';
import { drawn } from '@hooks/testing/random';
import { stepsOf } from './matcher-steps.ts';

/** The units of texts that take the longest, as `bench/slow-texts.ts` has found them. */
export function slowUnits(name: 'secrets' | 'pii' | 'paths'): readonly string[] {
  return readFileSync(new URL('data/slow-texts.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): { for: string; unit: string } => JSON.parse(line))
    .filter((row) => row.for === name)
    .map(({ unit }) => unit);
}

const LENGTH = drawn(4_000);

/** How many steps of the matcher `task` takes for each character of a unit that is said over and over. */
export function stepsPerCharacter(unit: string, task: (text: string) => unknown): number {
  const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
  return stepsOf(() => task(text)) / LENGTH;
}
