import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  BeforeExecute,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  type HooksError,
  type InputCheck,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '../src/index.ts';
import { answerToolCall, beginToolCall, callTool, hashInput } from '../src/tool-call/index.ts';
import { call, target, tick } from './support/call.ts';

function decisions(hooks: Hooks): string[] {
  const seen: string[] = [];
  hooks.observe(ToolApprovalDecision, ({ approval, source }) => seen.push(`${approval} ${source}`));
  return seen;
}
const allow: Approver = () => ({ decision: 'allow' });

describe('approval', () => {
  it('required: the approver is asked, with the effective input and its hash', async () => {
    const hooks = createHooks();
    const asked: ApprovalRequest[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'pwd' } }));
    const seen = decisions(hooks);
    const outcome = await call(hooks, {
      callId: 'c',
      agent: 'coder',
      approval: async (request) => {
        asked.push(request);
        return { decision: 'allow' };
      },
    });
    expect(asked).toEqual([
      {
        callId: 'c',
        toolName: 'exec',
        input: { command: 'pwd' },
        reason: 'sure?',
        hash: await hashInput({ command: 'pwd' }),
        sessionId: 's',
        agent: 'coder',
      },
    ]);
    expect(outcome).toMatchObject({ status: 'ok', output: { command: 'pwd' } });
    expect(seen).toEqual(['allow user_approved']);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['true', true],
    ["'forever'", 'forever'],
    ["'run'", 'run'],
    ['a number', 42],
    ['a list', []],
    ['a week', { within: 'week' }],
    ['no times', { within: 'session', times: 0 }],
    ['no time', { within: 'session', for: 'long' }],
    ['an unknown bound', { within: 'session', until: 'tomorrow' }],
    ['a bigint', { within: 1n }],
  ])('an answer that cannot be remembered, such as for %s, is a yes to this call alone', async (_, value) => {
    const remember = value as 'session';
    for (const how of ['approver', 'answer', 'resumed']) {
      const errors: HooksError[] = [];
      const hooks = createHooks({ onError: (error) => void errors.push(error) });
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      const seen: unknown[] = [];
      hooks.observe(ToolApprovalDecision, ({ approval, source, remember: kept }) =>
        seen.push([approval, source, kept]),
      );
      const yes = { decision: 'allow', remember } as const;
      const resumed = { ...yes, hash: await hashInput({ command: 'ls' }) };
      const asked = { session: hooks.session('s'), callId: 'c', toolName: 'exec', input: { command: 'ls' } };
      if (how === 'answer') {
        const begun = await beginToolCall(hooks, asked, { approval: 'native', capabilities: { ask: true } });
        if (begun.kind !== 'ask') throw new Error(begun.kind);
        expect(await answerToolCall(begun.token, yes)).toMatchObject({ kind: 'run' });
      } else {
        const approval = how === 'approver' ? () => yes : 'native';
        const described = how === 'resumed' ? { ...asked, resumed } : asked;
        expect(await callTool(hooks, described, () => 'ran', { approval })).toMatchObject({ output: 'ran' });
      }
      await hooks.settled();
      expect(seen).toEqual([['allow', 'user_approved', undefined]]);
      expect(errors).toMatchObject([
        {
          code: 'INVALID_INPUT',
          message: expect.stringMatching(/^The approval of exec is not remembered: .+;.+\.$/),
        },
      ]);
    }
  });

  it('an answer with a pattern that does not say how long it is remembered is a yes to this call alone, and reported', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => void errors.push(error) });
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const approval: Approver = () => ({ decision: 'allow', matching: { command: 'ls *' } });
    expect(await call(hooks, { approval })).toMatchObject({ status: 'ok' });
    await hooks.settled();
    expect(errors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        message: 'The approval of exec is not remembered: there is a pattern, but `remember` is not set.',
      },
    ]);
  });

  it('what hooks are told of an answer is a frozen copy: none can extend it for the hook that remembers', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const answer = {
      decision: 'allow',
      remember: { within: 'session', times: 1 },
      matching: { command: ['ls'] },
    } as const;
    const given = structuredClone(answer);
    const widen = (value: unknown, field: string, to: unknown) => Reflect.set(Object(value), field, to);
    const widened: boolean[] = [];
    hooks.on(ToolApprovalDecision, ({ remember, matching }) => {
      widened.push(widen(remember, 'times', 99), widen(matching, 'command', '*'));
      widened.push(widen(matching?.['command'], '1', 'rm'));
      return proceed();
    });
    hooks.on(BeforeExecute, ({ resumed }) => {
      if (resumed)
        widened.push(widen(resumed, 'decision', 'deny'), widen(resumed.matching?.['command'], '1', 'rm'));
      return proceed();
    });
    const seen: unknown[] = [];
    hooks.observe(ToolApprovalDecision, ({ remember, matching }) => seen.push({ remember, matching }));
    const input = { command: 'ls' };
    const resumed = { ...given, hash: await hashInput(input) };
    await call(hooks, { input, approval: () => given });
    await call(hooks, { input, resumed, approval: 'native' });
    await hooks.settled();
    const { remember, matching } = answer;
    expect(seen).toEqual([
      { remember, matching },
      { remember, matching },
    ]);
    expect(given).toEqual(answer);
    expect(widened).toEqual(Array.from({ length: 8 }, () => false));
  });

  it('shows the reasons of all hooks that require approval, and the highest severity', async () => {
    const hooks = createHooks();
    const asked: ApprovalRequest[] = [];
    const permissions: Partial<PermissionRequest>[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('Sends mail.', { severity: 'low' }));
    hooks.on(BeforeToolCall, () =>
      requireApproval('Over 10,000 euros', { by: 'person', severity: 'critical' }),
    );
    hooks.on(BeforeToolCall, () => requireApproval('Sends mail.', { severity: 'medium' }));
    hooks.guard(BeforeToolCall, () => requireApproval('a new address'));
    hooks.on(PermissionRequest, (event) => {
      permissions.push(event);
      return proceed();
    });
    await call(hooks, {
      approval: (request) => {
        asked.push(request);
        return { decision: 'allow' };
      },
    });
    const wanted = {
      reason: 'Sends mail. Over 10,000 euros; a new address',
      reasons: ['Sends mail.', 'Over 10,000 euros', 'a new address'],
      severity: 'critical',
    };
    expect(asked).toMatchObject([wanted]);
    expect(permissions).toMatchObject([{ ...wanted, by: 'person' }]);
  });

  it('shows what guards require of an input that a hook on PermissionRequest has put in place', async () => {
    const hooks = createHooks();
    const asked: ApprovalRequest[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('Sends mail.'));
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'big' ? requireApproval('It is big.') : proceed()));
    hooks.on(PermissionRequest, () => modify({ input: 'big' }));
    await call(hooks, {
      approval: (request) => {
        asked.push(request);
        return { decision: 'allow' };
      },
    });
    expect(asked).toMatchObject([{ input: 'big', reasons: ['Sends mail.', 'It is big.'] }]);
  });

  it('puts who decided, and the bounds of a remembered approval, on record', async () => {
    const hooks = createHooks();
    const told: Partial<ToolApprovalDecision>[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.observe(ToolApprovalDecision, (event) => told.push(event));
    const remember = { within: 'run', times: 3, for: '30 min' } as const;
    const matching = { command: ['ls', 'pwd'] };
    const approval: Approver = () => ({ decision: 'allow', by: 'ada', remember, matching });
    await call(hooks, { approval });
    await call(hooks, { approval: () => ({ decision: 'deny', by: 'bob' }) });
    await call(hooks, { resumed: { decision: 'deny', by: 'eve' } });
    expect(told).toMatchObject([
      { approval: 'allow', by: 'ada', source: 'user_approved_session', remember, matching },
      { approval: 'deny', by: 'bob' },
      { approval: 'deny', by: 'eve' },
    ]);
  });

  it.each<[unknown, string]>([
    ['', 'blank'],
    [' \t', 'blank'],
    ['\u200b\u2060', 'invisible'],
    [null, 'no text'],
    [{ id: 'ann' }, 'no text'],
    [7, 'no text'],
  ])('an answer by %j counts, and the record names nobody: %s', async (by) => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => errors.push(message) });
    const told: object[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.observe(ToolApprovalDecision, (event) => told.push(event));
    const odd = { by } as { by: string };
    const statusOf = async (options: Parameters<typeof call>[1]) => (await call(hooks, options)).status;
    const hash = await hashInput('ls');
    const input = 'ls';
    expect([
      await statusOf({ approval: () => ({ decision: 'allow', ...odd }) }),
      await statusOf({ approval: () => ({ decision: 'deny', ...odd }) }),
      await statusOf({ approval: () => ({ decision: 'answer', output: 1, ...odd }) }),
      await statusOf({
        input,
        callId: 'one',
        approval: 'native',
        resumed: { decision: 'allow', hash, ...odd },
      }),
      await statusOf({ approval: 'native', resumed: { decision: 'deny', ...odd } }),
    ]).toEqual(['ok', 'denied', 'ok', 'ok', 'denied']);
    expect(told).toHaveLength(5);
    for (const one of told) expect(one).not.toHaveProperty('by');
    expect(errors).toHaveLength(5);
    for (const error of errors) expect(error).toMatch(/`by` is not recorded/);
  });

  it('an answer is read once, also one of a class, and one that its approver changes later', async () => {
    const hooks = createHooks({ onError: () => {} });
    const told: unknown[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.observe(ToolApprovalDecision, ({ approval, by }) => told.push([approval, by]));
    const decisions = ['deny', 'allow', 'allow', 'allow'];
    class Answer {
      get decision() {
        return decisions.shift() as 'deny';
      }
      get by() {
        return 'ann';
      }
    }
    const answers: unknown[] = [
      new Answer(),
      Object.create({ decision: 'allow', by: 'bob' }),
      {
        decision: 'allow',
        get by() {
          throw new Error('gone');
        },
      },
      null,
    ];
    const statuses: string[] = [];
    for (const answer of answers)
      statuses.push((await call(hooks, { approval: () => answer as ApprovalAnswer })).status);
    expect(statuses).toEqual(['denied', 'ok', 'denied', 'denied']);
    expect(told.slice(0, 2)).toEqual([
      ['deny', 'ann'],
      ['allow', 'bob'],
    ]);
  });

  it.each<[unknown, number]>([
    ['', 0],
    ['\u200b ', 0],
    [null, 1],
    [{ text: 'no' }, 1],
  ])(
    'a denial for the reason %j has the default reason, and onError hears of it %i times',
    async (reason, times) => {
      const errors: string[] = [];
      const hooks = createHooks({ onError: ({ message }) => errors.push(message) });
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      const no = { decision: 'deny', reason } as { decision: 'deny'; reason: string };
      const message = 'A person did not approve this call.';
      expect(await call(hooks, { approval: () => no })).toMatchObject({ status: 'denied', message });
      expect(await call(hooks, { approval: 'native', resumed: no })).toMatchObject({
        status: 'denied',
        message,
      });
      expect(errors).toEqual(
        Array.from({ length: 2 * times }, () => expect.stringContaining('`reason` is ignored')),
      );
    },
  );

  it('refused: the tool does not run, and the model reads the reason', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen = decisions(hooks);
    const after: string[] = [];
    hooks.observe(AfterToolCall, ({ status, ran }) => after.push(`${status} ${ran}`));
    expect(await call(hooks, { approval: () => ({ decision: 'deny', reason: 'not today' }) })).toMatchObject({
      status: 'denied',
      ran: false,
      message: 'not today',
    });
    expect(await call(hooks, { approval: () => ({ decision: 'canceled' }) })).toMatchObject({
      status: 'denied',
      ran: false,
    });
    expect(seen).toEqual(['deny user_rejected', 'canceled context_canceled']);
    expect(after).toEqual(['denied false', 'denied false']);
  });

  it('with no approver is denied, with a reason that names the option', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const outcome = await call(hooks);
    expect(outcome).toMatchObject({ status: 'denied', ran: false });
    expect(outcome.message).toContain('`approval` option');
    expect(outcome.message).toContain('sure?');
  });

  it('is monotonic: once required, a later grant cannot lower it', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('first'));
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    expect(await call(hooks)).toMatchObject({ status: 'denied' });
    const other = createHooks();
    other.on(BeforeToolCall, () => grantApproval('fine'));
    other.guard(BeforeToolCall, () => requireApproval('second'));
    expect(await call(other)).toMatchObject({ status: 'denied' });
  });

  it('a Block still wins over a required approval', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall, () => block('never'));
    expect(await call(hooks, { approval: allow })).toMatchObject({ status: 'blocked', reason: 'never' });
  });

  it('an approver that throws, or times out of the run, denies', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ code }) => errors.push(code) });
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(
      await call(hooks, {
        approval: () => {
          throw new Error('down');
        },
      }),
    ).toMatchObject({ status: 'denied', ran: false });
    expect(errors).toEqual(['APPROVER_FAILED']);
    const run = new AbortController();
    const seen = decisions(hooks);
    const calling = call(hooks, { signal: run.signal, approval: () => new Promise(() => {}) });
    await tick();
    await tick();
    run.abort();
    expect(await calling).toMatchObject({ status: 'denied', ran: false });
    expect(seen).toEqual(['canceled context_canceled']);
  });

  it('an approver that answers nonsense denies', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await call(hooks, { approval: () => 'yes' as never })).toMatchObject({
      status: 'denied',
      ran: false,
    });
    for (const nonsense of [{}, undefined, null, { decision: 'yes' }]) {
      expect(await call(hooks, { approval: () => nonsense as never })).toMatchObject({
        status: 'denied',
        ran: false,
      });
    }
  });
});

