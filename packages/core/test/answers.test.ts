import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type Approval,
  BeforeCompaction,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type HookDecision,
  HooksError,
  modify,
  Notification,
  PermissionRequest,
  proceed,
  requireApproval,
  SessionStart,
  TransformToolResult,
  UserPromptSubmit,
} from '../src/index.ts';
import { hashInput } from '../src/tool-call/index.ts';
import { call, deferred, tick } from './support/call.ts';

/** What plain JavaScript may hand in, past the types. */
function untyped(decision: unknown): never {
  return decision as never;
}
const patch = (fields: object): never => untyped(modify(fields));

describe('an answer that is none is a failure of its hook, which says what it was', () => {
  it.each([
    [undefined, 'returned no decision (undefined)'],
    [null, 'returned no decision (null)'],
    ['block', 'returned no decision (string)'],
    [{ kind: 'block' }, 'returned no decision (object)'],
    [{ kind: 'modify', patch: null }, 'returned no decision (object)'],
    [{ kind: 'retry', reason: 'again', delayMs: -1 }, 'returned no decision (object)'],
    [{ kind: 'retry', reason: 'again' }, 'answered retry, which is not permitted'],
  ])('%j', async (answer, said) => {
    const hooks = createHooks();
    const errors: HooksError[] = [];
    hooks.onError((error) => errors.push(error));
    hooks.on(BeforeToolCall, () => untyped(answer), { id: 'odd' });
    expect(await call(hooks)).toMatchObject({
      status: 'blocked',
      by: 'odd',
      reason: `Blocked, because hook "odd" ${said} on before_tool_call.`,
    });
    expect(errors).toMatchObject([{ code: 'INVALID_DECISION', hook: 'odd', event: 'before_tool_call' }]);
  });

  it('an error that a hook returns, and does not throw, is no decision either', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => untyped(new HooksError('INVALID_INPUT', 'mine')), { id: 'odd' });
    expect(await call(hooks)).toMatchObject({ reason: expect.stringContaining('no decision (object)') });
  });

  it('nothing is an answer where nothing can be decided, and no failure', async () => {
    const hooks = createHooks();
    const errors: HooksError[] = [];
    hooks.onError((error) => errors.push(error));
    const session = hooks.session('s');
    hooks.on(Notification, () => {});
    expect(await hooks.dispatch(Notification, { session, level: 'warning', message: 'hm' })).toBe(proceed());
    expect(errors).toEqual([]);
    hooks.on(Notification, () => untyped('text'), { id: 'odd' });
    expect(await hooks.dispatch(Notification, { session, level: 'warning', message: 'hm' })).toBe(proceed());
    expect(errors).toMatchObject([{ code: 'INVALID_DECISION', hook: 'odd' }]);
  });
});

describe('a decision is read once, and with the fields of its class', () => {
  class No {
    get kind() {
      return 'block';
    }
    get reason() {
      return 'no';
    }
  }
  class Ask {
    get approval() {
      return { kind: 'required', reason: 'sure?' };
    }
  }
  let reads = 0;
  const changing = {
    get kind() {
      return reads++ === 0 ? 'block' : 'proceed';
    },
    reason: 'no',
  };
  it.each<[string, unknown, string]>([
    ['a Block of a class', new No(), 'blocked'],
    ['a Block that another object inherits', Object.create(block('no')), 'blocked'],
    ['a Block whose kind changes', changing, 'blocked'],
    ['a patch of a class', modify(new Ask()), 'denied'],
    [
      'a patch that another object inherits',
      modify(Object.create({ approval: new Ask().approval })),
      'denied',
    ],
    [
      'an approval that another object inherits',
      modify({ approval: Object.create(new Ask().approval) }),
      'denied',
    ],
    [
      'an unknown field of a class with fields',
      modify(
        new (class {
          unknown = 1;
        })(),
      ),
      'blocked',
    ],
  ])('%s', async (_, answer, status) => {
    for (const verb of ['on', 'guard'] as const) {
      reads = 0;
      const hooks = createHooks({ onError: () => {} });
      hooks[verb](BeforeToolCall, () => untyped(answer));
      expect(await call(hooks)).toMatchObject({ status, ran: false });
    }
  });
});

