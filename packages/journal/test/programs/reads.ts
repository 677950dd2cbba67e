/**
 * Reads, verifies and replays the journal that it is told of; sends how many records and calls it found, and by how much the memory
 * in use has grown at most meanwhile, in bytes.
 */
import { setImmediate } from 'node:timers/promises';
import { sqliteStore } from '@hooks/store/sqlite';
import { readJournal, replay, verifyJournal } from '../../src/index.ts';

const [, , path = ''] = process.argv;
const journal = path.endsWith('.db') ? sqliteStore(path) : path;
const used = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const before = used();
let most = before;
const look = (): void => {
  most = Math.max(most, used());
};
/** Looks between the portions that are read. */
async function watched<T>(work: Promise<T>): Promise<T> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  while (!over) {
    look();
    await setImmediate();
  }
  return work;
}

let records = 0;
for await (const { data } of readJournal(journal)) {
  if (data !== null && ++records % 40 === 0) look();
}
const { state } = await watched(verifyJournal(journal));
const { coverage } = await watched(replay(journal, []));
process.send?.({ records, state, calls: coverage.calls, grown: most - before });
