import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type HookProvider,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  sessionKey,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store } from '@hooks/store';
import { drawn } from '@hooks/testing/random';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { journal, type ReplayReport, readJournal, replay } from '../src/index.ts';

interface Call {
  readonly session: string;
  readonly toolName: string;
  readonly input: { readonly n: number };
  readonly output: string;
  readonly throws: boolean;
  readonly answer: 'allow' | 'deny';
  readonly native: boolean;
}

const search: Call = {
  session: 's',
  toolName: 'search',
  input: { n: 1 },
  output: 'found',
  throws: false,
  answer: 'allow',
  native: false,
};

/** Plays calls under a policy, and records them. */
async function record(policy: HookProvider, calls: readonly Partial<Call>[]): Promise<Store> {
  const store = memoryStore();
  await using log = journal({ store });
  await using hooks = createHooks();
  hooks.use(policy);
  hooks.use(log);
  for (const [index, some] of calls.entries()) {
    const { session, toolName, input, output, throws, answer, native } = { ...search, ...some };
    await callTool(
      hooks,
      {
        session: hooks.session(session),
        toolName,
        callId: `c${index}`,
        input,
        ...(native && { needsApproval: 'the framework asks' }),
      },
      () => {
        if (throws) throw new Error(output);
        return output;
      },
      { approval: () => ({ decision: answer }) },
    );
  }
  return store;
}

const policy = (register: HookProvider['register']): HookProvider => ({ name: 'policy', register });
const nothing = policy(() => {});

function verdicts({ summary }: ReplayReport): string {
  const { same, tightened, loosened, unknown } = summary;
  return `${same} same, ${tightened} tightened, ${loosened} loosened, ${unknown} unknown`;
}

