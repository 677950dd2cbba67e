import { getEventListeners } from 'node:events';
import { runInNewContext } from 'node:vm';
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
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
  type ToolEvent,
  TransformToolResult,
} from '../src/index.ts';
import {
  answerToolCall,
  beginToolCall,
  callTool,
  finishToolCall,
  hashInput,
} from '../src/tool-call/index.ts';
import { call, deferred, tick } from './support/call.ts';

function asking(): ReturnType<typeof createHooks> {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'), { id: 'ask' });
  return hooks;
}

/** The outcome of a call that has paused, with this answer. */
async function answerPaused(hooks: Hooks, answer: ApprovalAnswer): Promise<unknown> {
  const theCall = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  const begun = await beginToolCall(hooks, theCall, { approval: 'native', capabilities: { ask: true } });
  if (begun.kind !== 'ask') throw new Error(begun.kind);
  const answered = await answerToolCall(begun.token, answer);
  return answered.kind === 'done' ? answered.outcome : answered;
}

function record(hooks: ReturnType<typeof createHooks>): string[] {
  const seen: string[] = [];
  hooks.observe(ToolApprovalDecision, ({ approval, source, reason }) =>
    seen.push(`${approval} ${source}: ${reason}`),
  );
  return seen;
}

describe('who approves', () => {
  it('is shown exactly what will run, and gets the run’s signal', async () => {
    const hooks = asking();
    const { signal } = new AbortController();
    const shown: { request: ApprovalRequest; signal: AbortSignal | undefined }[] = [];
    const approval: Approver = (request, options) => {
      shown.push({ request, signal: options.signal });
      return { decision: 'allow' };
    };
    await call(hooks, { callId: 'c1', agent: 'Ada', signal, approval });
    await call(hooks, { callId: 'c2', approval });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const request = { toolName: 'exec', input: 'ls', reason: 'sure?', hash, sessionId: 's' };
    expect(shown).toEqual([
      { request: { ...request, callId: 'c1', agent: 'Ada' }, signal },
      { request: { ...request, callId: 'c2' }, signal: undefined },
    ]);
    expect(shown.map(({ request: { agent } }) => agent)).toEqual(['Ada', undefined]);
    expect(Object.keys(shown[1]?.request ?? {})).not.toContain('agent');
  });

  it('is shown the framework’s name of the tool where hooks know it by an alias', async () => {
    const shown: unknown[] = [];
    const approval: Approver = ({ toolName, nativeToolName, renamedTo }) => {
      shown.push([toolName, nativeToolName, renamedTo]);
      return { decision: 'deny' };
    };
    for (const aliases of [{}, { Bash: 'exec' }]) {
      const hooks = createHooks({ aliases });
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      for (const toolName of ['read', 'Bash']) await call(hooks, { toolName, approval });
    }
    expect(shown).toEqual([
      ['read', undefined, undefined],
      ['Bash', undefined, undefined],
      ['read', undefined, undefined],
      ['exec', 'Bash', undefined],
    ]);
  });

  it('may answer in place of the tool, which does not run', async () => {
    const hooks = asking();
    const seen = record(hooks);
    let ran = 0;
    const execute = () => ran++;
    const outcome = await call(hooks, {
      approval: () => ({ decision: 'answer', output: 'no files' }),
      execute,
    });
    expect(outcome).toMatchObject({ status: 'ok', output: 'no files', ran: false });
    expect(ran).toBe(0);
    expect(seen).toEqual(['allow user_answered: undefined']);
    expect(hooks.session('s').history).toMatchObject([{ status: 'ok', ran: false }]);
  });

  it('may answer in place of the tool, and nothing that hooks put in its place runs either, nor again', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('why'));
    const ran: unknown[] = [];
    const execute = (input: unknown) => ran.push(input);
    hooks.on(BeforeExecute, () => modify({ execute, idempotencyKey: 'k' }));
    hooks.on(AfterToolCall, () => retry('again'));
    const approval = () => ({ decision: 'answer', output: 'no files' }) as const;
    expect(await call(hooks, { approval, execute })).toMatchObject({
      ...{ output: 'no files', ran: false, attempts: 0, exhausted: true },
    });
    expect(ran).toEqual([]);
  });

  it('answers in place of the tool, which another process knows that ends the call', async () => {
    const begun = await beginToolCall(
      asking(),
      { session: createHooks().session('s'), toolName: 'exec', input: 'ls' },
      { approval: () => ({ decision: 'answer', output: 'no files' }), capabilities: { route: true } },
    );
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    const answered = await answerToolCall(begun.token, { decision: 'answer', output: 'no files' });
    if (answered.kind !== 'run') throw new Error(answered.kind);
    const token = JSON.parse(JSON.stringify(answered.token));
    const finished = await finishToolCall(createHooks(), token, {
      output: await answered.execute?.('ls', {} as never),
    });
    expect(finished).toMatchObject({ outcome: { output: 'no files', ran: false } });
  });

  it('denies where an answer has no output, and where the tool cannot be replaced', async () => {
    const hooks = asking();
    const approval = (() => ({ decision: 'answer' })) as never;
    expect(await call(hooks, { approval })).toMatchObject({ status: 'denied' });

    const theCall = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
    const begun = await beginToolCall(hooks, theCall, { approval: 'native', capabilities: { ask: true } });
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    expect(await answerToolCall(begun.token, { decision: 'answer', output: 1 })).toMatchObject({
      kind: 'done',
      outcome: { status: 'denied', reason: expect.stringContaining('not possible here') },
    });
  });

  it('denies and cancels with a reason of ours where there is none', async () => {
    const hooks = asking();
    const seen = record(hooks);
    expect(await call(hooks, { approval: () => ({ decision: 'deny' }) })).toMatchObject({ status: 'denied' });
    expect(await call(hooks, { approval: () => ({ decision: 'canceled' }) })).toMatchObject({
      status: 'denied',
    });
    await call(hooks, { approval: () => ({ decision: 'deny', reason: 'never', source: 'team_lead' }) });
    expect(seen).toEqual([
      'deny user_rejected: A person did not approve this call.',
      'canceled context_canceled: The approval of this call was canceled.',
      'deny team_lead: never',
    ]);
  });

  it.each([
    [{ remember: 'session' }, 'user_approved_session'],
    [{ remember: 'always', matching: { command: 'npm *' } }, 'user_approved_tool'],
    [{}, 'user_approved'],
    [{ remember: 'always', source: 'team_lead' }, 'team_lead'],
  ] as const)('may have an answer remembered, which is on record: %j', async (answer, source) => {
    const hooks = asking();
    const told: object[] = [];
    hooks.observe(ToolApprovalDecision, (event) => void told.push(event));
    await call(hooks, { approval: () => ({ decision: 'allow', ...answer }) });
    const { remember, matching }: { remember?: string; matching?: object } = answer;
    expect(told).toMatchObject([{ approval: 'allow', source }]);
    expect([Reflect.get(told[0]!, 'remember'), Reflect.get(told[0]!, 'matching')]).toEqual([
      remember,
      matching,
    ]);
    expect('remember' in told[0]!).toBe(remember !== undefined);
    expect('matching' in told[0]!).toBe(matching !== undefined);
  });

  it('that keep changing each other’s input are asked ten times at most, then the call is denied', async () => {
    const [outer, inner] = [asking(), asking()];
    let asked = 0;
    const approval: (by: string) => Approver = (by) => () => ({
      decision: 'allow',
      input: `${by} ${asked++}`,
    });
    const { session } = { session: outer.session('s') };
    const outcome = await callTool(
      [
        { hooks: outer, approval: approval('outer') },
        { hooks: inner, approval: approval('inner') },
      ],
      { session, toolName: 'exec', input: 'ls' },
      () => expect.unreachable(),
    );
    expect(outcome).toMatchObject({
      status: 'denied',
      reason: 'Approval is required, but the approvers keep changing the input.',
    });
    expect(asked).toBe(10);
  });

  it('may change the input of a call in two halves, but not to one without a JSON form', async () => {
    const hooks = asking();
    const begin = () =>
      beginToolCall(
        hooks,
        { session: hooks.session('s'), toolName: 'exec', input: 'ls' },
        { approval: 'native', capabilities: { ask: true } },
      );
    const first = await begin();
    if (first.kind !== 'ask') return expect.unreachable();
    expect(await answerToolCall(first.token, { decision: 'allow', input: 'ls -l' })).toMatchObject({
      kind: 'run',
      input: 'ls -l',
    });
    const second = await begin();
    if (second.kind !== 'ask') return expect.unreachable();
    const circular: { self?: object } = {};
    circular.self = circular;
    expect(await answerToolCall(second.token, { decision: 'allow', input: circular })).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked', ran: false, reason: expect.stringContaining('cannot be shown as JSON') },
    });
  });

  it('that fails denies: the failure is reported with its cause, the model is told no more than that', async () => {
    const cause = new Error('the key is sk-123');
    for (const approval of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ] satisfies Approver[]) {
      const hooks = asking();
      const seen = record(hooks);
      const errors: HooksError[] = [];
      hooks.onError((error) => errors.push(error));
      expect(await call(hooks, { approval })).toMatchObject({ status: 'denied', ran: false });
      expect(seen).toEqual(['deny no_approver: Approval is required, and the approver failed.']);
      expect(errors).toMatchObject([
        {
          code: 'APPROVER_FAILED',
          message: 'The approver failed on a call of exec; the call was denied.',
          cause,
        },
      ]);
    }
  });

  it.each([undefined, null, 'yes', {}, { decision: 'yes' }])('that answers %j fails', async (answer) => {
    const hooks = asking();
    const errors: HooksError[] = [];
    hooks.onError((error) => errors.push(error));
    expect(await call(hooks, { approval: () => answer as never })).toMatchObject({ status: 'denied' });
    expect(errors).toMatchObject([
      {
        code: 'APPROVER_FAILED',
        message: expect.stringContaining('"allow", "deny", "canceled" or "answer"'),
      },
    ]);
  });

  describe.each<[object, string]>([
    [{ decision: 'allow', output: 'no files' }, '"allow" does not take `output`, which is for "answer"'],
    [{ decision: 'allow', output: null }, '"allow" does not take `output`'],
    [{ decision: 'allow', modifiedInput: 'pwd' }, '"allow" does not take `modifiedInput`.'],
    [{ decision: 'answer', output: 1, input: 'pwd' }, '"answer" does not take `input`, which is for "allow"'],
    [{ decision: 'answer', output: 1, reason: 'by hand' }, '"answer" does not take `reason`'],
    [{ decision: 'answer', output: 1, remember: 'always' }, '"answer" does not take `remember`'],
    [{ decision: 'answer', output: 1, matching: {} }, '"answer" does not take `matching`'],
    [{ decision: 'answer', output: undefined }, 'The answer has no output'],
    [{ decision: 'allow', input: undefined }, '`input` is undefined'],
    [{ decision: 'allow', source: 7 }, '`source` has to be a text'],
    [{ decision: 'deny', input: 'pwd' }, '"deny" does not take `input`'],
    [{ decision: 'deny', output: 1 }, '"deny" does not take `output`'],
    [{ decision: 'deny', remember: 'session' }, '"deny" does not take `remember`'],
    [{ decision: 'deny', reasn: 'no' }, '"deny" does not take `reasn`.'],
  ])('that answers %j', (given, problem) => {
    const denied = { status: 'denied', ran: false };

    async function problemsOf(deny: (hooks: Hooks, answer: never) => Promise<unknown>): Promise<void> {
      const errors: HooksError[] = [];
      const hooks = asking();
      hooks.onError((error) => errors.push(error));
      expect(await deny(hooks, given as never)).toMatchObject(denied);
      expect(errors).toMatchObject([{ code: 'APPROVER_FAILED', message: expect.stringContaining(problem) }]);
    }

    it('denies the call', () => problemsOf((hooks, answer) => call(hooks, { approval: () => answer })));

    it('denies a call that has paused', () => problemsOf(answerPaused));

    it('denies a call that has paused in another process', async () => {
      const hash = await hashInput('ls');
      await problemsOf((hooks, answer: object) =>
        call(hooks, {
          callId: 'one',
          input: 'ls',
          approval: 'native',
          resumed: { ...answer, hash } as never,
        }),
      );
    });
  });

  it.each<[object, readonly string[]]>([
    [{ decision: 'allow' }, ['APPROVER_FAILED']],
    [{ decision: 'answer', output: 1 }, ['APPROVER_FAILED']],
    [{ decision: 'deny' }, []],
  ])('that answers %j to another input lets no call run', async (given, codes) => {
    const hooks = asking();
    const errors: HooksError[] = [];
    hooks.onError((error) => errors.push(error));
    const approval = () => ({ ...given, hash: 'of another input' }) as never;
    expect(await call(hooks, { approval })).toMatchObject({ status: 'denied', ran: false });
    expect(errors.map(({ code }) => code)).toEqual(codes);
    expect(await answerPaused(asking(), approval())).toMatchObject({ status: 'denied', ran: false });
    const right = (request: ApprovalRequest) => ({ decision: 'allow', hash: request.hash }) as const;
    expect(await call(asking(), { approval: right })).toMatchObject({ status: 'ok' });
  });

  it('that answers with fields of a class of its own is heard', async () => {
    class Answer {
      readonly decision = 'allow';
      readonly #by = 'ann';
      readonly at = 1;
      get by() {
        return this.#by;
      }
    }
    expect(await call(asking(), { approval: () => new Answer() })).toMatchObject({ status: 'ok' });
  });

  it('that answers a paused call with accessors of a class is heard, too', async () => {
    class No {
      get decision() {
        return 'deny' as const;
      }
      get reason() {
        return 'not today';
      }
    }
    const denied = { status: 'denied', reason: 'not today' };
    expect(await answerPaused(asking(), new No())).toMatchObject(denied);
    expect(await call(asking(), { resumed: new No() })).toMatchObject(denied);
  });

  it.each([
    ['a yes', { decision: 'allow' }, true],
    ['a no', { decision: 'deny' }, true],
    ['a cancellation', { decision: 'canceled' }, undefined],
  ] as const)(
    'through the pause, and not an approver, has `answered` in the decision: %s',
    async (_, answer, answered) => {
      const decisions: unknown[] = [];
      const hooks = asking();
      hooks.observe(ToolApprovalDecision, (event) => void decisions.push(event.answered));
      await answerPaused(hooks, answer);
      await call(hooks, { approval: () => answer });
      hooks.on(PermissionRequest, () => grantApproval('fine'));
      await call(hooks);
      expect(decisions).toEqual([answered, undefined, undefined]);
    },
  );

  it('that misspells a field in another realm lets no call run', async () => {
    const answer = runInNewContext("({ decision: 'allow', inptu: 'pwd' })");
    expect(await call(asking(), { approval: () => answer })).toMatchObject({ status: 'denied' });
  });

  it.each([
    ['a cancellation', { decision: 'canceled' }],
    ['null', null],
    ['no answer', false],
  ])(
    'in another process with %s lets no call run, also where nobody requires approval',
    async (_, answer) => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => proceed());
      const about = { callId: 'one', resumed: answer as never };
      expect(await call(hooks, about)).toMatchObject({ status: 'denied', ran: false });
    },
  );

  it('in another process is read once', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    let reads = 0;
    const answer = Object.create({
      get decision() {
        return reads++ === 0 ? 'deny' : 'allow';
      },
    });
    expect(await call(hooks, { resumed: answer })).toMatchObject({ status: 'denied', ran: false });
  });

  it('"deny" is nobody, and no failure', async () => {
    const hooks = asking();
    const seen = record(hooks);
    const errors: HooksError[] = [];
    hooks.onError((error) => errors.push(error));
    const reason = "Approval is required (sure?), but the adapter's `approval` option is `'deny'`.";
    expect(await call(hooks, { approval: 'deny' })).toMatchObject({ status: 'denied', reason });
    expect(seen).toEqual([`deny no_approver: ${reason}`]);
    expect(errors).toEqual([]);
  });

  it('missing, the reason names the option, also for a call that a hook has changed', async () => {
    const hooks = asking();
    hooks.on(BeforeToolCall, () => modify({ input: 'pwd' }));
    expect(await call(hooks)).toMatchObject({
      status: 'denied',
      reason: "Approval is required (sure?), but there is no approver: set the adapter's `approval` option.",
    });
  });

  it('is asked again about a call that differs from what was approved in another process', async () => {
    const hooks = asking();
    hooks.on(BeforeToolCall, () => modify({ input: 'pwd' }));
    const shown: unknown[] = [];
    const approval: Approver = ({ input }) => (shown.push(input), { decision: 'allow' });
    const resumed = { decision: 'allow', hash: await hashInput('ls') } as const;
    expect(await call(hooks, { approval, resumed })).toMatchObject({ status: 'ok', output: 'pwd' });
    expect(shown).toEqual(['pwd']);
  });

  it('is no longer waited for when the run is aborted, and hears of that', async () => {
    const hooks = asking();
    const seen = record(hooks);
    const run = new AbortController();
    const never = deferred<never>();
    let listening = 0;
    const { signal } = run;
    const counting = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: (...parts: Parameters<AbortSignal['addEventListener']>) => {
        listening++;
        signal.addEventListener(...parts);
      },
      removeEventListener: (...parts: Parameters<AbortSignal['removeEventListener']>) => {
        listening--;
        signal.removeEventListener(...parts);
      },
    });
    Object.defineProperty(counting, 'aborted', { get: () => signal.aborted });
    Object.defineProperty(counting, 'reason', { get: () => signal.reason });
    await call(hooks, { signal: counting, approval: async () => ({ decision: 'allow' }) });
    expect(listening).toBe(0);
    const asked = deferred<void>();
    const approval = () => (asked.resolve(), never.promise);
    const calling = call(hooks, { signal: counting, approval });
    await asked.promise;
    await tick();
    expect(listening).toBe(1);
    run.abort(new Error('enough'));
    expect(await calling).toMatchObject({ status: 'denied', ran: false });
    expect(listening).toBe(0);
    expect(seen.at(-1)).toBe('canceled context_canceled: The approval of this call was canceled.');
  });

  it('is not waited for at all where the run is aborted already', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const never = deferred<never>();
    hooks.on(BeforeToolCall, () => {
      run.abort(new Error('enough'));
      return requireApproval('sure?');
    });
    expect(await call(hooks, { signal: run.signal, approval: () => never.promise })).toMatchObject({
      status: 'denied',
    });
  });
});

