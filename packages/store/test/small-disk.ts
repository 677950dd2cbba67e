/** Fills the small disk at the given path with a store, and prints what came of it. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStoreError, type Store } from '../src/index.ts';
import { sqliteStore } from '../src/sqlite.ts';

const [, , folder = ''] = process.argv;
const store = sqliteStore(join(folder, 'store.db'));
const big = 'x'.repeat(10_000);

// SQLite needs room to delete, too.
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(100_000));
await store.set('key', 'before');
const written: string[] = [];
const full = await failureOf(async () => {
  for (let index = 0; ; index++) {
    await store.set(`big/${index}`, { index, big });
    written.push(`big/${index}`);
  }
});
const fullLog = await failureOf(() => store.append('log', ['small', ...Array(50).fill(big)]));
const listed = await keysOf(store);
const logged = (await store.read('log')[Symbol.asyncIterator]().next()).done;
const whole = listed.length === written.length && written.length > 0 && logged === true;

rmSync(ballast);
const roomAgain = (await store.set('key', 'after')) !== undefined;

await store.close();
execFileSync('mount', ['-o', 'remount,ro', folder]);
const again = sqliteStore(join(folder, 'store.db'));
const readOnly = await failureOf(() => again.set('key', 'late'));
const stillRead = (await again.get('key').catch(() => undefined))?.value === 'after';
console.log(JSON.stringify({ full, fullLog, whole, roomAgain, readOnly, stillRead }));

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return { unexpected: await work() };
  } catch (error) {
    return isStoreError(error) ? { code: error.code, message: error.message } : { unexpected: String(error) };
  }
}

async function keysOf(from: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of from.list('big/')) keys.push(key);
  return keys;
}