describe('what was approved is what runs', () => {
  it('a person’s other input is checked again by schema and guards', async () => {
    const hooks = createHooks();
    const intercepted: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => {
      intercepted.push(input);
      return requireApproval('sure?');
    });
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? block('no rm') : proceed()));
    const check: InputCheck = (input) =>
      typeof input === 'string' ? undefined : { message: 'expected a string' };
    const withInput = (input: unknown) =>
      call(hooks, { check, approval: () => ({ decision: 'allow', input }) });
    expect(await withInput('pwd')).toMatchObject({ status: 'ok', output: 'pwd', input: 'pwd' });
    expect(intercepted).toEqual(['ls']);
    expect(await withInput('rm')).toMatchObject({ status: 'blocked', reason: 'no rm' });
    expect(await withInput(5)).toMatchObject({ status: 'blocked' });
  });

  it('an input that has no JSON form is not sent to a person', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await call(hooks, { input: { n: 1n }, approval: allow })).toMatchObject({
      status: 'error',
      code: 'INVALID_INPUT',
      ran: false,
    });
  });

  it('hashes do not depend on the order of keys', async () => {
    expect(await hashInput({ a: 1, b: { c: 2, d: 3 } })).toBe(await hashInput({ b: { d: 3, c: 2 }, a: 1 }));
    expect(await hashInput({ a: 1 })).not.toBe(await hashInput({ a: 2 }));
    expect(await hashInput(undefined)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('PermissionRequest', () => {
  it('answers in the person’s place: a grant runs the call', async () => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest, ({ reason }) =>
      reason === 'sure?' ? grantApproval('safe', { source: 'readonly_hint' }) : proceed(),
    );
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    expect(seen).toEqual(['allow readonly_hint']);
  });

  it('any Block wins over any grant', async () => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest, () => grantApproval('safe'));
    hooks.on(PermissionRequest, () => block('denied by policy'));
    expect(await call(hooks, { approval: allow })).toMatchObject({
      status: 'denied',
      message: 'denied by policy',
    });
    expect(seen).toEqual(['deny pre_tool_use_hook_deny']);
  });

  it('requireApproval by a person lets no hook grant it', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => errors.push(message) });
    hooks.on(BeforeToolCall, () => requireApproval('sure?', { by: 'person' }));
    hooks.on(PermissionRequest, () => grantApproval('safe'));
    expect(await call(hooks)).toMatchObject({ status: 'denied' });
    expect(await call(hooks, { approval: allow })).toMatchObject({ status: 'ok' });
    expect(errors[0]).toContain('only a person may approve');
  });

  it('a rewritten input is checked again by the guards', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? block('no rm') : proceed()));
    hooks.on(PermissionRequest, () => modify({ input: 'rm' }));
    expect(await call(hooks, { approval: allow })).toMatchObject({ status: 'blocked', reason: 'no rm' });
  });

  it('a rewritten input that it grants as well runs, after schema and guards', async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall, ({ input }) => (order.push(`guard of ${input}`), proceed()));
    hooks.on(PermissionRequest, () =>
      modify({ input: 'pwd', approval: { kind: 'granted', reason: 'fine' } }),
    );
    const check: InputCheck = (input) => {
      order.push(`check of ${input}`);
      return undefined;
    };
    expect(await call(hooks, { check })).toMatchObject({ status: 'ok', output: 'pwd' });
    expect(order).toEqual(['check of ls', 'guard of ls', 'check of pwd', 'guard of pwd']);
  });

  it('a grant lapses if a later hook changes the input, also that of another registry', async () => {
    const granting = createHooks();
    granting.on(PermissionRequest, () => grantApproval('ls was approved before'));
    for (const members of ['one', 'two']) {
      const hooks = members === 'one' ? granting : createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      hooks.on(PermissionRequest, ({ input }) => modify({ input }), { id: 'same' });
      const registries = members === 'one' ? hooks : ([{ hooks: granting }, { hooks }] as const);
      const about = { session: granting.session('s'), toolName: 'shell', input: 'ls' };
      const run = (approval?: Approver) => callTool(registries, about, (input) => input, { approval });
      expect(await run()).toMatchObject({ status: 'ok', output: 'ls' });
      using _changes = hooks.on(PermissionRequest, () => modify({ input: 'rm' }), { id: 'changes' });
      expect(await run()).toMatchObject({ status: 'denied', ran: false });
      const shown: unknown[] = [];
      expect(await run(({ input }) => (shown.push(input), { decision: 'allow' }))).toMatchObject({
        output: 'rm',
      });
      expect(shown).toEqual(['rm']);
    }
  });

  it('a grant before the call lapses if a later hook changes the input or the tool, and the tool still asks', async () => {
    const granting = createHooks();
    granting.on(BeforeToolCall, () => grantApproval('ls is harmless'));
    const about = {
      session: granting.session('s'),
      toolName: 'shell',
      input: 'ls',
      needsApproval: 'it asks',
    };
    const rename = (name: string) => target(name, (input) => `elsewhere: ${input}`);
    const run = (more: Hooks, approval?: Approver) =>
      callTool([{ hooks: granting }, { hooks: more }], about, (input) => input, { approval, rename });
    const same = createHooks();
    same.on(BeforeToolCall, ({ toolName, input }) => modify({ toolName, input }));
    expect(await run(same)).toMatchObject({ status: 'ok', output: 'ls' });
    for (const change of [{ input: 'rm' }, { toolName: 'root_shell' }]) {
      const changing = createHooks();
      changing.on(BeforeToolCall, ({ toolName }) => (toolName === 'shell' ? modify(change) : proceed()));
      expect(await run(changing)).toMatchObject({ status: 'denied', ran: false });
      const shown: ApprovalRequest[] = [];
      const allow: Approver = (request) => (shown.push(request), { decision: 'allow' });
      expect(await run(changing, allow)).toMatchObject({ status: 'ok' });
      expect(shown).toMatchObject([{ reason: 'it asks', ...change }]);
      changing.on(BeforeToolCall, () => grantApproval('rm was approved'), { id: 'again', priority: -1 });
      const sources = decisions(changing);
      expect(await run(changing)).toMatchObject({ status: 'ok' });
      expect(sources).toEqual(['allow pre_tool_use_hook_allow']);
    }
  });

  it('a hook cannot grant what a guard wants of a person, about the input that the hook has put in place', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall, ({ input }) =>
      input === 'rm' ? requireApproval('ask a person', { by: 'person' }) : proceed(),
    );
    hooks.on(PermissionRequest, () => modify({ input: 'rm', approval: { kind: 'granted', reason: 'fine' } }));
    expect(await call(hooks)).toMatchObject({ status: 'denied', ran: false });
    const shown: unknown[] = [];
    const approval: Approver = ({ input }) => (shown.push(input), { decision: 'allow' });
    expect(await call(hooks, { approval })).toMatchObject({ status: 'ok', output: 'rm' });
    expect(shown).toEqual(['rm']);
  });

  it('a hook can grant what a guard wants of anybody, about the input that the hook has put in place', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'pwd' ? requireApproval('still?') : proceed()));
    hooks.on(PermissionRequest, () =>
      modify({ input: 'pwd', approval: { kind: 'granted', reason: 'fine' } }),
    );
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'pwd' });
  });

  it('a rewritten input that cannot be shown is a failure of its hook, and one in the place of such does not run', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    using _rewrites = hooks.on(PermissionRequest, () => modify({ input: 1n }));
    // As after any failure of such a hook, a person is asked.
    expect(await call(hooks, { approval: allow })).toMatchObject({ status: 'ok', output: 'ls' });
    const other = createHooks();
    other.on(BeforeToolCall, () => modify({ input: 'ls', approval: { kind: 'required', reason: 'sure?' } }));
    const theCall = { session: other.session('s'), toolName: 'exec', input: 1n };
    expect(
      await beginToolCall(other, theCall, { approval: 'native', capabilities: { ask: 'unchanged' } }),
    ).toMatchObject({
      kind: 'done',
      outcome: { status: 'error', code: 'INVALID_INPUT', ran: false },
    });
  });

  it.each(['PermissionRequest', 'a person'])(
    'a guard’s no to the input that %s has put in place is on record',
    async (who) => {
      const hooks = createHooks();
      const seen = decisions(hooks);
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      hooks.guard(BeforeToolCall, ({ input }) =>
        input === 'rm' ? block('no rm', { source: 'team_permissions_deny' }) : proceed(),
      );
      if (who === 'PermissionRequest') hooks.on(PermissionRequest, () => modify({ input: 'rm' }));
      const approval: Approver = () => ({ decision: 'allow', ...(who === 'a person' && { input: 'rm' }) });
      expect(await call(hooks, { approval })).toMatchObject({ status: 'blocked', reason: 'no rm' });
      expect(seen).toEqual(['deny team_permissions_deny']);
    },
  );

  it('a Block with stop ends the run', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest, () => block('enough', { stop: true }));
    expect(await call(hooks)).toMatchObject({ status: 'denied', reason: 'enough', stop: true });
  });

  it('fires for the framework’s own requirement too, and a grant lifts it', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.observe(PermissionRequest, ({ reason }) => asked.push(reason));
    expect(await call(hooks, { needsApproval: 'the tool says so' })).toMatchObject({ status: 'denied' });
    expect(asked).toEqual(['the tool says so']);
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    expect(await call(hooks, { needsApproval: 'the tool says so' })).toMatchObject({ status: 'ok' });
    expect(asked).toHaveLength(1);
  });

  it('a hook’s no is on record with its source, before the call is over', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(ToolApprovalDecision, ({ approval, source, reason }) =>
      seen.push(`${approval} ${source}: ${reason}`),
    );
    hooks.observe(AfterToolCall, ({ status }) => seen.push(status));
    hooks.guard(BeforeToolCall.matching('rm'), () => block('never', { source: 'team_permissions_deny' }));
    hooks.guard(BeforeToolCall.matching('mv'), () => block('not now'));
    hooks.guard(BeforeToolCall.matching('cp'), () => {
      throw new Error('broken');
    });
    for (const toolName of ['rm', 'mv', 'cp']) await call(hooks, { toolName });
    expect(seen).toEqual([
      'deny team_permissions_deny: never',
      'blocked',
      'deny pre_tool_use_hook_deny: not now',
      'blocked',
      expect.stringMatching(
        /^deny pre_tool_use_hook_deny: Blocked, because hook "before_tool_call-\d+" threw an error/,
      ),
      'blocked',
    ]);
  });

  it('a grant is on record with its source, also where nobody would have been asked', async () => {
    const hooks = createHooks();
    const record: unknown[] = [];
    hooks.observe(ToolApprovalDecision, ({ approval, source, reason }) =>
      record.push([approval, source, reason]),
    );
    await call(hooks);
    hooks.on(BeforeToolCall, () => grantApproval('fine', { source: 'session_permissions_allow' }));
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    expect(record).toEqual([['allow', 'session_permissions_allow', 'fine']]);
  });
});