describe('a call', () => {
  const noDrop = policy((hooks) => {
    hooks.guard(BeforeToolCall.matching('drop'), () => block('Never drop.'), { id: 'no-drop' });
  });

  it('that a new policy blocks is tightened, and what follows in its session is unknown', async () => {
    const store = await record(nothing, [{}, { toolName: 'drop' }, {}, { session: 'other' }]);
    const report = await replay(store, noDrop);
    expect(verdicts(report)).toBe('2 same, 1 tightened, 0 loosened, 1 unknown');
    expect(report.coverage).toMatchObject({ calls: 4, judged: 3, unknown: { 'after-divergence': 1 } });
    expect(report.calls[0]).toMatchObject({
      toolName: 'drop',
      callId: 'c1',
      verdict: 'tightened',
      recorded: { gate: 'run' },
      replayed: { gate: 'block', by: 'policy/no-drop', reason: 'Never drop.' },
    });
  });

  describe('that a hook renames', () => {
    const renaming = (toolName: string): HookProvider =>
      policy((hooks) => void hooks.on(BeforeToolCall.matching('shell'), () => modify({ toolName })));

    /** Records a call of `exec`, which the policy may rename to `safe_exec`; the user's names are other ones. */
    async function verdictOf(recorded: HookProvider, replayed: HookProvider): Promise<string> {
      const names = { aliases: { exec: 'shell', safe_exec: 'safe_shell' } };
      const store = memoryStore();
      await using log = journal({ store });
      await using hooks = createHooks(names);
      hooks.use(recorded);
      hooks.use(log);
      const call = { session: hooks.session('s'), toolName: 'exec', callId: 'c', input: 'ls' };
      await callTool(hooks, call, () => 'ran', {
        rename: (name) =>
          name === 'safe_exec'
            ? {
                name,
                tool: { kind: 'function' },
                native: undefined,
                registries: hooks,
                unenforced: undefined,
                check: 'itself',
                execute: () => 'ran',
              }
            : undefined,
      });
      await hooks.close();
      await log.close();
      const next = createHooks(names);
      next.use(replayed);
      return verdicts(await replay(store, next));
    }

    it.each([
      [
        'to the recorded tool, by its name or its alias',
        'safe_shell',
        'safe_shell',
        '1 same, 0 tightened, 0 loosened, 0 unknown',
      ],
      [
        'to the recorded tool, by its other name',
        'safe_shell',
        'safe_exec',
        '1 same, 0 tightened, 0 loosened, 0 unknown',
      ],
      [
        'to another tool than the recorded one',
        'safe_shell',
        'other',
        '0 same, 0 tightened, 0 loosened, 1 unknown',
      ],
    ])('%s is judged, or unknown', async (_to, before, now, verdict) => {
      expect(await verdictOf(renaming(before), renaming(now))).toBe(verdict);
    });

    it('where none did is unknown, and where one no longer does is loosened', async () => {
      expect(await verdictOf(nothing, renaming('other'))).toBe('0 same, 0 tightened, 0 loosened, 1 unknown');
      expect(await verdictOf(renaming('safe_shell'), nothing)).toBe(
        '0 same, 0 tightened, 1 loosened, 0 unknown',
      );
    });
  });

  it('that a new policy no longer blocks is loosened', async () => {
    const store = await record(noDrop, [{ toolName: 'drop' }]);
    expect((await replay(store, nothing)).calls).toMatchObject([
      { verdict: 'loosened', recorded: { gate: 'block', by: 'policy/no-drop' }, replayed: { gate: 'run' } },
    ]);
  });

  it.each(['allow', 'deny'] as const)(
    'of which a person was asked gets the same answer: %s',
    async (answer) => {
      const asks = policy((hooks) => void hooks.guard(BeforeToolCall, () => requireApproval('Sure?')));
      const store = await record(asks, [{ answer }, {}]);
      expect(verdicts(await replay(store, asks))).toBe('2 same, 0 tightened, 0 loosened, 0 unknown');
      expect(verdicts(await replay(store, nothing))).toBe('0 same, 0 tightened, 1 loosened, 1 unknown');
      const grants = policy((hooks) => {
        hooks.guard(BeforeToolCall, () => requireApproval('Sure?'));
        hooks.on(PermissionRequest, () => grantApproval('I am.'));
      });
      expect(verdicts(await replay(store, grants))).toBe('0 same, 0 tightened, 1 loosened, 1 unknown');
    },
  );

  it('of which the framework itself asked is the same, unless a hook grants it', async () => {
    const grants = policy((hooks) => void hooks.on(BeforeToolCall, () => grantApproval('Fine.')));
    const store = await record(nothing, [{ native: true }]);
    expect(verdicts(await replay(store, nothing))).toBe('1 same, 0 tightened, 0 loosened, 0 unknown');
    expect(verdicts(await replay(store, grants))).toBe('0 same, 0 tightened, 1 loosened, 0 unknown');
    const granted = await record(grants, [{ native: true }]);
    expect(verdicts(await replay(granted, grants))).toBe('1 same, 0 tightened, 0 loosened, 0 unknown');
    expect((await replay(granted, nothing)).coverage.unknown).toEqual({ approval: 1 });
  });

  describe('whose input a hook replaced', () => {
    const rewrite: HookProvider['register'] = (hooks) =>
      void hooks.on(BeforeToolCall, () => modify({ input: { n: 2 } }), { id: 'rewrite' });
    const rewrites = policy(rewrite);
    const noTwo: HookProvider['register'] = (hooks) =>
      void hooks.guard(
        BeforeToolCall,
        ({ input }) => ((input as { n: number }).n === 2 ? block('No two.') : proceed()),
        { id: 'no-two' },
      );

    it('is judged behind that hook, where the new policy has it', async () => {
      const store = await record(rewrites, [{}]);
      const again = await replay(store, rewrites);
      expect(verdicts(again)).toBe('1 same, 0 tightened, 0 loosened, 0 unknown');
      expect(again.coverage.assumed).toEqual({ 'policy/rewrite': 1 });
      const stricter = policy((hooks) => {
        rewrite(hooks);
        noTwo(hooks);
      });
      expect((await replay(store, stricter)).calls).toMatchObject([
        { verdict: 'tightened', replayed: { gate: 'block', by: 'policy/no-two' } },
      ]);
      const blocked = await record(stricter, [{}]);
      expect(verdicts(await replay(blocked, rewrites))).toBe('0 same, 0 tightened, 1 loosened, 0 unknown');
    });

    it('is loosened where no hook would replace it', async () => {
      const store = await record(rewrites, [{}]);
      expect(verdicts(await replay(store, nothing))).toBe('0 same, 0 tightened, 1 loosened, 0 unknown');
      const plain = await record(nothing, [{}]);
      expect(verdicts(await replay(plain, rewrites))).toBe('0 same, 1 tightened, 0 loosened, 0 unknown');
    });

    it.each<[string, HookProvider]>([
      ['only other hooks', policy(noTwo)],
      [
        'another hook ahead of it',
        policy((hooks) => {
          hooks.on(BeforeToolCall, () => proceed(), { id: 'first', priority: 1 });
          rewrite(hooks);
        }),
      ],
      ['another version of it', { ...rewrites, version: '2' }],
    ])('is unknown where the new policy has %s', async (_, other) => {
      const store = await record(rewrites, [{}]);
      const { coverage } = await replay(store, other);
      expect(coverage).toMatchObject({ judged: 0, unknown: { 'input-replaced': 1 }, assumed: {} });
    });
  });

  it('whose output a hook replaced is judged behind that hook, where the new policy has it', async () => {
    const redact: HookProvider['register'] = (hooks) =>
      void hooks.on(TransformToolResult, () => modify({ output: '[redacted]' }), { id: 'redact' });
    const store = await record(policy(redact), [{}]);
    const again = await replay(store, policy(redact));
    expect(verdicts(again)).toBe('1 same, 0 tightened, 0 loosened, 0 unknown');
    expect(again.coverage.assumed).toEqual({ 'policy/redact': 1 });
    const stricter = policy((hooks) => {
      redact(hooks);
      hooks.guard(AfterToolCall, ({ output }) => (output === '[redacted]' ? block('No.') : proceed()));
    });
    expect((await replay(store, stricter)).calls).toMatchObject([
      { verdict: 'tightened', replayed: { changed: 'withheld' } },
    ]);
    const other = policy((hooks) => void hooks.on(TransformToolResult, () => proceed(), { id: 'other' }));
    expect((await replay(store, other)).coverage.unknown).toEqual({ 'output-replaced': 1 });
  });

  it('of two sessions at once is judged by its own records', async () => {
    const store = memoryStore();
    await using log = journal({ store });
    await using hooks = createHooks();
    const judge = policy((register) => {
      const answer = ({ output }: TransformToolResult) =>
        output === 'bad' ? modify({ output: 'good' }) : proceed();
      register.on(TransformToolResult, answer, { id: 'judge', external: () => 'v1' });
    });
    hooks.use(judge);
    hooks.use(log);
    const { promise: later, resolve } = Promise.withResolvers<void>();
    hooks.on(AfterToolCall, async ({ session }) => {
      // The other call's result is transformed before this one is over.
      if (session.id === 'a') await later;
      else resolve();
      return proceed();
    });
    const call = (session: string, output: string) =>
      callTool(hooks, { session: hooks.session(session), toolName: 'search', input: {} }, () => output);
    await Promise.all([call('a', 'fine'), call('b', 'bad')]);
    await log.flush();
    expect(verdicts(await replay(store, judge))).toBe('2 same, 0 tightened, 0 loosened, 0 unknown');
  });

  it('whose output a new policy replaces or withholds is tightened', async () => {
    const store = await record(nothing, [{}]);
    const redacts = policy(
      (hooks) => void hooks.on(TransformToolResult, () => modify({ output: '[redacted]' })),
    );
    const withholds = policy((hooks) => void hooks.guard(AfterToolCall, () => block('No.')));
    expect((await replay(store, redacts)).calls).toMatchObject([
      { verdict: 'tightened', replayed: { gate: 'run', changed: 'output' } },
    ]);
    expect((await replay(store, withholds)).calls).toMatchObject([
      { verdict: 'tightened', replayed: { changed: 'withheld', reason: 'No.' } },
    ]);
    expect(verdicts(await replay(await record(redacts, [{}]), nothing))).toBe(
      '0 same, 0 tightened, 1 loosened, 0 unknown',
    );
    expect((await replay(await record(withholds, [{}]), withholds)).coverage.unknown).toEqual({
      'output-withheld': 1,
    });
  });
});

