import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
} from '../src/index.ts';
import { askOf, callNested, layers, person, refuse, registries, sendTo } from './support/nest.ts';

describe('approval of what runs', () => {
  it('is sought where the outer one requires it of what the inner one has made', async () => {
    for (const [decision, end] of [
      ['allow', { status: 'ok', ran: ['rm'] }],
      ['deny', { status: 'denied', ran: [] }],
    ] as const) {
      const { outer, inner } = registries();
      sendTo(inner, 'rm');
      askOf(outer, 'rm');
      const { shown, approval } = person({ rm: { decision, reason: 'not today' } });
      const { ended, ranWith } = await callNested([{ hooks: outer, approval }, { hooks: inner }]);
      expect(ended[0]).toMatchObject({ status: end.status });
      expect(ranWith).toEqual(end.ran);
      expect(shown).toEqual(['rm']);
      if (decision === 'deny') expect(ended[1]).toMatchObject({ error: new Error('not today') });
    }
  });

  it('is nobody’s where the outer one has nobody who can be asked', async () => {
    const { outer, inner } = registries();
    sendTo(inner, 'rm');
    askOf(outer, 'rm');
    const { approval } = person({ rm: { decision: 'allow' } });
    const { ended, ranWith } = await callNested([{ hooks: outer }, { hooks: inner, approval }]);
    expect(ended[0]).toMatchObject({ status: 'denied' });
    expect(ranWith).toEqual([]);
  });

  it('may put another input in its place, which the guards of both see, and which runs', async () => {
    const { seen, outer, inner } = registries();
    sendTo(inner, 'rm');
    askOf(outer, 'rm');
    const { approval } = person({ rm: { decision: 'allow', input: 'df' } });
    expect(await callNested([{ hooks: outer, approval }, { hooks: inner }])).toMatchObject({
      ended: [
        { status: 'ok', input: 'df', output: 'df' },
        { status: 'ok', input: 'df' },
      ],
      ranWith: ['df'],
    });
    expect(seen).toEqual(['outer ls', 'inner rm', 'outer rm', 'outer df', 'inner df']);
    refuse(inner, 'df');
    const { ended, ranWith } = await callNested([{ hooks: outer, approval }, { hooks: inner }]);
    expect(ended).toMatchObject([
      { status: 'ok', output: 'refused: no df' },
      { status: 'blocked', ran: false, reason: 'no df' },
    ]);
    expect(ranWith).toEqual([]);
  });

  it('is the inner one’s of what a person makes of it further out', async () => {
    const { outer, inner } = registries();
    sendTo(inner, 'rm');
    askOf(outer, 'rm');
    askOf(inner, 'df');
    const { approval } = person({ rm: { decision: 'allow', input: 'df' } });
    const asked = person({ df: { decision: 'allow' } });
    const both = [
      { hooks: outer, approval },
      { hooks: inner, approval: asked.approval },
    ];
    expect(await callNested(both)).toMatchObject({ ranWith: ['df'] });
    expect(asked.shown).toEqual(['df']);
  });
});

describe('control flow of the framework', () => {
  const interrupt = new Error('interrupt');
  const isControlFlow = (error: unknown) => error === interrupt;

  it('of the tool passes through both, and the call goes on where it was', async () => {
    const { seen, outer, inner } = registries();
    sendTo(inner, 'pwd');
    const both = [
      { hooks: outer, isControlFlow },
      { hooks: inner, isControlFlow },
    ];
    const paused = callNested(both, () => {
      throw interrupt;
    });
    await expect(paused).rejects.toBe(interrupt);
    expect(await callNested(both)).toMatchObject({
      ended: [
        { status: 'ok', attempts: 1 },
        { status: 'ok', attempts: 1 },
      ],
    });
    expect(seen).toEqual(['outer ls', 'inner pwd', 'outer pwd']);
  });

  it('of who approves for the outer one passes through the inner one; taken up again, only the person is asked', async () => {
    const { seen, outer, inner } = registries();
    sendTo(inner, 'rm');
    askOf(outer, 'rm');
    let answer: ApprovalAnswer | undefined;
    const approval: Approver = () => {
      if (answer === undefined) throw interrupt;
      return answer;
    };
    const both = [
      { hooks: outer, approval, isControlFlow },
      { hooks: inner, isControlFlow },
    ];
    await expect(callNested(both)).rejects.toBe(interrupt);
    answer = { decision: 'allow' };
    expect(await callNested(both)).toMatchObject({
      ended: [{ status: 'ok', attempts: 1 }, {}],
      ranWith: ['rm'],
    });
    expect(seen).toEqual(['outer ls', 'inner rm', 'outer rm']);
  });
});

