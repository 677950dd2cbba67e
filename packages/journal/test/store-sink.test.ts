import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store, StoreError } from '@hooks/store';
import { expect, it } from 'vitest';
import { eraseSession, journal, readJournal, verifyJournal } from '../src/index.ts';

/** A store whose replies to appends are lost, or whose appends do not arrive, until it is told otherwise. */
function away(inner: Store): Store & { fault: 'none' | 'reply lost' | 'not sent' } {
  const store = {
    ...inner,
    fault: 'none' as 'none' | 'reply lost' | 'not sent',
    async append(...args: Parameters<Store['append']>) {
      if (store.fault !== 'not sent') {
        const answer = await inner.append(...args);
        if (store.fault === 'none') return answer;
      }
      throw new StoreError('UNREACHABLE', 'The connection broke.');
    },
  };
  return store;
}

it('a journal in a store is whole after replies were lost, and after an outage', async () => {
  const store = away(memoryStore());
  const log = journal({ store, onError: () => {} });
  const hooks = createHooks();
  hooks.use(log);
  const call = (callId: string) =>
    callTool(hooks, { session: hooks.session('s'), toolName: 'pay', callId, input: {} }, () => 'paid');
  await call('c1');
  await log.flush();
  // The same records come again with later ones, each time.
  for (const fault of ['reply lost', 'not sent', 'reply lost', 'reply lost', 'not sent'] as const) {
    store.fault = fault;
    await call(fault);
    await expect(log.flush()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
  }
  store.fault = 'none';
  await call('c2');
  await hooks.close();
  await log.close();
  expect(await verifyJournal(store)).toMatchObject({ state: 'intact', problems: [] });
  const ids: string[] = [];
  for await (const { record } of readJournal(store)) ids.push(record.id);
  expect(ids).toEqual(Array.from(ids, (_, index) => String(index)));
});

it('a value that a store could not take is left out and named, so that what comes behind it is written', async () => {
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    async set(key, value, options) {
      if (JSON.stringify(value).length > 20_000_000)
        throw new StoreError('UNREACHABLE', 'It takes too long.');
      return inner.set(key, value, options);
    },
  };
  const log = journal({ store, required: true, onError: () => {} });
  const hooks = createHooks();
  hooks.use(log);
  const session = hooks.session('s');
  for (const length of [20_000_000, 1])
    expect(
      await callTool(hooks, { session, toolName: 'read', input: { length } }, () => 'x'.repeat(length)),
    ).toMatchObject({ status: 'ok' });
  await hooks.close();
  await log.close();
  const omitted: unknown[] = [];
  for await (const { record } of readJournal(store))
    if (record.type === 'hooks.after_tool_call') omitted.push(record.omitted);
  expect(omitted).toEqual([['output'], undefined]);
  expect(await verifyJournal(store)).toMatchObject({ state: 'intact', problems: [] });
});

it('a journal in a store writes the data of a batch at once, by session, so that one can be erased alone', async () => {
  const inner = memoryStore();
  let writes = 0;
  const store: Store = {
    ...inner,
    set: (...args) => (writes++, inner.set(...args)),
    append: (...args) => (writes++, inner.append(...args)),
  };
  const log = journal({ store });
  const hooks = createHooks();
  hooks.use(log);
  const call = (session: string, callId: string, input: object) =>
    callTool(hooks, { session: hooks.session(session), toolName: 'pay', callId, input }, () => 'paid');
  for (let nth = 0; nth < 20; nth++) await call(nth % 2 ? 'one' : 'two', `c${nth}`, { nth });
  await call('one', 'large', { text: 'x'.repeat(100_000) });
  await log.flush();
  // Two sessions, two records of the large input, and the log.
  expect(writes).toBeLessThan(10);
  await hooks.close();
  await log.close();
  expect(await eraseSession(store, 'one', { by: 'ops', why: 'asked' })).toMatchObject({ sessions: ['one'] });
  expect(await verifyJournal(store)).toMatchObject({ problems: [] });
  const inputs: (readonly unknown[])[] = [];
  for await (const { record, data } of readJournal(store))
    if (record.type === 'hooks.before_tool_call') inputs.push([record.session, data?.['input']]);
  const two = Array.from({ length: 10 }, (_, nth) => ['two', { nth: 2 * nth }]);
  expect(inputs.filter(([session]) => session === 'two')).toEqual(two);
  expect(inputs.filter(([session]) => session === 'one')).toEqual(
    Array.from({ length: 11 }, () => ['one', undefined]),
  );
});

it('a journal in a store writes what waited during an outage in portions that a call can take', async () => {
  const inner = away(memoryStore());
  // As one that does not answer in time where a call has more to do.
  const fits = (value: unknown): void => {
    if (JSON.stringify(value).length > 2_000_000) throw new StoreError('UNREACHABLE', 'It did not answer.');
  };
  const store: Store = {
    ...inner,
    async set(key, value, options) {
      fits(value);
      return inner.set(key, value, options);
    },
    async append(stream, records, options) {
      fits(records);
      return inner.append(stream, records, options);
    },
  };
  const log = journal({ store, onError: () => {} });
  const hooks = createHooks();
  hooks.use(log);
  inner.fault = 'not sent';
  for (let call = 0; call < 1_000; call++)
    await callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'read', callId: `c${call}`, input: {} },
      () => 'x'.repeat(10_000),
    );
  await expect(log.flush()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
  inner.fault = 'none';
  await hooks.close();
  await log.close();
  expect(await verifyJournal(store)).toMatchObject({ state: 'intact', problems: [] });
  const outputs: unknown[] = [];
  for await (const { record, data } of readJournal(store))
    if (record.type === 'hooks.after_tool_call') outputs.push(data?.output);
  expect(outputs).toEqual(Array(1_000).fill('x'.repeat(10_000)));
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

it.each([
  ['an argument called toJSON', '{"toJSON":1}'],
  ['300 levels', `{"of":${nested(300)}}`],
  ['1,000 levels', `{"of":${nested(1_000)}}`],
])('a journal in a store goes on after a call with %s', async (_what, text) => {
  const store = memoryStore();
  await using log = journal({ store });
  await using hooks = createHooks();
  hooks.use(log);
  const value: unknown = JSON.parse(text);
  for (const input of [value, {}])
    await callTool(hooks, { session: hooks.session('s'), toolName: 'echo', callId: 'c', input }, () => value);
  await log.flush();
  const outputs: unknown[] = [];
  for await (const { record, data } of readJournal(store))
    if (record.type === 'hooks.after_tool_call' && data?.output !== undefined) outputs.push(data.output);
  expect(outputs.at(-1)).toEqual(value);
});