it('a limit by time counts recorded times', async () => {
  const store = await record(nothing, [{}, {}]);
  const times: number[] = [];
  const looks = policy((hooks) => void hooks.observe(BeforeToolCall, () => times.push(Date.now())));
  await replay(store, looks);
  const recorded: number[] = [];
  for await (const { record: one } of readJournal(store))
    if (one.type === 'hooks.before_tool_call') recorded.push(Date.parse(one.time));
  expect(times).toEqual(recorded);
});

describe('a hook that asks outside of the process', () => {
  const judge = (external: string, asked: () => void): HookProvider =>
    policy((hooks) => {
      const handler = ({ input }: BeforeToolCall) => {
        asked();
        return (input as { n: number }).n > 1 ? block('Too many.') : proceed();
      };
      hooks.guard(BeforeToolCall, handler, { id: 'judge', external: () => external });
    });

  it('answers from the record, and anew only where that is asked for', async () => {
    let asked = 0;
    const counted = judge('v1', () => void asked++);
    const store = await record(counted, [{}, { input: { n: 2 } }]);
    expect(asked).toBe(2);
    expect(verdicts(await replay(store, counted))).toBe('2 same, 0 tightened, 0 loosened, 0 unknown');
    expect(asked).toBe(2);
    expect(verdicts(await replay(store, counted, { live: true }))).toBe(
      '2 same, 0 tightened, 0 loosened, 0 unknown',
    );
    expect(asked).toBe(4);
    const other = await replay(
      store,
      judge('v2', () => {}),
    );
    expect(other.coverage).toMatchObject({ judged: 0, unknown: { external: 2 } });
  });

  it('whose answer on a result is not on record makes the call unknown', async () => {
    const looks = (external: string) =>
      policy((hooks) => {
        const options = { id: 'looks', external: () => external };
        hooks.on(TransformToolResult, () => proceed(), options);
      });
    const store = await record(looks('v1'), [{}]);
    expect(verdicts(await replay(store, looks('v1')))).toBe('1 same, 0 tightened, 0 loosened, 0 unknown');
    expect((await replay(store, looks('v2'))).coverage.unknown).toEqual({ external: 1 });
  });

  it('of a registry is refused', async () => {
    const hooks = createHooks();
    hooks.use(judge('v1', () => {}));
    await expect(replay(memoryStore(), hooks)).rejects.toMatchObject({ code: 'INVALID' });
  });
});

