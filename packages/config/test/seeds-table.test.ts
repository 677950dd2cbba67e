import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Row, SEEDS } from './seeds-table.ts';

/** Everything that the documents promise from which the project was created, with what shows it. */
const packages = new URL('../../', import.meta.url);
const pages = new URL('../../../apps/docs/pages/', import.meta.url);

const rows = Object.entries(SEEDS).flatMap(([seed, all]) =>
  all.map(([item, place, words]) => ({ seed, item, place, words })),
);

test('no row is open', () => {
  expect(rows.filter(({ place }) => place === 'open')).toEqual([]);
});

test('no item stands twice in a document', () => {
  for (const all of Object.values(SEEDS))
    expect(new Set(all.map(([item]: Row) => item)).size).toBe(all.length);
});

describe.each(Object.keys(SEEDS))('%s', (seed) => {
  test.each(rows.filter((row) => row.seed === seed && row.place !== 'open'))(
    '$item: $place says it',
    ({ place, words }) => {
      const file = new URL(place, place.endsWith('.md') ? pages : packages);
      expect(existsSync(file), `${place} does not exist`).toBe(true);
      // A page breaks its lines.
      const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
      expect(text.includes(words), `${place} does not say: ${words}`).toBe(true);
    },
  );
});
