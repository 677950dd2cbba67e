import { readdirSync, readFileSync } from 'node:fs';
import { HooksError, type HooksErrorCode } from '@hooks/core';
import { expect, test } from 'vitest';
import { slug } from '../.vitepress/slug.ts';
import { homepage } from '../scripts/homepage.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const codesOf = (type: string, source: string): readonly string[] => {
  const [, union = ''] = new RegExp(`export type ${type} =(.*?);`, 's').exec(read(source)) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
};

test.each([
  ['HooksErrorCode', '../../../packages/core/src/error.ts', /^### (\w+)$/gm],
  ['StoreErrorCode', '../../../packages/store/src/error.ts', /^\| `(\w+)` \|/gm],
])('the page about troubleshooting has each %s', (type, source, entries) => {
  const codes = codesOf(type, source);
  const explained = [...read('../pages/guides/troubleshooting.md').matchAll(entries)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(3);
  expect(explained.toSorted()).toEqual(codes.toSorted());
});

test('a HooksError has the address of the entry of its code', () => {
  const codes = codesOf('HooksErrorCode', '../../../packages/core/src/error.ts') as readonly HooksErrorCode[];
  for (const code of codes)
    expect(new HooksError(code, 'wrong').docs).toBe(`${homepage}guides/troubleshooting#${slug(code)}`);
});

test('the homepage of every published package is the address of the site', () => {
  const folders = readdirSync(new URL('../../../packages/', import.meta.url));
  const manifests = folders.map((folder) => JSON.parse(read(`../../../packages/${folder}/package.json`)));
  const others = manifests.filter((manifest) => !manifest.private && manifest.homepage !== homepage);
  expect(others.map(({ name }) => name)).toEqual([]);
});
