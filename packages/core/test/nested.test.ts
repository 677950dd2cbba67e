import { describe, expect, it } from 'vitest';
import { AfterToolCall, BeforeToolCall, modify, proceed, retry } from '../src/index.ts';
import { callNested, layers, refuse, registries, sendTo } from './support/nest.ts';

describe('a call that hooks of two registries hook', () => {
  it('is told to those further out once where nobody changes it', async () => {
    const { seen, outer, inner } = registries();
    expect(await callNested(layers(outer, inner))).toMatchObject({
      ended: [{ status: 'ok', output: 'ls', input: 'ls' }, { status: 'ok' }],
      ranWith: ['ls'],
    });
    expect(seen).toEqual(['outer ls', 'inner ls']);
  });

  it('shows the guards of the outer one what the inner one makes of it, and ends as that in both', async () => {
    const { seen, outer, inner } = registries();
    sendTo(inner, 'pwd');
    expect(await callNested(layers(outer, inner))).toMatchObject({
      ended: [
        { status: 'ok', input: 'pwd', output: 'pwd', attempts: 1 },
        { status: 'ok', input: 'pwd' },
      ],
      ranWith: ['pwd'],
    });
    expect(seen).toEqual(['outer ls', 'inner pwd', 'outer pwd']);
  });

  it('has the inner one start from what the outer one makes of it, and asks nobody twice about that', async () => {
    const { seen, outer, inner } = registries();
    sendTo(outer, 'pwd');
    expect(await callNested(layers(outer, inner))).toMatchObject({ ranWith: ['pwd'] });
    expect(seen).toEqual(['outer pwd', 'inner pwd']);
  });

  it('does not run where the outer one refuses what the inner one has made: the reason is the outer one’s', async () => {
    const { outer, inner } = registries();
    sendTo(inner, 'rm');
    refuse(outer, 'rm');
    const { ended, ranWith } = await callNested(layers(outer, inner));
    expect(ended).toMatchObject([
      { status: 'blocked', ran: false, attempts: 0, reason: 'no rm', by: 'no', input: 'rm' },
      { status: 'error', error: new Error('no rm') },
    ]);
    expect(ranWith).toEqual([]);
  });

  it('does not run where what the inner one has made does not fit the schema of the outer one', async () => {
    const { outer, inner } = registries();
    sendTo(inner, 5);
    const check = (input: unknown) => (typeof input === 'string' ? undefined : { message: 'no string' });
    const { ended, ranWith } = await callNested([{ hooks: outer, check }, { hooks: inner }]);
    expect(ended).toMatchObject([{ status: 'blocked', reason: expect.stringContaining('no string') }, {}]);
    expect(ranWith).toEqual([]);
  });

  it('does not run again where AfterToolCall of the inner one wants what the outer one has refused', async () => {
    const { seen, outer, inner } = registries();
    sendTo(inner, 'rm');
    refuse(outer, 'rm');
    let left = 1;
    inner.on(AfterToolCall, () => (left-- > 0 ? retry('again') : proceed()));
    const { ended, ranWith } = await callNested(layers(outer, inner));
    expect(ended).toMatchObject([{ status: 'blocked', reason: 'no rm' }, { attempts: 2 }]);
    expect(ranWith).toEqual([]);
    expect(seen).toEqual(['outer ls', 'inner rm', 'outer rm']);
  });

  it('asks nobody again at a Retry, of either', async () => {
    for (const who of ['outer', 'inner'] as const) {
      const all = registries();
      const { seen, outer, inner } = all;
      sendTo(inner, 'pwd');
      let left = 1;
      all[who].on(AfterToolCall, () => (left-- > 0 ? retry('again') : proceed()));
      const { ended, ranWith } = await callNested(layers(outer, inner));
      expect(ended).toMatchObject([
        { status: 'ok', input: 'pwd', attempts: who === 'outer' ? 2 : 1 },
        { status: 'ok', input: 'pwd' },
      ]);
      expect(ranWith).toEqual(['pwd', 'pwd']);
      expect(seen.filter((what) => what === 'outer pwd')).toHaveLength(1);
    }
  });
});

describe('a call that hooks of three registries hook', () => {
  it('is shown to all further out, the outermost first', async () => {
    const { seen, outer, between, inner } = registries();
    sendTo(inner, 'pwd');
    const { ended, ranWith } = await callNested(layers(outer, between, inner));
    expect(ended.map(({ input }) => input)).toEqual(['pwd', 'pwd', 'pwd']);
    expect(ranWith).toEqual(['pwd']);
    expect(seen).toEqual(['outer ls', 'between ls', 'inner pwd', 'outer pwd', 'between pwd']);
  });

  it('does not run where any of those further out refuses, and those behind it are not asked', async () => {
    for (const [who, asked] of [
      ['outer', ['outer rm']],
      ['between', ['outer rm', 'between rm']],
    ] as const) {
      const all = registries();
      const { seen, outer, between, inner } = all;
      sendTo(inner, 'rm');
      refuse(all[who], 'rm');
      const { ended, ranWith } = await callNested(layers(outer, between, inner));
      expect(ranWith).toEqual([]);
      expect(seen.slice(3)).toEqual(asked);
      expect(ended[who === 'outer' ? 0 : 1]).toMatchObject({
        status: 'blocked',
        ran: false,
        reason: 'no rm',
      });
      expect(ended[2]).toMatchObject({ status: 'error', error: new Error('no rm') });
    }
  });

  it('shows the outermost what the one between makes, and the two what the innermost makes of that', async () => {
    const { seen, outer, between, inner } = registries();
    sendTo(between, 'pwd');
    sendTo(inner, 'df');
    expect(await callNested(layers(outer, between, inner))).toMatchObject({ ranWith: ['df'] });
    expect(seen).toEqual(['outer ls', 'between pwd', 'outer pwd', 'inner df', 'outer df', 'between df']);
  });
});

it('takes an equal input for the one that has passed, though it is another object', async () => {
  const { seen, outer, inner } = registries();
  const hooks = inner;
  hooks.on(BeforeToolCall, () =>
    modify({ input: { command: 'df' }, approval: { kind: 'granted', reason: 'fine' } }),
  );
  let left = 1;
  outer.on(AfterToolCall, () => (left-- > 0 ? retry('again') : proceed()));
  const needsApproval = 'the framework asks';
  const { ended, ranWith } = await callNested([{ hooks: outer }, { hooks, needsApproval }]);
  expect(ended).toMatchObject([{ status: 'ok', attempts: 2 }, { status: 'ok' }]);
  expect(ranWith).toHaveLength(2);
  expect(seen).toHaveLength(4);
});
