/** A thread that opens new stores, each at the moment at which the other threads open it, too. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { claim } from '../src/index.ts';
import { sqliteStore } from '../src/sqlite.ts';

const { folder, threads, rounds, arrived } = workerData;
const count = new Int32Array(arrived);
const answers: string[] = [];

for (let round = 0; round < rounds; round++) {
  Atomics.add(count, 0, 1);
  while (Atomics.load(count, 0) < (round + 1) * threads) await setImmediate();
  const store = sqliteStore(join(folder, `${round}.db`));
  const claimed = await claim(store, 'thing', { ttlMs: 60_000 }).catch(String);
  answers.push(typeof claimed === 'string' ? claimed : claimed === undefined ? 'no' : 'yes');
  await store.close();
}
parentPort?.postMessage(answers);
