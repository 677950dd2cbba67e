import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AfterToolCall,
  type Approver,
  addContext,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  type InputCheck,
  modify,
  proceed,
  recordTraces,
  requireApproval,
  retry,
  type ToolDescriptor,
  ToolEvent,
  TransformToolResult,
  UserPromptSubmit,
} from '../src/index.ts';
import { beginToolCall, type Finished, finishToolCall } from '../src/tool-call/index.ts';
import { call, target } from './support/call.ts';

type Answered =
  | ReturnType<typeof proceed | typeof block | typeof retry>
  | ReturnType<typeof modify<{ output: string }>>;

const isString: InputCheck = (input) =>
  typeof input === 'string' ? undefined : { message: 'expected a string' };

describe('a tool call', () => {
  it('goes through Before, execute, Transform, After, and into the history', async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on(BeforeToolCall, () => (order.push('before'), proceed()));
    hooks.on(TransformToolResult, () => (order.push('transform'), proceed()));
    hooks.on(AfterToolCall, () => (order.push('after'), proceed()));
    await call(hooks, { execute: () => void order.push('execute') });
    expect(order).toEqual(['before', 'execute', 'transform', 'after']);
    expect(hooks.session('s').history).toMatchObject([{ toolName: 'exec', status: 'ok', attempts: 1 }]);
  });

  it('keeps the model’s call id; a missing one is minted once', async () => {
    const hooks = createHooks();
    const ids = new Set<string>();
    hooks.observe(ToolEvent, ({ callId }) => void ids.add(callId));
    expect(await call(hooks, { callId: 'c1' })).toMatchObject({ callId: 'c1' });
    expect([...ids]).toEqual(['c1']);
    ids.clear();
    await call(hooks);
    expect(ids.size).toBe(1);
  });

  it('that fails reaches After with the error, and keeps the error object', async () => {
    const hooks = createHooks();
    const error = new TypeError('boom');
    const seen: unknown[] = [];
    hooks.on(
      AfterToolCall,
      ({ status, error: seenError, errorMessage }) => (seen.push(status, seenError, errorMessage), proceed()),
    );
    const outcome = await call(hooks, {
      execute: () => {
        throw error;
      },
    });
    expect(seen).toEqual(['error', error, 'boom']);
    expect(outcome.error).toBe(error);
  });

  it('that is blocked fires After too, with what would have run', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => modify({ input: 'changed' }));
    hooks.guard(BeforeToolCall, () => block('no'));
    hooks.observe(
      AfterToolCall,
      ({ status, ran, reason, input, attempt }) => void seen.push({ status, ran, reason, input, attempt }),
    );
    await call(hooks);
    expect(seen).toEqual([{ status: 'blocked', ran: false, reason: 'no', input: 'changed', attempt: 0 }]);
  });

  it('says nothing of what it has not: neither its event nor its outcome', async () => {
    const hooks = createHooks();
    const told: string[][] = [];
    hooks.observe(AfterToolCall, (event) => void told.push(Object.keys(event)));
    hooks.guard(BeforeToolCall.matching('rm'), () => block('no'), { id: 'no-rm' });
    const ended = [
      await call(hooks),
      await call(hooks, { execute: () => Promise.reject(new Error('boom')) }),
      await call(hooks, { check: () => ({ message: 'bad' }) }),
      await call(hooks, { toolName: 'rm' }),
    ].map((outcome) => Object.keys(outcome));
    const only = (keys: string[]) =>
      ['output', 'error', 'errorMessage', 'code', 'by', 'reason', 'message'].filter((key) =>
        keys.includes(key),
      );
    expect(told.map(only)).toEqual([
      ['output'],
      ['error', 'errorMessage'],
      ['error', 'errorMessage', 'code'],
      ['reason'],
    ]);
    expect(ended.map(only)).toEqual([['output'], ['error'], ['error', 'code'], ['by', 'reason', 'message']]);
  });

  it('blocked with stop says so', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('enough', { stop: true }));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', stop: true });
  });

  it('a Block after it with stop ends the run as well, and one without does not lift a stop', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'), { id: 'no' });
    using _enough = hooks.on(AfterToolCall, () => block('enough', { stop: true }), { id: 'enough' });
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: false, reason: 'enough', stop: true });
    const other = createHooks();
    other.on(BeforeToolCall, () => block('no', { stop: true }));
    other.on(AfterToolCall, () => block('reworded'));
    expect(await call(other)).toMatchObject({ status: 'blocked', reason: 'reworded', stop: true });
  });

  it('formatBlocked that throws is told of, and the model reads the reason', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({
      formatBlocked: () => {
        throw new Error('mine');
      },
      onWarning: (message) => warnings.push(message),
    });
    hooks.on(BeforeToolCall, () => block('no'));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: 'no', message: 'no' });
    expect(warnings).toEqual(['createHooks: formatBlocked threw']);
  });

  it('formatBlocked changes what the model reads, not the reason', async () => {
    const hooks = createHooks({
      formatBlocked: ({ reason, toolName }) => JSON.stringify({ status: 'blocked', tool: toolName, reason }),
    });
    hooks.on(BeforeToolCall, () => block('rm -rf is not allowed'));
    expect(await call(hooks)).toMatchObject({
      reason: 'rm -rf is not allowed',
      message: '{"status":"blocked","tool":"exec","reason":"rm -rf is not allowed"}',
    });
  });
});