describe('a field of a wrong shape is a failure of its hook', () => {
  const changed = (field: string): unknown =>
    expect.stringContaining(`modified "${field}" to an invalid value`);

  it.each([
    ['execute', 'ls'],
    ['toolName', 7],
    ['context', 'text'],
    ['context', ['text', 7]],
    ['context', [7, 'text']],
    ['context', { 0: 'text' }],
    ['approval', { kind: 'required' }],
    ['approval', { kind: 'given', reason: 'x' }],
    ['approval', { reason: 'x' }],
    ['approval', 'granted'],
    ['approval', null],
  ])('%s of a tool call: %j', async (field, value) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => patch({ [field]: value }));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: changed(field) });
  });

  it("names an event's fields where a hook modifies another one", async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => patch({ output: 'not of this event' }));
    const reason = expect.stringContaining('modified "output" other than the event allows (toolName,');
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason });
  });

  it('an approval of a guard', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => patch({ approval: { kind: 'required', reason: 'x', by: 'anybody' } }));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: changed('approval') });
  });

  it.each([
    ['prompt', 7],
    ['metadata', 'text'],
    ['metadata', null],
  ])('%s of a prompt: %j', async (field, value) => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => patch({ [field]: value }));
    const session = hooks.session('s');
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hi' })).toMatchObject({
      kind: 'block',
      reason: changed(field),
    });
  });

  it('a summary that is no text, an error message that is none', async () => {
    const hooks = createHooks();
    const errors: string[] = [];
    hooks.onError(({ message }) => errors.push(message));
    hooks.on(BeforeCompaction, () => patch({ summary: 7 }));
    hooks.on(TransformToolResult, () => patch({ errorMessage: 7 }));
    const session = hooks.session('s');
    await hooks.dispatch(BeforeCompaction, {
      session,
      inputTokens: 1,
      outputTokens: 1,
      contextLimit: 0,
      reason: 'manual',
      source: 'manual',
    });
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: true });
    expect(errors).toEqual([changed('summary'), changed('errorMessage')]);
  });

  it('a guard may change nothing but require approval, and nothing beside it', async () => {
    for (const answer of [
      modify({ approval: { kind: 'granted', reason: 'fine' } }),
      modify({ approval: { kind: 'required', reason: 'sure?' }, input: 'pwd' }),
      modify({ input: 'pwd' }),
      modify({}),
      { kind: 'retry', reason: 'again' },
    ]) {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, () => untyped(answer), { id: 'odd' });
      expect(await call(hooks)).toMatchObject({ status: 'blocked', by: 'odd', ran: false });
    }
  });
});

describe('approval only ever gets stronger', () => {
  it.each(['', 'Person', 'human', null, true])('by %j is a failure, and lifts no requirement', async (by) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => untyped(modify({ approval: { kind: 'required', reason: 'a', by } })));
    hooks.on(BeforeToolCall, () => requireApproval('b', { by: 'person' }));
    hooks.on(PermissionRequest, () => grantApproval('c'));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: false });
  });

  const granted: Approval = { kind: 'granted', reason: 'fine' };
  const required: Approval = { kind: 'required', reason: 'sure?' };
  const ofPerson: Approval = { kind: 'required', reason: 'really?', by: 'person' };
  const [later, again] = [
    { ...granted, reason: 'fine too' },
    { ...required, reason: 'no; sure' },
  ] as const;

  it.each([
    [[granted], granted],
    [[granted, required], required],
    [[required, granted], required],
    [[required, ofPerson], { ...ofPerson, reason: 'sure? really?', reasons: ['sure?', 'really?'] }],
    [[ofPerson, required, granted], { ...ofPerson, reason: 'really? sure?', reasons: ['really?', 'sure?'] }],
    [[required, required], required],
    [[granted, later], granted],
    [[required, again], { ...required, reason: 'sure? no; sure', reasons: ['sure?', 'no; sure'] }],
    [[again, required], { ...required, reason: 'no; sure; sure?', reasons: ['no; sure', 'sure?'] }],
    [
      [ofPerson, { ...ofPerson, reason: 'no?' }],
      { ...ofPerson, reason: 'really? no?', reasons: ['really?', 'no?'] },
    ],
    [
      [
        { ...required, severity: 'high' },
        { ...required, severity: 'low' },
      ],
      { ...required, severity: 'high' },
    ],
  ] satisfies [Approval[], Approval][])('%j comes to %j', async (given, comesTo) => {
    const hooks = createHooks();
    for (const approval of given) hooks.on(BeforeToolCall, () => modify({ approval }));
    const decision = (await hooks.dispatch(BeforeToolCall, {
      session: hooks.session('s'),
      callId: 'c',
      toolName: 'exec',
      nativeToolName: 'exec',
      input: 'ls',
    })) as HookDecision;
    expect(decision).toEqual({ kind: 'modify', patch: { approval: comesTo } });
  });
});

