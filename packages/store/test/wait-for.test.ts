import { expect, it } from 'vitest';
import { memoryStore, waitFor } from '../src/index.ts';

const answered = (entry: { readonly value: unknown } | undefined) => entry?.value !== 'pending';

it('waitFor resolves to the value once it is as wanted', async () => {
  const store = memoryStore();
  const pending = await store.set('request', 'pending');
  const waiting = waitFor(store, 'request', answered, { pollMs: 1 });
  await store.set('request', 'allow', { expected: pending ?? null });
  expect(await waiting).toMatchObject({ value: 'allow' });
});

it('waitFor sees a value go', async () => {
  const store = memoryStore();
  await store.set('request', 'pending', { ttlMs: 20 });
  expect(await waitFor(store, 'request', (entry) => entry === undefined, { pollMs: 1 })).toBeUndefined();
});

it('waitFor rejects with the reason of its signal, also while it waits', async () => {
  const store = memoryStore();
  await store.set('request', 'pending');
  const abort = new AbortController();
  const waiting = waitFor(store, 'request', answered, { signal: abort.signal, pollMs: 1_000_000 });
  // It has asked once, and waits.
  await store.get('request');
  abort.abort(new Error('the person left'));
  await expect(waiting).rejects.toThrow('the person left');
  await expect(waitFor(store, 'request', answered, { signal: abort.signal })).rejects.toThrow(
    'the person left',
  );
});

it('waitFor rejects where the store fails', async () => {
  const store = memoryStore();
  await store.set('request', 'pending');
  const waiting = waitFor(store, 'request', answered, { pollMs: 1 });
  await store.close();
  await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
});
