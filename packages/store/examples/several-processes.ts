import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim } from '@hooks/store';
import { sqliteStore } from '@hooks/store/sqlite';

const path = join(mkdtempSync(join(tmpdir(), 'agents-')), 'store.db');
const one = sqliteStore(path);
const another = sqliteStore(path); // in another process

const mine = await claim(one, 'nightly-report', { ttlMs: 60_000, by: 'one' });
console.log(await claim(another, 'nightly-report', { ttlMs: 60_000 })); // undefined
await mine?.release();

// Two at a time: a slot that is given back, or is free again after a minute.
const slot = { key: 'slots/browser', amount: 1, limit: 2, windowMs: 60_000 };
await one.count({ ...slot, id: 'call-1' });
await another.count({ ...slot, id: 'call-2' });
console.log((await one.count({ ...slot, id: 'call-3' })).counted); // false
await another.count({ ...slot, amount: 0, id: 'call-2' });
console.log((await one.count({ ...slot, id: 'call-3' })).counted); // true
await one.close();
await another.close();