describe('a replay against the same policy', () => {
  const rule = fc.record({
    tool: fc.constantFrom('*', 'search', 'drop', 'pay'),
    from: fc.nat(6),
    does: fc.constantFrom(
      'nothing',
      'block',
      'require',
      'grant',
      'rewrite',
      'count',
      'context',
      'deny',
      'allow',
      'redact',
      'withhold',
      'retry',
      'throw',
    ),
  });
  type Rule = typeof rule extends fc.Arbitrary<infer R> ? R : never;

  const counter = sessionKey<number>('test/counter');

  /** Reads nothing that the journal does not hold. */
  const made = (rules: readonly Rule[]): HookProvider =>
    policy((hooks) => {
      for (const [index, { tool, from, does }] of rules.entries()) {
        const before = BeforeToolCall.matching(tool);
        const after = AfterToolCall.matching(tool);
        const meets = ({ input }: { readonly input: unknown }): boolean => (input as { n: number }).n >= from;
        const id = `${index}`;
        if (does === 'nothing') hooks.on(before, () => proceed({ note: 'looked' }), { id });
        if (does === 'block') hooks.guard(before, (call) => (meets(call) ? block('No.') : proceed()), { id });
        if (does === 'require')
          hooks.guard(before, (call) => (meets(call) ? requireApproval('Sure?') : proceed()), { id });
        if (does === 'grant')
          hooks.on(before, (call) => (meets(call) ? grantApproval('Fine.') : proceed()), { id });
        if (does === 'rewrite')
          hooks.on(before, (call) => (meets(call) ? modify({ input: { n: 0 } }) : proceed()), { id });
        if (does === 'context') hooks.on(before, () => modify({ context: ['be brief'] }), { id });
        if (does === 'count')
          hooks.guard(
            before,
            ({ session }) => {
              const count = (session.get(counter) ?? 0) + 1;
              session.set(counter, count);
              return count > from + 2 ? block('Too many.') : proceed();
            },
            { id },
          );
        if (does === 'throw')
          hooks.guard(
            before,
            (call) => {
              if (meets(call)) throw new Error('broken');
              return proceed();
            },
            { id },
          );
        if (does === 'deny')
          hooks.on(PermissionRequest.matching(tool), (call) => (meets(call) ? block('Never.') : proceed()), {
            id,
          });
        if (does === 'allow')
          hooks.on(
            PermissionRequest.matching(tool),
            (call) => (meets(call) ? grantApproval('Yes.') : proceed()),
            { id },
          );
        if (does === 'redact')
          hooks.on(
            TransformToolResult.matching(tool),
            (call) => (meets(call) ? modify({ output: '*' }) : proceed()),
            { id },
          );
        if (does === 'withhold')
          hooks.guard(after, (call) => (meets(call) ? block('No.') : proceed()), { id });
        if (does === 'retry')
          hooks.on(
            after,
            (call) => (call.ran && meets(call) && call.attempt < 2 ? retry('again') : proceed()),
            { id },
          );
      }
    });

  const call = fc.record({
    session: fc.constantFrom('a', 'b'),
    toolName: fc.constantFrom('search', 'drop', 'pay'),
    input: fc.record({ n: fc.nat(6) }),
    output: fc.string(),
    throws: fc.boolean(),
    answer: fc.constantFrom('allow' as const, 'deny' as const),
    native: fc.constant(false),
  });

  /** The calls in which a hook replaced a value: its journal does not hold what the hook saw. */
  async function withReplaced(store: Store): Promise<readonly string[]> {
    const calls: string[] = [];
    for await (const { record: one } of readJournal(store)) {
      const fields = one.hooks?.flatMap(({ decision }) => decision?.fields ?? []) ?? [];
      if (one.tool && (fields.includes('input') || fields.includes('output'))) calls.push(one.tool.callId);
    }
    return calls;
  }

  /** What is to be the same, byte for byte: who was asked, what each answered, what came of it. */
  async function decided(store: Store, calls: ReadonlySet<string>): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const { record: one, data } of readJournal(store)) {
      if (one.tool === undefined || calls.has(one.tool.callId)) continue;
      const { type, session, tool, decision, status, ran, attempt, approval } = one;
      const hooks = one.hooks?.map(({ durationMs: _, ...hook }) => hook);
      const { salt: __, ...values } = data ?? { salt: '' };
      lines.push(
        JSON.stringify({ type, session, tool, decision, status, ran, attempt, approval, hooks, values }),
      );
    }
    return lines;
  }

  it('is the same, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 6 }),
        fc.array(call, { maxLength: 8 }),
        async (rules, calls) => {
          const store = await record(made(rules), calls);
          const again = memoryStore();
          const log = journal({ store: again });
          const report = await replay(store, [made(rules), log]);
          await log.close();
          expect(report.calls.filter(({ verdict }) => verdict !== 'unknown')).toEqual([]);
          expect(['output-withheld']).toEqual(expect.arrayContaining(Object.keys(report.coverage.unknown)));
          const apart = new Set([
            ...report.calls.map(({ callId }) => callId),
            ...(await withReplaced(store)),
          ]);
          expect(await decided(again, apart)).toEqual(await decided(store, apart));
        },
      ),
      { numRuns: drawn(40) },
    );
  });

  it('finds a hook that answers otherwise each time', async () => {
    let answers = 0;
    const fickle = policy((hooks) => {
      hooks.guard(BeforeToolCall, () => (answers++ % 3 === 0 ? block('By chance.') : proceed()));
    });
    const store = await record(fickle, [{ session: 'a' }, { session: 'b' }]);
    const { summary } = await replay(store, fickle);
    expect(summary.tightened + summary.loosened).toBeGreaterThan(0);
  });
});

it('a prompt that a new policy refuses makes what follows unknown', async () => {
  const store = memoryStore();
  const log = journal({ store });
  const hooks = createHooks();
  hooks.use(log);
  const session = hooks.session('s');
  await hooks.dispatch(UserPromptSubmit, { session, prompt: 'drop it all' });
  await callTool(hooks, { session, toolName: 'drop', callId: 'c', input: {} }, () => 'done');
  await hooks.close();
  await log.close();
  const report = await replay(
    store,
    policy((register) => void register.on(UserPromptSubmit, () => block('Ask for less.'))),
  );
  expect(report.others).toMatchObject([
    { type: 'user_prompt_submit', recorded: 'proceed', replayed: 'block' },
  ]);
  expect(report.coverage.unknown).toEqual({ 'after-divergence': 1 });
});