describe('a pause', () => {
  const theCall = (hooks: Hooks) => ({
    session: hooks.session('s'),
    toolName: 'exec',
    callId: 'c',
    input: 'ls',
  });
  const pausing = { approval: 'native', capabilities: { ask: true } } as const;

  it('waits with a token, and goes on with the answer', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const begun = await beginToolCall(hooks, theCall(hooks), pausing);
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    expect(begun.request).toMatchObject({ callId: 'c', input: 'ls' });
    expect(await answerToolCall(begun.token, { decision: 'allow' })).toMatchObject({
      kind: 'run',
      input: 'ls',
    });
    await expect(answerToolCall(begun.token, { decision: 'allow' })).rejects.toThrow(/does not wait/);
  });

  it('goes on with the answer of whoever is asked then; one that fails denies, and that is reported', async () => {
    const codes: string[] = [];
    const hooks = createHooks({ onError: ({ code }) => codes.push(code) });
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const answered = async (approval: Approver) => {
      const begun = await beginToolCall(hooks, theCall(hooks), pausing);
      if (begun.kind !== 'ask') throw new Error(begun.kind);
      return answerToolCall(begun.token, { approval });
    };
    expect(await answered(({ input }) => ({ decision: 'allow', input: `${input} -a` }))).toMatchObject({
      kind: 'run',
      input: 'ls -a',
    });
    const failing = () => {
      throw new Error('the line is busy');
    };
    expect(await answered(failing)).toMatchObject({
      kind: 'done',
      outcome: { status: 'denied', ran: false },
    });
    expect(codes).toEqual(['APPROVER_FAILED']);
  });

  it('in one process is remembered by call id and input: hooks are not asked again', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return requireApproval('sure?');
    });
    await beginToolCall(hooks, theCall(hooks), pausing);
    expect(await call(hooks, { callId: 'c', approval: allow })).toMatchObject({ status: 'ok' });
    expect(asked).toBe(1);
    await beginToolCall(hooks, theCall(hooks), pausing);
    await call(hooks, { callId: 'c', input: 'pwd', approval: allow });
    expect(asked).toBe(3);
  });

  it('that throws through the approver, as an interrupt does, is taken up again', async () => {
    const hooks = createHooks();
    const interrupt = new Error('interrupt');
    let asked = 0;
    let answered = false;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return requireApproval('sure?');
    });
    const approval: Approver = () => {
      if (!answered) throw interrupt;
      return { decision: 'allow' };
    };
    const over = { callId: 'c', approval, isControlFlow: (error: unknown) => error === interrupt };
    await expect(call(hooks, over)).rejects.toBe(interrupt);
    answered = true;
    expect(await call(hooks, over)).toMatchObject({ status: 'ok', attempts: 1 });
    expect(asked).toBe(1);
  });

  it.each([
    ['input', () => modify({ input: 'pwd' })],
    ['tool', () => modify({ toolName: 'other' })],
  ] as const)('that shows the call as the model wrote it: another %s blocks', async (_what, change) => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const as = {
      approval: 'native',
      capabilities: { ask: 'unchanged', rename: (name: string) => target(name, () => '') },
    } as const;
    expect(await beginToolCall(hooks, theCall(hooks), as)).toMatchObject({ kind: 'ask' });
    hooks.on(BeforeToolCall, change);
    const begun = await beginToolCall(hooks, { ...theCall(hooks), callId: 'd' }, as);
    expect(begun).toMatchObject({ kind: 'done', outcome: { status: 'blocked', ran: false } });
    expect(begun).toMatchObject({ outcome: { reason: expect.stringMatching(/sure\?.*to an approver/) } });
    expect(seen).toEqual(['canceled context_canceled']);
  });

  it('begun in one callback goes on in another', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return modify({ input: 'changed' });
    });
    const begun = await beginToolCall(hooks, theCall(hooks), pausing);
    expect(await call(hooks, { callId: 'c', begun })).toMatchObject({
      status: 'ok',
      output: 'changed',
      attempts: 1,
    });
    expect(asked).toBe(1);
  });

  it('begun in one callback and aborted in another is over as an aborted one', async () => {
    const hooks = createHooks();
    const begun = await beginToolCall(hooks, theCall(hooks), pausing);
    const aborting = new AbortController();
    const { signal } = aborting;
    const execute = () => {
      aborting.abort(new Error('enough'));
      throw new Error('cut short');
    };
    expect(await call(hooks, { callId: 'c', begun, signal, execute })).toMatchObject({
      status: 'error',
      aborted: true,
    });
  });
});

