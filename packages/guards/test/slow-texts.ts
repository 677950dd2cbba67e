import { readFileSync } from 'node:fs';
import { stepsOf } from '@hooks/testing/matcher-steps';
import { drawn } from '@hooks/testing/random';

/** The units of the slowest texts that `bench/slow-texts.ts` has found. */
export function slowUnits(name: 'secrets' | 'pii' | 'paths'): readonly string[] {
  return readFileSync(new URL('data/slow-texts.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): { for: string; unit: string } => JSON.parse(line))
    .filter((row) => row.for === name)
    .map(({ unit }) => unit);
}

// A shorter text would not show what grows.
const LENGTH = Math.max(4_000, drawn(4_000));

/** The number of matcher steps that `task` takes per character of a repeated unit. */
export function stepsPerCharacter(unit: string, task: (text: string) => unknown): number {
  const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
  return stepsOf(() => task(text)) / LENGTH;
}