describe('the hash of an input', () => {
  it('is the same for the same data in any order of keys, at any depth', async () => {
    const one = { b: [{ d: 1, c: null }], a: 'x' };
    const other = { a: 'x', b: [{ c: null, d: 1 }] };
    expect(await hashInput(one)).toBe(await hashInput(other));
    expect(await hashInput(one)).not.toBe(await hashInput({ ...one, a: 'y' }));
  });

  it('tells apart what JSON tells apart, and nothing from null', async () => {
    const inputs = [
      undefined,
      null,
      '',
      'null',
      0,
      [],
      {},
      [null],
      { a: undefined, b: 1 },
      { a: null, b: 1 },
    ];
    const hashes = await Promise.all(inputs.map((input) => hashInput(input)));
    expect(new Set(hashes).size).toBe(inputs.length);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is that of canonical JSON, as any other program would make it', async () => {
    // printf '{"a":[1,{"b":2,"c":3}],"d":null}' | sha256sum
    expect(await hashInput({ d: null, a: [1, { c: 3, b: 2 }] })).toBe(
      await sha256('{"a":[1,{"b":2,"c":3}],"d":null}'),
    );
    expect(await hashInput(undefined)).toBe(await sha256('undefined'));
  });
});

async function sha256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

describe('guards that wait', () => {
  it('are aborted by a Block ahead of them', async () => {
    const hooks = createHooks();
    const slow = deferred<HookDecision>();
    let reason: unknown;
    hooks.guard(BeforeToolCall, () => slow.promise as Promise<never>);
    hooks.guard(BeforeToolCall, async (_call, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      reason = signal.reason;
      return proceed();
    });
    const calling = call(hooks);
    await tick();
    slow.resolve(block('no'));
    expect(await calling).toMatchObject({ status: 'blocked', reason: 'no' });
    expect(reason).toMatchObject({ name: 'AbortError' });
  });

  it('are not even asked behind one that blocks at once', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.guard(BeforeToolCall, async () => (asked++, proceed()));
    hooks.guard(BeforeToolCall, () => block('no'));
    hooks.guard(BeforeToolCall, () => (asked++, proceed()));
    await call(hooks);
    expect(asked).toBe(1);
  });
});

describe('what is verified before the guards', () => {
  it('is an input that a hook has changed, and no other', async () => {
    const checked: unknown[] = [];
    const check = (input: unknown) => void checked.push(input);
    const hooks = createHooks();
    using _context = hooks.on(BeforeToolCall, () => modify({ context: ['look'] }));
    await call(hooks, { check });
    expect(checked).toEqual(['ls']);
    hooks.on(BeforeToolCall, () => modify({ input: 'pwd' }));
    await call(hooks, { check });
    expect(checked).toEqual(['ls', 'ls', 'pwd']);
  });

  it('is nothing where a hook has blocked', async () => {
    const checked: unknown[] = [];
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: 'pwd' }));
    hooks.on(BeforeToolCall, () => block('no'));
    expect(await call(hooks, { check: (input) => void checked.push(input) })).toMatchObject({ reason: 'no' });
    expect(checked).toEqual(['ls']);
  });
});

describe('a call in a session whose hooks see it open', () => {
  it('opens the session before its input is checked', async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on(SessionStart, async () => {
      await tick();
      order.push('open');
      return proceed();
    });
    await call(hooks, { check: () => void order.push('check') });
    expect(order).toEqual(['open', 'check']);
  });

  it('Proceed of all needs no fold, and is the one Proceed', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => proceed());
    hooks.on(BeforeToolCall, async () => proceed());
    const session = hooks.session('s');
    const event = { session, callId: 'c', toolName: 'exec', nativeToolName: 'exec', input: 'ls' };
    expect(await hooks.dispatch(BeforeToolCall, event)).toBe(proceed());
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await hooks.dispatch(BeforeToolCall, event)).toEqual(requireApproval('sure?'));
  });
});
