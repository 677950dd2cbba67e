import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store, StoreError } from '@hooks/store';
import { expect, it } from 'vitest';
import { journal, readJournal, verifyJournal } from '../src/index.ts';

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
