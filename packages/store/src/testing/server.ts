import { expect, it } from 'vitest';
import type { Stage } from './stage.ts';
import { all, eventually } from './tools.ts';

/** What a store promises when its server goes away. */
export function testServer(stage: Stage): void {
  it('goes away and comes back: calls fail meanwhile, and what was written is there', async () => {
    const store = await stage.open();
    await store.set('before', 1);
    await store.append('log', ['before']);
    await stage.server?.stop();
    const unreachable = {
      name: 'StoreError',
      code: 'UNREACHABLE',
      message: expect.stringContaining('cannot be reached'),
    };
    await Promise.all(
      [store.get('before'), store.count({ key: 'c', amount: 1, windowMs: 60_000 })].map((call) =>
        expect(call).rejects.toMatchObject(unreachable),
      ),
    );
    await stage.server?.start();
    await eventually(() => store.get('before').catch(() => undefined)).toMatchObject({ value: 1 });
    expect(await all(store.read('log'))).toEqual([{ position: 0, record: 'before' }]);
    expect(await store.append('log', ['after'], { expected: 1 })).toEqual({ appended: true, length: 2 });
  });
}