describe('in a new process', () => {
  it('a person’s no is final and asks no hook', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, () => {
      asked.push('before');
      return grantApproval('fine');
    });
    hooks.on(PermissionRequest, () => {
      asked.push('permission');
      return grantApproval('fine');
    });
    const outcome = await call(hooks, { resumed: { decision: 'deny', reason: 'said no' } });
    expect(outcome).toMatchObject({ status: 'denied', ran: false, message: 'said no' });
    expect(asked).toEqual([]);
  });

  const approval = 'native';

  it('after a yes hooks are asked once more: a Block still blocks, a required approval counts as given', async () => {
    const hooks = createHooks();
    const resumed = { decision: 'allow', by: 'ann', hash: await hashInput('ls') } as const;
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, (event) => {
      seen.push(event.resumed);
      return requireApproval('sure?');
    });
    expect(await call(hooks, { approval, resumed })).toMatchObject({ status: 'ok' });
    expect(await call(hooks, { resumed })).toMatchObject({ status: 'denied' });
    expect(seen).toEqual([resumed, resumed]);
    hooks.guard(BeforeToolCall, () => block('changed my mind'));
    expect(await call(hooks, { resumed })).toMatchObject({ status: 'blocked', reason: 'changed my mind' });
  });

  it('a yes to another input runs that, checked again, also where a hook grants the call by now', async () => {
    const resumed = { decision: 'allow', hash: await hashInput('ls'), input: 'pwd' } as const;
    for (const register of [
      () => {},
      (hooks: Hooks) => hooks.on(BeforeToolCall, () => requireApproval('sure?')),
      (hooks: Hooks) => hooks.on(BeforeToolCall, () => grantApproval('fine')),
      (hooks: Hooks) => hooks.on(PermissionRequest, () => grantApproval('fine')),
    ]) {
      const hooks = createHooks();
      register(hooks);
      const needsApproval = 'the framework asks';
      expect(await call(hooks, { resumed, needsApproval })).toMatchObject({ status: 'ok', input: 'pwd' });
      hooks.guard(BeforeToolCall, ({ input }) => (input === 'pwd' ? block('not here') : proceed()));
      expect(await call(hooks, { resumed })).toMatchObject({ status: 'blocked', reason: 'not here' });
    }
  });

  it('another effective input needs a new approval', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const resumed = { decision: 'allow', hash: await hashInput('something else') } as const;
    expect(await call(hooks, { resumed })).toMatchObject({ status: 'denied' });
    expect(await call(hooks, { resumed: { decision: 'allow' } })).toMatchObject({ status: 'denied' });
    const asked: string[] = [];
    await call(hooks, {
      resumed,
      approval: ({ reason }) => {
        asked.push(reason);
        return { decision: 'allow' };
      },
    });
    expect(asked).toEqual(['sure?']);
  });

  it('a yes from another process is none to what hooks of a registry with `deny` require', async () => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    const resumed = { decision: 'allow', hash: await hashInput('ls') } as const;
    const theCall = { session: hooks.session('s'), toolName: 'exec', callId: 'c', input: 'ls' };
    const run = () =>
      callTool([{ hooks, approval: 'deny' }], { ...theCall, resumed, needsApproval: 'it asks' }, () => 'out');
    expect(await run()).toMatchObject({ status: 'ok' });
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await run()).toMatchObject({ status: 'denied', ran: false });
    expect(seen).toEqual(['allow user_approved', 'deny no_approver']);
  });

  it('a yes with another input is none to what hooks of a registry with `deny` require of that input', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? requireApproval('sure?') : proceed()));
    const theCall = {
      session: hooks.session('s'),
      toolName: 'exec',
      callId: 'c',
      input: 'ls',
      needsApproval: 'it asks',
    };
    const registries = [{ hooks, approval: 'deny' }] as const;
    for (const [input, status] of [
      ['pwd', 'ok'],
      ['rm', 'denied'],
    ] as const) {
      const resumed = { decision: 'allow', hash: await hashInput('ls'), input } as const;
      expect(await callTool(registries, { ...theCall, resumed }, () => 'out')).toMatchObject({ status });
      const approval: Approver = () => ({ decision: 'allow', input });
      expect(await callTool(registries, theCall, () => 'out', { approval })).toMatchObject({ status });
      const begun = await beginToolCall(registries, theCall, {
        approval: 'native',
        capabilities: { ask: true },
      });
      if (begun.kind !== 'ask') throw new Error('it asks');
      const answered = await answerToolCall(begun.token, { decision: 'allow', input });
      expect(answered.kind).toBe(status === 'ok' ? 'run' : 'done');
    }
  });

  it('a yes to another input that is not to this call is asked for again, and who asks is told why', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    const asked: unknown[] = [];
    const approval: Approver = ({ input, reason }) => (asked.push([input, reason]), { decision: 'allow' });
    const changed = { decision: 'allow', input: 'pwd' } as const;
    const ofAnother = { ...changed, hash: await hashInput('another') };
    const needsApproval = 'the tool says so';
    for (const over of [{ resumed: changed }, { resumed: ofAnother }, { resumed: changed, needsApproval }])
      expect(await call(hooks, { approval, ...over })).toMatchObject({ status: 'ok', output: 'ls' });
    expect(asked).toEqual([
      ['ls', 'A person has changed this call.'],
      ['ls', 'a person has approved another call'],
      ['ls', 'the tool says so'],
    ]);
  });

  it('a yes is to the tool, too: one that a hook puts in its place afterwards needs a new one', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(BeforeToolCall, () => modify({ toolName: 'remove' }));
    const rename = (name: string) => target(name, () => 'removed');
    const resumed = { decision: 'allow', hash: await hashInput('ls') } as const;
    expect(await call(hooks, { approval, resumed, rename })).toMatchObject({ status: 'blocked', ran: false });
    let shown = '';
    const approver: Approver = ({ hash }) => {
      shown = hash;
      return { decision: 'deny' };
    };
    await call(hooks, { rename, approval: approver });
    const knowing = { decision: 'allow', hash: shown } as const;
    expect(await call(hooks, { approval, resumed: knowing, rename })).toMatchObject({
      status: 'ok',
      output: 'removed',
    });
    expect(await call(hooks, { approval, input: 'rm', resumed: knowing, rename })).toMatchObject({
      ran: false,
    });
  });

  it('a pause that cannot carry a rewritten input cannot carry another tool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(BeforeToolCall, () => modify({ toolName: 'remove' }));
    const theCall = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
    const capabilities = {
      ask: 'unchanged',
      rename: (name: string) => target(name, () => 'removed'),
    } as const;
    expect(await beginToolCall(hooks, theCall, { approval: 'native', capabilities })).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked', ran: false },
    });
  });

  it('a yes that does not say to what is enough where nobody requires approval any longer', async () => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    expect(await call(hooks, { resumed: { decision: 'allow' } })).toMatchObject({ status: 'ok' });
    expect(seen).toEqual([]);
  });

  it('a yes to what PermissionRequest had put in place counts for that, and for nothing else', async () => {
    const hooks = createHooks();
    const seen = decisions(hooks);
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest, () => modify({ input: 'pwd' }));
    const yesTo = async (input: string) =>
      call(hooks, { approval, resumed: { decision: 'allow', hash: await hashInput(input) } });
    expect(await yesTo('pwd')).toMatchObject({ status: 'ok', output: 'pwd' });
    expect(seen).toEqual(['allow user_approved']);
    expect(await yesTo('rm')).toMatchObject({ ran: false });
  });

  it('a yes to another input is none, also where nobody requires approval any longer', async () => {
    const hooks = createHooks();
    const changing = hooks.on(BeforeToolCall, () => modify({ input: 'rm' }));
    const resumed = { decision: 'allow', hash: await hashInput('ls') } as const;
    expect(await call(hooks, { resumed })).toMatchObject({ status: 'blocked', ran: false });
    const asked: unknown[] = [];
    const approval: Approver = ({ input, reason }) => (asked.push(input, reason), { decision: 'allow' });
    expect(await call(hooks, { resumed, approval })).toMatchObject({ status: 'ok', output: 'rm' });
    expect(asked).toEqual(['rm', 'a person has approved another call']);
    changing[Symbol.dispose]();
    const seen = decisions(hooks);
    expect(await call(hooks, { resumed })).toMatchObject({ status: 'ok', output: 'ls' });
    expect(seen).toEqual(['allow user_approved']);
  });

  it('what a hook changes after the yes is blocked where nobody can be asked again', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(BeforeToolCall, () => modify({ input: 'pwd' }));
    const resumed = { decision: 'allow', hash: await hashInput('ls') } as const;
    expect(await call(hooks, { approval, resumed })).toMatchObject({ status: 'blocked', ran: false });
  });
});
