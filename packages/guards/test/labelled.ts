import { readFileSync } from 'node:fs';

/** One labelled line of `test/data`. */
export interface Labelled {
  readonly label: 'dangerous' | 'benign';
  readonly category: string;
  readonly tier: 'plain' | 'variant' | 'hard';
  readonly command: string;
  readonly path: string;
}

export function load(name: string): readonly Labelled[] {
  const text = readFileSync(new URL(`data/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): Labelled => JSON.parse(line));
}

export interface Figures {
  readonly recall: number;
  readonly precision: number;
  readonly missed: readonly Labelled[];
  readonly mistaken: readonly Labelled[];
}

/** Recall and precision of a check that returns `true` for rows that it blocks. */
export function figures(rows: readonly Labelled[], blocks: (row: Labelled) => boolean): Figures {
  const dangerous = rows.filter(({ label }) => label === 'dangerous');
  const missed = dangerous.filter((row) => !blocks(row));
  const mistaken = rows.filter((row) => row.label === 'benign' && blocks(row));
  const caught = dangerous.length - missed.length;
  return {
    recall: caught / dangerous.length,
    precision: caught / (caught + mistaken.length),
    missed,
    mistaken,
  };
}