describe('the input', () => {
  it('that does not fit the schema is never sent to a person', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    let asked = 0;
    const approval: Approver = () => (asked++, { decision: 'allow' });
    const needsApproval = 'the tool says so';
    const outcome = await call(hooks, { input: 5, check: isString, approval, needsApproval });
    expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT', ran: false });
    expect(asked).toBe(0);
  });

  it('that does not fit the schema is told to After only, and the framework’s own error is kept', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(ToolEvent, (event) => void seen.push(event.type));
    const error = new Error('the framework’s own');
    const outcome = await call(hooks, { input: 5, check: () => ({ message: 'bad', error }) });
    expect(seen).toEqual(['after_tool_call']);
    expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT', ran: false });
    expect(outcome.error).toBe(error);
  });

  it('does not fit either where the schema says so by a promise', async () => {
    const hooks = createHooks();
    const check: InputCheck = async () => ({ message: 'expected a string' });
    expect(await call(hooks, { check })).toMatchObject({ code: 'INVALID_INPUT', ran: false });
  });

  const down = new Error('the register of cities is down');
  const failing: readonly (readonly [string, InputCheck])[] = [
    [
      'throws',
      () => {
        throw down;
      },
    ],
    ['rejects', () => Promise.reject(down)],
  ];

  it.each(failing)(
    'fits no schema that %s: hooks are told, and the call ends with that error',
    async (_, check) => {
      const hooks = createHooks();
      const seen: string[] = [];
      hooks.observe(ToolEvent, (event) => void seen.push(event.type));
      const outcome = await call(hooks, { check });
      expect(seen).toEqual(['after_tool_call']);
      expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT', ran: false });
      expect(outcome.error).toBe(down);
    },
  );

  it.each(failing)(
    'rewritten, held against a schema that %s, is blocked without its words',
    async (_, check) => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => modify({ input: 'rewritten' }));
      const outcome = await call(hooks, {
        check: (input) => (input === 'rewritten' ? check(input) : undefined),
      });
      expect(outcome).toMatchObject({ status: 'blocked', ran: false });
      expect(outcome.reason).toMatch(/does not fit the schema of the tool: the schema threw an error$/);
    },
  );

  it('rewritten is checked after the last interceptor and before the guards', async () => {
    const hooks = createHooks();
    const guarded: unknown[] = [];
    hooks.on(BeforeToolCall, () => modify({ input: 5 }));
    hooks.on(BeforeToolCall, ({ input }) => modify({ input: input === 5 ? 'mended' : input }), {
      id: 'mend',
    });
    hooks.guard(BeforeToolCall, ({ input }) => (guarded.push(input), proceed()));
    expect(await call(hooks, { check: isString })).toMatchObject({ status: 'ok', output: 'mended' });
    hooks.remove('mend');
    const outcome = await call(hooks, { check: isString });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toContain('expected a string');
    expect(guarded).toEqual(['mended']);
  });
});