describe('a call that waits for a person', () => {
  const waiting = async (hooks: ReturnType<typeof createHooks>) => {
    const theCall = { session: hooks.session('s'), toolName: 'exec', callId: 'c', input: 'ls' };
    const begun = await beginToolCall(hooks, theCall, { approval: 'native', capabilities: { ask: true } });
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    return { theCall, begun };
  };

  it('is denied where it goes on with nobody to ask', async () => {
    const hooks = asking();
    const seen = record(hooks);
    const { theCall, begun } = await waiting(hooks);
    const reason =
      "Approval is required (sure?), but there is no approver: set the adapter's `approval` option to an approver, because the run cannot pause here.";
    expect(await callTool(hooks, theCall, () => 'ran', { begun })).toMatchObject({
      status: 'denied',
      reason,
    });
    expect(seen).toEqual([`deny no_approver: ${reason}`]);
  });

  it('is asked about once: with what was begun before the answer it does not go on', async () => {
    const hooks = asking();
    const { theCall, begun } = await waiting(hooks);
    await answerToolCall(begun.token, { decision: 'allow' });
    const asked: unknown[] = [];
    const approval: Approver = (request) => (asked.push(request), { decision: 'allow' });
    const tool = () => asked.push('ran');
    await expect(callTool(hooks, theCall, tool, { begun, approval })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(asked).toEqual([]);
  });

  it('is forgotten once it is answered: the same id is a new call', async () => {
    const hooks = asking();
    const { theCall, begun } = await waiting(hooks);
    await answerToolCall(begun.token, { decision: 'deny' });
    hooks.clear();
    expect(await callTool(hooks, theCall, () => 'ran')).toMatchObject({ status: 'ok' });
  });

  it('runs with the approved input, whatever becomes of the caller’s object meanwhile', async () => {
    const hooks = asking();
    const input = { command: 'ls' };
    const approval: Approver = () => {
      input.command = 'rm';
      return { decision: 'allow' };
    };
    expect(await call(hooks, { input, approval })).toMatchObject({ status: 'ok', output: { command: 'ls' } });
  });

  it('of another tool under the same id is another call', async () => {
    const hooks = asking();
    const { theCall } = await waiting(hooks);
    hooks.remove('ask');
    hooks.guard(BeforeToolCall.matching('rm'), () => block('no'));
    expect(await callTool(hooks, { ...theCall, toolName: 'rm' }, () => 'ran')).toMatchObject({
      status: 'blocked',
    });
  });
});

describe('PermissionRequest', () => {
  it('may only grant: to require again is a failure, and the person is asked', async () => {
    const hooks = asking();
    const failures: string[] = [];
    hooks.onError(({ message }) => failures.push(message));
    hooks.on(PermissionRequest, () => requireApproval('surely?') as never, { id: 'again' });
    expect(await call(hooks, { approval: () => ({ decision: 'allow' }) })).toMatchObject({ status: 'ok' });
    expect(failures).toEqual([
      'hook "again" answered modify, which is not possible here: approval is required already; a hook can only grant it or block, on permission_request',
    ]);
  });

  it('a grant without a source, and a no, are on record as those of a hook', async () => {
    const hooks = asking();
    const seen = record(hooks);
    using granting = hooks.on(PermissionRequest, () => grantApproval('fine'));
    await call(hooks);
    granting[Symbol.dispose]();
    hooks.on(PermissionRequest, () => block('no', { source: 'team_permissions_deny' }));
    expect(await call(hooks)).toMatchObject({ status: 'denied', reason: 'no' });
    expect(seen).toEqual(['allow pre_tool_use_hook_allow: fine', 'deny team_permissions_deny: no']);
  });

  it('a grant before the call, without a source, is on record as that of a hook', async () => {
    const hooks = createHooks();
    const seen = record(hooks);
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    await call(hooks);
    expect(seen).toEqual(['allow pre_tool_use_hook_allow: fine']);
  });

  it('a yes of another process is on record as a person’s', async () => {
    const hooks = asking();
    const seen = record(hooks);
    let hash = '';
    const approval: Approver = (request) => {
      hash = request.hash;
      return { decision: 'deny' };
    };
    await call(hooks, { approval });
    let who: string | undefined;
    hooks.observe(ToolApprovalDecision, ({ by }) => {
      who = by;
    });
    await call(hooks, { approval: 'native', resumed: { decision: 'allow', hash, by: 'Grace' } });
    expect(seen.at(-1)).toBe('allow user_approved: undefined');
    expect(who).toBe('Grace');
  });

  it('an input that cannot be shown does not run, and nobody is asked', async () => {
    const hooks = asking();
    const input: { self?: unknown } = {};
    input.self = input;
    let asked = 0;
    const approval: Approver = () => {
      asked++;
      return { decision: 'allow' };
    };
    expect(await call(hooks, { input, approval })).toMatchObject({
      status: 'error',
      code: 'INVALID_INPUT',
      ran: false,
    });
    expect(asked).toBe(0);
  });

  it('a rewritten input that a guard lets pass is what runs', async () => {
    const hooks = asking();
    hooks.guard(BeforeToolCall, () => proceed());
    hooks.on(PermissionRequest, () => modify({ input: 'pwd' }));
    const shown: unknown[] = [];
    const approval: Approver = ({ input }) => (shown.push(input), { decision: 'allow' });
    expect(await call(hooks, { approval })).toMatchObject({ status: 'ok', output: 'pwd' });
    expect(shown).toEqual(['pwd']);
  });
});

describe('the run’s signal', () => {
  it('reaches the hooks of each event that an abort ends, and what runs in the tool’s place', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const aborted: Record<string, boolean> = {};
    let given: AbortSignal | undefined;
    let about: ToolEvent | undefined;
    hooks.on(BeforeToolCall, (_event, { signal }) => {
      signal.addEventListener('abort', () => (aborted['before'] = true));
      return modify({
        execute: (_input, options) => {
          given = options.signal;
          about = options.call;
          return 'ran';
        },
      });
    });
    hooks.guard(BeforeToolCall, ({ input }, { signal }) => {
      if (input !== 'ls -a') return requireApproval('sure?');
      signal.addEventListener('abort', () => (aborted['before, once more'] = true));
      return proceed();
    });
    hooks.on(TransformToolResult, (_event, { signal }) => {
      signal.addEventListener('abort', () => (aborted['transform'] = true));
      return proceed();
    });
    hooks.on(AfterToolCall, (_event, { signal }) => {
      signal.addEventListener('abort', () => (aborted['after'] = true));
      return proceed();
    });
    const approval: Approver = () => ({ decision: 'allow', input: 'ls -a' });
    await call(hooks, { callId: 'c', signal: run.signal, approval });
    run.abort();
    expect(aborted).toEqual({ before: true, 'before, once more': true, transform: true });
    expect(given).toBe(run.signal);
    expect(about).toMatchObject({ callId: 'c', toolName: 'exec', input: 'ls -a' });
  });

  it('is left without listeners: it may live for thousands of calls', async () => {
    const { signal } = new AbortController();
    const hooks = asking();
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again', { delayMs: 1 }) : proceed()));
    expect(
      await call(hooks, { signal, approval: async () => ({ decision: 'allow' }) as const }),
    ).toMatchObject({ status: 'ok', attempts: 2 });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('aborted while the tool runs: hooks see how it ended, and cannot have it again', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const failures: string[] = [];
    const seen: unknown[] = [];
    hooks.onError(({ message }) => failures.push(message));
    hooks.on(AfterToolCall, ({ status, ran }) => (seen.push({ status, ran }), retry('again')), {
      id: 'again',
    });
    const reason = new Error('enough');
    const outcome = await call(hooks, {
      signal: run.signal,
      execute: () => {
        run.abort(reason);
        throw reason;
      },
    });
    expect(outcome).toMatchObject({ status: 'error', aborted: true, error: reason });
    expect(seen).toEqual([{ status: 'error', ran: true }]);
    expect(failures).toEqual([
      'hook "again" answered retry, which is not possible here: the run was aborted, on after_tool_call',
    ]);
  });

  it('aborted while the tool runs, and blocked after: it ends as the abort, and what the tool threw is withheld', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    hooks.on(AfterToolCall, () => block('no'));
    const outcome = await call(hooks, {
      signal: run.signal,
      execute: () => {
        run.abort(new Error('enough'));
        throw new Error('the key is sk-123');
      },
    });
    expect(outcome).toMatchObject({ status: 'error', aborted: true, error: run.signal.reason });
  });

  it('aborted while the tool runs: what the tool threw then is transformed before anyone sees it', async () => {
    const run = new AbortController();
    const throwing = () => {
      run.abort(new Error('enough'));
      throw new RangeError('the key is sk-123');
    };
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(AfterToolCall, ({ errorMessage }) => void seen.push(errorMessage));
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }), { id: 'hide' });
    const transformed = await call(hooks, { signal: run.signal, execute: throwing });
    expect(transformed).toMatchObject({ status: 'error', aborted: true, ran: true });
    expect(String(transformed.error)).toBe('RangeError: hidden');
    hooks.remove('hide');
    hooks.on(TransformToolResult, () => {
      throw new Error('broken');
    });
    const withheld = await call(hooks, { signal: run.signal, execute: throwing });
    expect(withheld).toMatchObject({ status: 'error', aborted: true, error: run.signal.reason });
    expect(seen).toEqual(['hidden', 'enough']);
  });

  it('aborted while a hook is asked, which gives up: that is the abort, and no refusal of the hook', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const seen = record(hooks);
    hooks.guard(
      BeforeToolCall,
      (_event, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const calling = call(hooks, { signal: run.signal });
    await tick();
    run.abort(new Error('enough'));
    expect(await calling).toMatchObject({
      status: 'error',
      ran: false,
      aborted: true,
      error: run.signal.reason,
    });
    expect(seen).toEqual([]);
  });

  it('aborted before the tool runs: nothing ran', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    hooks.on(BeforeToolCall, () => (run.abort(new Error('enough')), proceed()));
    let ran = false;
    const outcome = await call(hooks, { signal: run.signal, execute: () => (ran = true) });
    expect(outcome).toMatchObject({ status: 'error', ran: false, aborted: true, error: run.signal.reason });
    expect(ran).toBe(false);
  });
});
