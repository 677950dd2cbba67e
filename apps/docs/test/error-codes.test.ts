import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test.each([
  ['HooksErrorCode', '../../../packages/core/src/error.ts', /^### (\w+)$/gm],
  ['StoreErrorCode', '../../../packages/store/src/error.ts', /^\| `(\w+)` \|/gm],
])('the page about troubleshooting has each %s', (type, source, entries) => {
  const [, union = ''] = new RegExp(`export type ${type} =(.*?);`, 's').exec(read(source)) ?? [];
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  const explained = [...read('../pages/guides/troubleshooting.md').matchAll(entries)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(3);
  expect(explained.toSorted()).toEqual(codes.toSorted());
});
