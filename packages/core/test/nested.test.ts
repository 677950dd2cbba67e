import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Execute,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
} from '../src/index.ts';
import { runNested } from '../src/tool-call/index.ts';
import { call } from './support/call.ts';
import { callNested, type Layer } from './support/nest.ts';

/** A registry whose guards note what they see. */
function registry(seen: string[], name: string): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => (seen.push(`${name} ${input}`), proceed()));
  return hooks;
}

/** Two of them, or three. */
function registries() {
  const seen: string[] = [];
  const [outer, between, inner] = ['outer', 'between', 'inner'].map((name) => registry(seen, name)) as [
    Hooks,
    Hooks,
    Hooks,
  ];
  return { seen, outer, between, inner };
}

const layers = (...all: readonly (Hooks | Layer)[]): readonly Layer[] =>
  all.map((layer) => ('hooks' in layer ? layer : { hooks: layer }));

const sendTo = (hooks: Hooks, input: unknown) => hooks.on(BeforeToolCall, () => modify({ input }));
const refuse = (hooks: Hooks, refused: unknown) =>
  hooks.guard(BeforeToolCall, ({ input }) => (input === refused ? block(`no ${refused}`) : proceed()), {
    id: 'no',
  });
const askOf = (hooks: Hooks, wanted: unknown) =>
  hooks.guard(BeforeToolCall, ({ input }) => (input === wanted ? requireApproval(`${wanted}?`) : proceed()));

/** Who answers by input, and the inputs that were shown. */
function person(answers: { readonly [input: string]: ApprovalAnswer | Error }) {
  const shown: unknown[] = [];
  const approval: Approver = ({ input }) => {
    shown.push(input);
    const answer = answers[String(input)];
    if (answer instanceof Error) throw answer;
    return answer ?? { decision: 'deny' };
  };
  return { shown, approval };
}

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

it('takes no two inputs that have no JSON form for the same', async () => {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => (asked.push(input), proceed()));
  const endless = () => {
    const input: { self?: object } = {};
    input.self = input;
    return input;
  };
  const [ours, theirs] = [endless(), endless()];
  for (const left of [ours, theirs]) {
    const execute: Execute = (_input, running) =>
      runNested(
        { running, outer: () => Promise.resolve({ kind: 'run', input: left }) },
        { input: ours },
        (changed) => changed?.input,
      );
    expect((await call(hooks, { execute })).output).toBe(left);
  }
  expect(asked).toHaveLength(3);
  expect(asked[2]).toBe(theirs);
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