describe('an answer in the tool’s place', () => {
  it('is what the model reads, without the tool running; it passes Transform and After', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('cached'));
    hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output}!` }));
    expect(
      await call(hooks, {
        execute: () => {
          throw new Error('ran');
        },
      }),
    ).toMatchObject({ status: 'ok', output: 'cached!' });
  });

  it('a route is visible to guards', async () => {
    const hooks = createHooks();
    const routes: unknown[] = [];
    const execute = Object.assign(() => 'elsewhere', { route: { provider: 'local', isolated: true } });
    hooks.on(BeforeToolCall, () => modify({ execute }));
    hooks.guard(BeforeToolCall, (event) => (routes.push(event.execute?.route), proceed()));
    expect(await call(hooks)).toMatchObject({ output: 'elsewhere' });
    expect(routes).toEqual([{ provider: 'local', isolated: true }]);
  });
});

describe('a rename', () => {
  const rename = (name: string) =>
    name === 'safe' ? target(name, (input) => `safe ${input}`, { check: isString }) : undefined;

  it('runs the other tool, with its own schema; the guards are those of the new name', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall.matching('exec'), () => (asked.push('exec'), modify({ toolName: 'safe' })), {
      priority: 1,
    });
    hooks.on(BeforeToolCall.matching('exec'), () => (asked.push('exec later'), proceed()));
    hooks.on(
      BeforeToolCall.matching('safe'),
      ({ toolName }) => (asked.push(`interceptor of ${toolName}`), proceed()),
    );
    hooks.guard(BeforeToolCall.matching('exec'), () => block('guard of exec'));
    hooks.guard(BeforeToolCall.matching('safe'), () => (asked.push('guard of safe'), proceed()));
    hooks.observe(
      AfterToolCall,
      ({ toolName, nativeToolName }) => void asked.push(`${toolName}, called as ${nativeToolName}`),
    );
    expect(await call(hooks, { rename })).toMatchObject({
      status: 'ok',
      output: 'safe ls',
      toolName: 'safe',
    });
    expect(asked).toEqual(['exec', 'interceptor of safe', 'guard of safe', 'safe, called as exec']);
  });

  it('to a tool that is not there, twice, or where it cannot be, is a failure of the hook', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'nowhere' }), { id: 'lost' });
    expect((await call(hooks, { rename })).reason).toContain('the agent has no tool "nowhere"');
    expect((await call(hooks)).reason).toContain('cannot be changed here');
    const twice = createHooks();
    twice.on(BeforeToolCall, () => modify({ toolName: 'safe' }));
    twice.on(BeforeToolCall, () => modify({ toolName: 'exec' }));
    expect((await call(twice, { rename: (name) => target(name, () => 'x') })).reason).toContain(
      'already changed once',
    );
  });

  it('asks no hook twice that meets both names', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => (asked.push(`all, of ${toolName}`), proceed()), {
      priority: 2,
    });
    hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'safe' }), { priority: 1 });
    hooks.on(BeforeToolCall, ({ toolName }) => (asked.push(`later, of ${toolName}`), proceed()));
    await call(hooks, { rename });
    expect(asked).toEqual(['all, of exec', 'later, of safe']);
  });

  it('to the name that it has is none', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ toolName }) => modify({ toolName, input: 'pwd' }));
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'pwd' });
  });

  it('hooks narrowed to a tool object are those of the tool that will run, from then on', async () => {
    const [exec, safe] = [{ name: 'exec' }, { name: 'safe' }];
    const hooks = createHooks();
    const asked: string[] = [];
    const note = (name: string) => () => (asked.push(name), proceed());
    hooks.on(BeforeToolCall.for(exec), () => modify({ toolName: 'safe' }));
    for (const [name, tool] of Object.entries({ exec, safe })) {
      hooks.on(BeforeToolCall.for(tool), note(`interceptor of ${name}`), { priority: -1 });
      hooks.guard(BeforeToolCall.for(tool), note(`guard of ${name}`));
      hooks.on(TransformToolResult.for(tool), note(`transform of ${name}`));
      hooks.on(AfterToolCall.for(tool), note(`after of ${name}`));
    }
    const seen: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ tool }) => (seen.push(tool?.ref), proceed()));
    const run = (tool: ToolDescriptor) =>
      call(hooks, {
        tool: { kind: 'function', ref: exec },
        rename: (name) => target(name, () => 'x', { tool }),
      });
    const ofSafe = ['interceptor of safe', 'guard of safe', 'transform of safe', 'after of safe'];
    await run({ kind: 'function', ref: safe });
    expect(asked.splice(0)).toEqual(ofSafe);
    await run({ kind: 'function' }); // by its name where the object is not known
    expect(asked).toEqual(ofSafe);
    expect(seen).toEqual([safe, undefined]);
  });

  it('finds a tool by the user’s name for it, whatever the framework calls it', async () => {
    const hooks = createHooks({ aliases: { bash: 'exec', sh: 'exec', fetch: 'web' } });
    hooks.on(BeforeToolCall.matching('read'), () => modify({ toolName: 'exec' }));
    const seen: string[] = [];
    hooks.guard(BeforeToolCall.matching('bash'), ({ toolName }) => (seen.push(toolName), proceed()));
    const only = (known: string) => (name: string) =>
      name === known ? target(name, () => `ran ${name}`) : undefined;
    for (const known of ['exec', 'bash', 'sh'])
      expect(await call(hooks, { toolName: 'read', rename: only(known) })).toMatchObject({
        status: 'ok',
        output: `ran ${known}`,
        toolName: 'exec',
      });
    expect(seen).toEqual(['exec', 'exec', 'exec']);
    for (const known of ['other', 'fetch']) {
      const { reason } = await call(hooks, { toolName: 'read', rename: only(known) });
      expect(reason).toContain('the agent has no tool "exec"');
    }
  });

  it('that wants approval: what a person puts in place is checked as an input of the other tool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'safe' }));
    hooks.on(BeforeToolCall.matching('safe'), () => requireApproval('sure?'));
    hooks.guard(BeforeToolCall.matching('exec'), () => block('guard of exec'));
    hooks.guard(BeforeToolCall.matching('safe'), ({ input }) =>
      input === 'rm' ? block('no rm') : proceed(),
    );
    const shown: unknown[] = [];
    const given = (input: unknown) =>
      call(hooks, {
        rename,
        approval: ({ toolName }) => (shown.push(toolName), { decision: 'allow', input }),
      });
    expect(await given('pwd')).toMatchObject({ status: 'ok', output: 'safe pwd' });
    expect(await given('rm')).toMatchObject({ status: 'blocked', reason: 'no rm' });
    expect((await given(5)).reason).toContain('expected a string');
    expect(shown).toEqual(['safe', 'safe', 'safe']);
  });

  it('to another name of the same tool is none', async () => {
    const hooks = createHooks({ aliases: { bash: 'exec' } });
    const seen: unknown[] = [];
    const tool = { kind: 'function', ref: {} } as const;
    hooks.on(BeforeToolCall, () => modify({ toolName: 'bash' }));
    hooks.guard(
      BeforeToolCall.matching('exec'),
      (event) => (seen.push(event.toolName, event.tool), proceed()),
    );
    expect(await call(hooks, { tool })).toMatchObject({ status: 'ok', toolName: 'exec' });
    expect(seen).toEqual(['exec', tool]);
  });

  it('whose input does not fit the new tool’s schema is blocked', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'safe' }));
    expect(await call(hooks, { input: 5, rename })).toMatchObject({ status: 'blocked', ran: false });
  });
});

describe('the result', () => {
  it('is transformed before anyone sees it', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(TransformToolResult, ({ output }) =>
      modify({ output: String(output).replace(/sk-\w+/, 'sk-***') }),
    );
    hooks.observe(AfterToolCall, ({ output }) => void seen.push(output));
    expect(await call(hooks, { execute: () => 'key sk-abc' })).toMatchObject({ output: 'key sk-***' });
    expect(seen).toEqual(['key sk-***']);
  });

  it('a replaced error text is in neither message, stack nor cause', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ errorMessage }) =>
      errorMessage === undefined ? proceed() : modify({ errorMessage: 'hidden' }),
    );
    const outcome = await call(hooks, {
      execute: () => {
        throw new RangeError('token sk-abc', { cause: 'sk-abc' });
      },
    });
    const error = outcome.error as Error;
    expect([error.name, error.message, error.cause]).toEqual(['RangeError', 'hidden', undefined]);
    expect(error.stack).not.toContain('sk-abc');
  });

  it.each(['token sk-abc', null, { name: 7 }])(
    'a replaced text of what is no error (%j) is that of an error',
    async (thrown) => {
      const hooks = createHooks();
      hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }));
      const outcome = await call(hooks, { execute: () => Promise.reject(thrown) });
      expect(outcome).toMatchObject({ status: 'error', ran: true });
      const { name, message, stack } = outcome.error as Error;
      expect([name, message, stack]).toEqual(['Error', 'hidden', 'Error: hidden']);
    },
  );

  it('blocked after the run is withheld, and the model is told that the tool did run', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => block('a secret'));
    const outcome = await call(hooks);
    expect(outcome).toMatchObject({ status: 'blocked', ran: true, reason: 'a secret' });
    expect(outcome.message).toContain('did run');
    expect(outcome).not.toHaveProperty('output');
  });

  it('an error blocked after the run is withheld; observers still get it', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(AfterToolCall, () => block('no'));
    hooks.observe(AfterToolCall, ({ errorMessage }) => void seen.push(errorMessage));
    const outcome = await call(hooks, {
      execute: () => {
        throw new Error('boom');
      },
    });
    expect(outcome).not.toHaveProperty('error');
    expect(seen).toEqual(['boom']);
  });

  it('After may replace the output, of a failed call too', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => modify({ output: 'instead' }));
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'instead' });
    expect(
      await call(hooks, {
        execute: () => {
          throw new Error('boom');
        },
      }),
    ).toMatchObject({ status: 'ok', output: 'instead' });
  });

  it('Block after a blocked call changes only the reason; a failed hook not even that', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('first'));
    hooks.on(AfterToolCall, () => block('reworded'), { id: 'reword' });
    expect(await call(hooks)).toMatchObject({
      status: 'blocked',
      ran: false,
      reason: 'reworded',
      stop: false,
    });
    hooks.remove('reword');
    hooks.on(AfterToolCall, () => modify({ output: 'x' }));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: false, reason: 'first' });
  });

  it('the context of Before and After is told to the adapter', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => addContext('before'));
    hooks.on(AfterToolCall, () => addContext('after'));
    expect((await call(hooks)).context).toEqual(['before', 'after']);
  });
});

describe('Retry', () => {
  it('runs again from execute; Before and guards are not asked again', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    let runs = 0;
    hooks.on(BeforeToolCall, () => (asked.push('before'), modify({ input: 'changed' })));
    hooks.on(TransformToolResult, () => (asked.push('transform'), proceed()));
    hooks.on(
      AfterToolCall,
      ({ status, attempt }) => (
        asked.push(`after ${attempt}`), status === 'error' ? retry('again') : proceed()
      ),
    );
    const outcome = await call(hooks, {
      execute: (input) => {
        if (++runs < 3) throw new Error('flaky');
        return input;
      },
    });
    expect(outcome).toMatchObject({ status: 'ok', output: 'changed', attempts: 3, exhausted: false });
    expect(asked).toEqual(['before', 'transform', 'after 1', 'transform', 'after 2', 'transform', 'after 3']);
  });

  it('is bounded; at the limit the last attempt stands', async () => {
    const hooks = createHooks({ maxAttempts: 2 });
    let runs = 0;
    hooks.on(AfterToolCall, () => retry('for ever'));
    expect(await call(hooks, { execute: () => ++runs })).toMatchObject({
      status: 'ok',
      output: 2,
      attempts: 2,
      exhausted: true,
    });
  });

  it('discards that chain’s patches', async () => {
    const hooks = createHooks();
    let runs = 0;
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()), { priority: 1 });
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? addContext('dropped') : proceed()));
    const outcome = await call(hooks, { execute: () => ++runs });
    expect(outcome).toMatchObject({ output: 2, context: [] });
  });

  it.each(['on', 'guard'] as const)(
    'at the limit is no last word: a hook behind it (%s) may still block what would stand',
    async (verb) => {
      const hooks = createHooks({ maxAttempts: 2 });
      const recorder = recordTraces();
      hooks.trace(recorder.listener);
      hooks.on(AfterToolCall, () => retry('again'), { id: 'again' });
      hooks[verb](AfterToolCall, ({ output }) => (output === 2 ? block('a secret') : proceed()), {
        id: 'outer',
        priority: 100,
      });
      let runs = 0;
      expect(await call(hooks, { execute: () => ++runs })).toMatchObject({
        status: 'blocked',
        by: 'outer',
        attempts: 2,
        exhausted: true,
      });
      expect(recorder.lines()).toEqual([
        'after_tool_call exec: again=retry -> retry',
        'after_tool_call exec: again=retry outer=block -> block',
      ]);
    },
  );

  it('at the limit discards nothing: what other hooks changed stands with the last attempt', async () => {
    const hooks = createHooks({ maxAttempts: 2 });
    const seen: string[] = [];
    hooks.on(AfterToolCall, ({ output }) => modify({ output: `${output}, redacted`, context: ['look'] }));
    hooks.on(AfterToolCall, () => retry('again'), { priority: 1 });
    hooks.observe(AfterToolCall, (_event, { kind }) => void seen.push(kind));
    expect(await call(hooks)).toMatchObject({
      output: 'ls, redacted',
      context: ['look'],
      attempts: 2,
      exhausted: true,
    });
    expect(seen).toEqual(['retry', 'modify']);
  });

  it('with one attempt allowed runs once, and is exhausted', async () => {
    const hooks = createHooks({ maxAttempts: 1 });
    hooks.on(AfterToolCall, () => retry('again'));
    expect(await call(hooks)).toMatchObject({ status: 'ok', attempts: 1, exhausted: true });
  });

  it('is what exhausts a call: no other answer at the limit does', async () => {
    const hooks = createHooks({ maxAttempts: 1 });
    hooks.on(AfterToolCall, () => modify({ output: 'redacted' }));
    expect(await call(hooks)).toMatchObject({ output: 'redacted', exhausted: false });
  });

  it('of a call that runs elsewhere runs it there again', async () => {
    const hooks = createHooks();
    let runs = 0;
    hooks.on(BeforeToolCall, () => modify({ execute: () => `elsewhere ${++runs}` }));
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
    expect(await call(hooks, { execute: () => 'here' })).toMatchObject({
      output: 'elsewhere 2',
      attempts: 2,
    });
  });

  it('where nothing ran is a failure of the hook, and the call stays blocked', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error.message) });
    hooks.on(BeforeToolCall, () => block('no'));
    hooks.on(AfterToolCall, () => retry('again'));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: 'no' });
    expect(errors[0]).toContain('nothing ran');
  });

  it('an abort during the delay ends as the framework’s abort', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const hooks = createHooks();
    const run = new AbortController();
    hooks.on(AfterToolCall, ({ attempt }) =>
      attempt === 1 ? retry('later', { delayMs: 60_000 }) : proceed(),
    );
    const seen: unknown[] = [];
    hooks.observe(AfterToolCall, ({ status, ran, attempt, durationMs }) => {
      seen.push({ status, ran, attempt, timed: durationMs >= 0 });
      setImmediate(() => run.abort(new Error('stopped')));
    });
    const outcome = await call(hooks, { signal: run.signal });
    expect(outcome).toMatchObject({
      status: 'error',
      aborted: true,
      error: new Error('stopped'),
      ran: true,
      attempts: 1,
    });
    expect(vi.getTimerCount()).toBe(0);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
    expect(seen).toEqual([
      { status: 'ok', ran: true, attempt: 1, timed: true },
      { status: 'error', ran: true, attempt: 1, timed: true },
    ]);
  });
});

describe('the split form', () => {
  const theCall = (hooks: ReturnType<typeof createHooks>) => ({
    session: hooks.session('s'),
    toolName: 'exec',
    callId: 'c',
    input: 'ls',
  });

  it('is begin, run, finish', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: 'changed' }));
    hooks.on(AfterToolCall, ({ output }) => modify({ output: `${output}!` }));
    const begun = await beginToolCall(hooks, theCall(hooks));
    if (begun.kind !== 'run') throw new Error(begun.kind);
    expect(begun.input).toBe('changed');
    expect(await finishToolCall(hooks, begun.token, { output: 'out' })).toMatchObject({
      kind: 'done',
      outcome: { status: 'ok', output: 'out!' },
    });
  });

  it('takes what the tool threw', async () => {
    const hooks = createHooks();
    const error = new Error('boom');
    const begun = await beginToolCall(hooks, theCall(hooks));
    if (begun.kind !== 'run') throw new Error(begun.kind);
    expect(await finishToolCall(hooks, begun.token, { error })).toMatchObject({
      kind: 'done',
      outcome: { status: 'error', ran: true, error },
    });
  });

  it('tells when it is to run again; who does not wait for that has run it for no time', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ attempt }) =>
      attempt < 2 ? retry('again', { delayMs: 1_000_000 }) : proceed(),
    );
    const begun = await beginToolCall(hooks, theCall(hooks), { capabilities: { retry: true } });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const again = await finishToolCall(hooks, begun.token, { output: 'x' });
    if (again.kind !== 'again') throw new Error(again.kind);
    expect(again.token.startedAt - begun.token.startedAt).toBeGreaterThanOrEqual(1_000_000);
    expect(await finishToolCall(hooks, again.token, { output: 'x' })).toMatchObject({
      outcome: { attempts: 2, durationMs: 0 },
    });
  });

  it('its token is plain JSON: the two halves can happen in two processes', async () => {
    const policy = (hooks: ReturnType<typeof createHooks>) => {
      hooks.on(BeforeToolCall, () => modify({ input: 'changed' }));
      hooks.on(AfterToolCall, ({ input, callId, attempt }) =>
        attempt < 2 ? retry('again') : modify({ output: { input, callId } }),
      );
      return hooks;
    };
    const one = policy(createHooks());
    const begun = await beginToolCall(one, theCall(one), { capabilities: { retry: true } });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const two = policy(createHooks());
    const again = await finishToolCall(two, JSON.parse(JSON.stringify(begun.token)), { output: 'x' });
    if (again.kind !== 'again') throw new Error(again.kind);
    expect(again).toMatchObject({ input: 'changed', delayMs: 0 });
    const three = policy(createHooks());
    expect(
      await finishToolCall(three, JSON.parse(JSON.stringify(again.token)), { output: 'x' }),
    ).toMatchObject({ outcome: { output: { input: 'changed', callId: 'c' }, attempts: 2 } });
  });

  it('in two processes, the hooks after a renamed call are those of the tool that ran', async () => {
    const asked: string[] = [];
    const policy = (hooks: ReturnType<typeof createHooks>) => {
      hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'safe' }));
      for (const name of ['exec', 'safe'])
        hooks.on(AfterToolCall.matching(name), ({ toolName, nativeToolName }) => {
          asked.push(`${name}: ${toolName}, called as ${nativeToolName}`);
          return proceed();
        });
      return hooks;
    };
    const one = policy(createHooks());
    const begun = await beginToolCall(one, theCall(one), {
      capabilities: { rename: (name) => target(name, () => 'x') },
    });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const token = JSON.parse(JSON.stringify(begun.token));
    expect(await finishToolCall(policy(createHooks()), token, { output: 'x' })).toMatchObject({
      outcome: { status: 'ok', toolName: 'safe' },
    });
    expect(asked).toEqual(['safe: safe, called as exec']);
  });

  it.each([
    ['Proceed', () => proceed(), { status: 'ok', output: 'out' }],
    ['Modify', () => modify({ output: 'other' }), { status: 'ok', output: 'other' }],
    [
      'Block',
      () => block('no', { stop: true }),
      { status: 'blocked', ran: true, reason: 'no', stop: true, by: 'after' },
    ],
    ['Retry', ({ attempt }) => (attempt < 3 ? retry('again') : proceed()), { attempts: 3, exhausted: false }],
    ['Retry for ever', () => retry('again'), { status: 'ok', attempts: 3, exhausted: true }],
  ] satisfies [string, (event: AfterToolCall) => Answered, object][])(
    'in two processes, %s after the call holds',
    async (_name, answer, outcome) => {
      const policy = () => {
        const hooks = createHooks();
        hooks.on(AfterToolCall, answer, { id: 'after' });
        return hooks;
      };
      const one = policy();
      const begun = await beginToolCall(one, theCall(one), { capabilities: { retry: true } });
      if (begun.kind !== 'run') throw new Error(begun.kind);
      let finished: Finished | undefined;
      for (let token = begun.token; finished?.kind !== 'done'; ) {
        finished = await finishToolCall(policy(), JSON.parse(JSON.stringify(token)), { output: 'out' });
        if (finished.kind === 'again') token = finished.token;
      }
      expect(finished.outcome).toMatchObject({ callId: 'c', toolName: 'exec', input: 'ls', ...outcome });
    },
  );

  it('a decision outside what the caller can do is a failure of the hook', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('x'), { id: 'router' });
    const begun = await beginToolCall(hooks, theCall(hooks), { capabilities: { route: false } });
    expect(begun).toMatchObject({ kind: 'done', outcome: { status: 'blocked', by: 'router' } });
    expect(begun).toMatchObject({ outcome: { reason: expect.stringContaining('cannot be run elsewhere') } });
    hooks.clear();
    hooks.on(AfterToolCall, () => retry('again'), { id: 'retrier' });
    const running = await beginToolCall(hooks, theCall(hooks));
    if (running.kind !== 'run') throw new Error(running.kind);
    expect(await finishToolCall(hooks, running.token, { output: 'x' })).toMatchObject({
      outcome: { status: 'blocked', ran: true, by: 'retrier' },
    });
  });

  it('waits for hooks that answer with promises, before and after', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, async () => modify({ input: 'pwd' }));
    hooks.on(AfterToolCall, async () => modify({ output: 'after' }));
    const begun = await beginToolCall(hooks, { session: hooks.session('s'), toolName: 'exec', input: 'ls' });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    expect(await finishToolCall(hooks, begun.token, { output: begun.input })).toMatchObject({
      kind: 'done',
      outcome: { output: 'after', input: 'pwd' },
    });
  });

  it('blocked calls are done at once', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'));
    expect(await beginToolCall(hooks, theCall(hooks))).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked' },
    });
  });
});

describe('a tool’s promise', () => {
  it('of a class of its own is waited for; the outcome’s is a plain one', async () => {
    class Cancelable<T> extends Promise<T> {}
    const outcome = call(createHooks(), { execute: () => Cancelable.resolve('text') });
    expect(Object.getPrototypeOf(outcome)).toBe(Promise.prototype);
    expect(await outcome).toMatchObject({ status: 'ok', output: 'text' });
  });

  it('that cannot be waited for, as one behind a proxy, is an error of the tool', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(AfterToolCall, ({ status }) => void seen.push(status));
    const execute = () => new Proxy(Promise.resolve('text'), {});
    expect(await call(hooks, { execute })).toMatchObject({ status: 'error', error: expect.any(TypeError) });
    expect(seen).toEqual(['error']);
  });
});

describe('a call within a call', () => {
  it('is one of its own: hooks may call hooked tools and dispatch, and so may tools', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(BeforeToolCall.matching('outer'), async ({ session, callId }) => {
      await hooks.dispatch(UserPromptSubmit, { session, prompt: 'may it?' });
      const { output } = await call(hooks, { toolName: 'judge', parentCallId: callId, execute: () => 'yes' });
      return output === 'yes' ? proceed() : block('no');
    });
    hooks.on(UserPromptSubmit, () => (seen.push('prompt'), proceed()));
    hooks.observe(
      BeforeToolCall,
      ({ toolName, parentCallId }) => void seen.push(`${toolName} in ${parentCallId}`),
    );
    const outcome = await call(hooks, {
      toolName: 'outer',
      callId: 'c',
      execute: async (_input, { call: { callId } }) =>
        (await call(hooks, { toolName: 'inner', parentCallId: callId })).output,
    });
    expect(outcome).toMatchObject({ status: 'ok', output: 'ls' });
    expect(seen).toEqual(['prompt', 'judge in c', 'outer in undefined', 'inner in c']);
  });
});

describe('the framework’s own control flow', () => {
  it('passes through untouched; taken up again with the same input, no hook is asked twice', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(ToolEvent, ({ type }) => void seen.push(type));
    const interrupt = new Error('interrupt');
    let resumed = false;
    const over = {
      callId: 'c',
      isControlFlow: (error: unknown) => error === interrupt,
      execute: () => {
        if (!resumed) throw interrupt;
        return 'done';
      },
    };
    await expect(call(hooks, over)).rejects.toBe(interrupt);
    expect(seen).toEqual(['before_tool_call', 'before_execute']);
    resumed = true;
    expect(await call(hooks, over)).toMatchObject({ status: 'ok', attempts: 1 });
    expect(seen).toEqual(['before_tool_call', 'before_execute', 'transform_tool_result', 'after_tool_call']);
    await call(hooks, over);
    expect(seen.filter((type) => type === 'before_tool_call')).toHaveLength(2);
  });
});
