import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Store } from '../src/index.ts';
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

it.each<readonly [string, (store: Store) => Promise<unknown>]>([
  ['deleted', (store) => store.delete('diary')],
  ['trimmed', (store) => store.trim('diary', 1)],
])(
  'keeps nothing of what was %s once the store is closed, also while another one is open',
  async (how, erase) => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    await using agent = sqliteStore(join(folder, 'state.db'));
    if (how === 'deleted') await agent.set('diary', "Ann's diary.");
    else await agent.append('diary', ["Ann's diary."]);
    const store = sqliteStore(join(folder, 'state.db'));
    await erase(store);
    await store.close();
    const files = readdirSync(folder);
    expect(files).toContain('state.db-wal');
    for (const file of files) expect(readFileSync(join(folder, file)).includes("Ann's diary.")).toBe(false);
  },
);
