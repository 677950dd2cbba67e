/** Another process that uses the store under test. It says when it has opened it, waits for the word, and does its task. */
import { Worker } from 'node:worker_threads';
import { claim } from '../claim.ts';
import type { Store } from '../store.ts';
import type { Order, StoreModule, TaskName } from './process.ts';

const tasks: Readonly<Record<TaskName, (store: Store) => Promise<unknown>>> = {
  /** Counts against one limit, 400 times, as fast as it can; resolves to how often it was let through. */
  async count(store) {
    let counted = 0;
    const ask = async (): Promise<void> => {
      for (let time = 0; time < 50; time++) {
        const answer = await store.count(
          { key: 'shared', amount: 1, limit: 600, windowMs: 600_000 },
          { key: 'beside', amount: 2, limit: 100_000, windowMs: 600_000 },
        );
        if (answer.counted) counted++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, ask));
    return counted;
  },

  /** Appends records that say where they are, each where it expects to be. */
  async append(store) {
    let length = 0;
    for (let appended = 0; appended < 40; ) {
      const answer = await store.append('shared', [{ at: length, by: process.pid }], { expected: length });
      if (answer.appended) appended++;
      length = answer.length;
    }
    return length;
  },

  /** Appends two records at a time, until it is killed. */
  async appendForever(store) {
    for (let length = 0; ; )
      ({ length } = await store.append('shared', [{ at: length }, { at: length + 1 }], { expected: length }));
  },

  /** Makes writes that have two parts each, until it kills itself in the middle of them. */
  async writeAndDie(store) {
    const killer = new Worker(KILLER, { eval: true });
    for (let at = 0; ; at++) {
      if (at === 1) killer.postMessage('go');
      const half = { at, text: 'x'.repeat(20_000) };
      await store.append('shared', [half, half]);
      await store.set('shared', [half, half]);
      const count = { amount: 1, windowMs: 600_000 };
      await store.count({ ...count, key: 'one' }, { ...count, key: 'other' });
    }
  },

  /** Sends numbered requests, until it is killed. */
  async requestForever(store) {
    for (let number = 0; ; number++) await sendRequest(store, number);
  },

  /** Sends the first fifty of those requests. */
  async request(store) {
    for (let number = 0; number < REQUESTS; number++) await sendRequest(store, number);
  },

  /** Holds something, and never gives it back. */
  async hold(store) {
    const held = await claim(store, 'claimed', { ttlMs: HELD_MS });
    const counted = await store.count({ key: 'slots', amount: 1, limit: 1, windowMs: HELD_MS, id: 'holder' });
    return held !== undefined && counted.counted;
  },

  /** Writes what lasts a minute. */
  async write(store) {
    await store.set('value', 'from the other process', { ttlMs: 60_000 });
    await store.append('log', ['from the other process'], { ttlMs: 60_000 });
    return store.count({ key: 'counter', amount: 1, limit: 2, windowMs: 60_000 });
  },

  async claim(store) {
    return (await claim(store, 'claimed', { ttlMs: 60_000 })) !== undefined;
  },
};

/** A thread that kills its process at any moment of the next 20 milliseconds: that one may write without ever waiting. */
const KILLER = `require('node:worker_threads').parentPort.once('message', () => {
  const until = performance.now() + 20 * Math.random();
  while (performance.now() < until);
  process.kill(process.pid, 'SIGKILL');
});`;

/** How long something is held: longer than it takes to kill its holder, also on a machine with much else to do. */
const HELD_MS = 5_000;

/** How many requests one process sends again after another. */
const REQUESTS = 50;

/** A request of that number: the same in every process. */
async function sendRequest(store: Store, number: number): Promise<void> {
  const requestId = `request ${number}`;
  await store.append(
    'requests',
    [
      { number, half: 1 },
      { number, half: 2 },
    ],
    { requestId },
  );
  await store.count([{ key: 'requests', amount: 1, windowMs: 600_000 }], { requestId });
}

process.once('message', async ({ module, space, task, clockAheadMs }: Order) => {
  setClockAhead(clockAheadMs);
  const { open }: StoreModule = await import(module);
  const store = await open(space);
  process.once('message', async () => {
    const result = await tasks[task](store).catch(String);
    // Stays alive until it is killed.
    process.send?.({ result });
  });
  process.send?.('ready');
});

function setClockAhead(ms: number): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly [] | readonly [string | number | Date]) {
      if (args.length === 0) super(RealDate.now() + ms);
      else super(args[0]);
    }
    static override now(): number {
      return RealDate.now() + ms;
    }
  } as DateConstructor;
}