describe('what is made of an input while those further out are asked about it', () => {
  it.each(['a person', 'a hook'])('by %s is shown to those further out of that one, too', async (who) => {
    const { seen, outer, between, inner } = registries();
    sendTo(inner, 'df');
    askOf(between, 'df');
    const { approval } = person({ df: { decision: 'allow', input: 'rm' } });
    if (who === 'a hook')
      between.on(PermissionRequest, () =>
        modify({ input: 'rm', approval: { kind: 'granted', reason: 'ok' } }),
      );
    const all = [{ hooks: outer }, { hooks: between, approval }, { hooks: inner }];
    expect(await callNested(all)).toMatchObject({
      ended: [{ input: 'rm' }, { input: 'rm' }, { input: 'rm' }],
      ranWith: ['rm'],
    });
    expect(seen.slice(3)).toEqual(['outer df', 'between df', 'between rm', 'outer rm', 'inner rm']);
    refuse(outer, 'rm');
    const { ended, ranWith } = await callNested(all);
    expect(ranWith).toEqual([]);
    expect(ended).toMatchObject([{ status: 'blocked', reason: 'no rm' }, {}, { error: new Error('no rm') }]);
  });

  it('and by a person further out is shown to them again where our own hooks then put another in its place', async () => {
    const { outer, inner } = registries();
    sendTo(inner, 'ps');
    askOf(outer, 'ps');
    refuse(outer, 'rm');
    askOf(inner, 'df');
    const asked = person({ ps: { decision: 'allow', input: 'df' }, df: { decision: 'allow', input: 'rm' } });
    const { approval } = asked;
    const { ended, ranWith } = await callNested([
      { hooks: outer, approval },
      { hooks: inner, approval },
    ]);
    expect(asked.shown).toEqual(['ps', 'df']);
    expect(ranWith).toEqual([]);
    expect(ended[0]).toMatchObject({ status: 'blocked', reason: 'no rm' });
  });

  it('is asked about once, also where the tool runs again', async () => {
    const { seen, outer, between, inner } = registries();
    sendTo(inner, 'df');
    askOf(outer, 'df');
    askOf(outer, 'ps');
    askOf(between, 'df');
    let left = 1;
    between.on(AfterToolCall, () => (left-- > 0 ? retry('again') : proceed()));
    const asked = person({ df: { decision: 'allow' }, ps: { decision: 'allow' } });
    const edited = person({ df: { decision: 'allow', input: 'ps' } });
    const { ranWith } = await callNested([
      { hooks: outer, approval: asked.approval },
      { hooks: between, approval: edited.approval },
      { hooks: inner },
    ]);
    expect(ranWith).toEqual(['ps', 'ps']);
    expect([asked.shown, edited.shown]).toEqual([['df', 'ps'], ['df']]);
    expect(seen.filter((what) => /^(outer|between) (df|ps)/.test(what))).toHaveLength(4);
  });

  it('ends the call where each puts another input in the place of the other’s', async () => {
    const { outer, between, inner } = registries();
    for (const [hooks, input] of [
      [outer, 'a'],
      [between, 'b'],
    ] as const) {
      hooks.guard(BeforeToolCall, (call) => (call.input === input ? proceed() : requireApproval('?')));
      hooks.on(PermissionRequest, () => modify({ input, approval: { kind: 'granted', reason: 'mine' } }));
    }
    sendTo(inner, 'c');
    const { ended, ranWith } = await callNested(layers(outer, between, inner));
    expect(ranWith).toEqual([]);
    expect(ended[0]).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_DECISION', message: expect.stringContaining('registries around exec') },
    });
  });
});
