import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite.ts';
import { testStore } from '../src/testing/index.ts';
import { remains } from './stores/sqlite.ts';

testStore('the SQLite store', { module: new URL('./stores/sqlite.ts', import.meta.url), remains });

it('keeps nothing of what was deleted or replaced in its file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'store-')), 'state.db');
  const store = sqliteStore(file);
  const diary = "Ann's diary. ".repeat(10_000);
  await store.set('deleted', diary);
  await store.set('replaced', diary);
  await store.delete('deleted');
  await store.set('replaced', null);
  await store.close();
  expect(readFileSync(file).includes("Ann's diary.")).toBe(false);
});
