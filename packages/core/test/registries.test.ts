import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  SessionStart,
  sessionKey,
  ToolApprovalDecision,
} from '../src/index.ts';
import { type Attached, callTool } from '../src/tool-call/index.ts';
import { target } from './support/call.ts';

const seenKey = sessionKey<string[]>('test/seen');

/** Two registries around the tool `exec`, which echoes its input, and what their hooks saw. */
function stage() {
  const [outer, inner] = [createHooks(), createHooks()];
  const seen: string[] = [];
  const ran: unknown[] = [];
  const note =
    (name: string) =>
    ({ input }: { readonly input: unknown }) => {
      seen.push(`${name} ${input}`);
      return proceed();
    };
  for (const [name, hooks] of Object.entries({ outer, inner })) {
    hooks.on(BeforeToolCall, note(`${name} on`));
    hooks.guard(BeforeToolCall, note(`${name} guard`));
    hooks.on(AfterToolCall, note(`${name} after`));
  }
  const run = (registries: readonly Attached[] = [{ hooks: outer }, { hooks: inner }]) =>
    callTool(
      registries,
      { session: (registries[0] as Attached).hooks.session('s'), toolName: 'exec', callId: 'c', input: 'ls' },
      (input) => {
        ran.push(input);
        return input;
      },
    );
  return { outer, inner, seen, ran, run };
}

const sendTo = (hooks: Hooks, input: unknown) => hooks.on(BeforeToolCall, () => modify({ input }));

describe('several registries around one call', () => {
  it('are one chain: interceptors from outside inwards, guards of all on the final input, after-events outwards', async () => {
    const { inner, seen, ran, run } = stage();
    sendTo(inner, 'pwd');
    expect(await run()).toMatchObject({ status: 'ok', input: 'pwd', output: 'pwd' });
    expect(ran).toEqual(['pwd']);
    expect(seen).toEqual([
      'outer on ls',
      'inner on ls',
      'outer guard pwd',
      'inner guard pwd',
      'inner after pwd',
      'outer after pwd',
    ]);
  });

  it('run nothing that a guard of any of them refuses', async () => {
    for (const who of ['outer', 'inner'] as const) {
      const all = stage();
      sendTo(all.inner, 'rm');
      all[who].guard(BeforeToolCall, ({ input }) => (input === 'rm' ? block('no rm') : proceed()));
      expect(await all.run()).toMatchObject({ status: 'blocked', reason: 'no rm', input: 'rm' });
      expect(all.ran).toEqual([]);
    }
  });

  it('each see the session of their own registry, and the name that they have for the tool', async () => {
    const outer = createHooks({ aliases: { exec: 'shell' } });
    const inner = createHooks();
    const seen: unknown[] = [];
    for (const hooks of [outer, inner]) {
      hooks.on(SessionStart, ({ session }) => {
        session.set(seenKey, ['opened']);
        return proceed();
      });
      hooks.guard(BeforeToolCall, ({ session, toolName }) => {
        seen.push([session === hooks.session('s'), session.get(seenKey), toolName]);
        return proceed();
      });
    }
    outer.guard(BeforeToolCall.matching('shell'), () => (seen.push('shell'), proceed()));
    const registries = [{ hooks: outer }, { hooks: inner }];
    const call = { session: outer.session('s'), toolName: 'exec', input: 'ls' };
    expect(await callTool(registries, call, () => 'out')).toMatchObject({ status: 'ok' });
    expect(seen).toEqual([[true, ['opened'], 'shell'], 'shell', [true, ['opened'], 'exec']]);
    expect([outer, inner].map((hooks) => hooks.session('s').history.length)).toEqual([1, 1]);
  });

  it('show all guards and observers of a registry one event', async () => {
    const { outer, inner, run } = stage();
    for (const hooks of [outer, inner]) {
      const events: unknown[] = [];
      const look = (event: unknown) => {
        events.push(event);
        return proceed();
      };
      hooks.guard(BeforeToolCall, look);
      hooks.guard(BeforeToolCall, look);
      hooks.observe(BeforeToolCall, look);
      await run();
      expect(events).toHaveLength(3);
      expect(new Set(events).size).toBe(1);
    }
  });

  it('trace and report their own hooks only', async () => {
    const { outer, inner, run } = stage();
    const heard: string[] = [];
    for (const [name, hooks] of Object.entries({ outer, inner })) {
      hooks.trace(({ event, hooks: asked }) => {
        if (event.type === 'before_tool_call') heard.push(`${name} traced ${asked.length}`);
      });
      hooks.onError(({ hook }) => heard.push(`${name} failed ${hook}`));
    }
    inner.guard(
      BeforeToolCall,
      () => {
        throw new Error('broken');
      },
      { id: 'broken' },
    );
    expect(await run()).toMatchObject({ status: 'blocked', by: 'broken' });
    expect(heard).toEqual(['inner failed broken', 'outer traced 2', 'inner traced 3']);
  });

  it('run the tool again where any of them wants it, and ask nobody twice before', async () => {
    for (const who of ['outer', 'inner'] as const) {
      const all = stage();
      all[who].on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()));
      expect(await all.run()).toMatchObject({ status: 'ok', attempts: 2 });
      expect(all.seen.filter((what) => what.includes('guard'))).toHaveLength(2);
    }
  });

  it('that require approval are answered by their own approver, else by the next one further out, each once', async () => {
    const asked: string[] = [];
    const approver =
      (name: string): Approver =>
      ({ input }) => {
        asked.push(`${name} ${input}`);
        return { decision: 'allow' };
      };
    const [own, further] = [approver('own'), approver('further')];
    const cases: readonly [readonly (Approver | undefined)[], readonly ('outer' | 'inner')[], string[]][] = [
      [[further, own], ['inner'], ['own ls']],
      [[further, undefined], ['inner'], ['further ls']],
      [
        [further, own],
        ['outer', 'inner'],
        ['further ls', 'own ls'],
      ],
      [[further, further], ['outer', 'inner'], ['further ls']],
    ];
    for (const [approvals, requiring, expected] of cases) {
      asked.length = 0;
      const { outer, inner, run } = stage();
      const decided: string[] = [];
      outer.observe(ToolApprovalDecision, ({ approval }) => decided.push(approval));
      for (const who of requiring) ({ outer, inner })[who].guard(BeforeToolCall, () => requireApproval(who));
      const registries = [outer, inner].map((hooks, at) => ({ hooks, approval: approvals[at] }));
      expect(await run(registries)).toMatchObject({ status: 'ok' });
      expect(asked).toEqual(expected);
      expect(decided).toEqual(['allow']);
    }
  });

  it('that say `deny` are not answered by anybody further out', async () => {
    const { outer, inner, ran, run } = stage();
    inner.guard(BeforeToolCall, () => requireApproval('sure?'));
    const registries = [
      { hooks: outer, approval: () => ({ decision: 'allow' }) as const },
      { hooks: inner, approval: 'deny' as const },
    ];
    expect(await run(registries)).toMatchObject({ status: 'denied' });
    expect(ran).toEqual([]);
  });

  it('that require approval where nobody further out approves are denied', async () => {
    const { outer, inner, ran, run } = stage();
    outer.guard(BeforeToolCall, () => requireApproval('sure?'));
    const registries = [{ hooks: outer }, { hooks: inner, approval: () => ({ decision: 'allow' }) as const }];
    expect(await run(registries)).toMatchObject({ status: 'denied' });
    expect(ran).toEqual([]);
  });

  it('show an approver what another has put in place of the input, and guards of all what was put there', async () => {
    const { outer, inner, seen, ran, run } = stage();
    const shown: unknown[] = [];
    for (const hooks of [outer, inner]) hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    const further: Approver = ({ input }) => {
      shown.push(input);
      return { decision: 'allow' };
    };
    const own: Approver = () => ({ decision: 'allow', input: 'pwd' });
    const registries = [
      { hooks: outer, approval: further },
      { hooks: inner, approval: own },
    ];
    expect(await run(registries)).toMatchObject({ status: 'ok', input: 'pwd' });
    expect(shown).toEqual(['ls', 'pwd']);
    expect(ran).toEqual(['pwd']);
    expect(seen.filter((what) => what.endsWith('guard pwd'))).toEqual(['outer guard pwd', 'inner guard pwd']);
  });

  it('ask the hooks of PermissionRequest of all, and any no wins over any grant', async () => {
    const { outer, inner, ran, run } = stage();
    outer.guard(BeforeToolCall, () => requireApproval('sure?'));
    outer.on(PermissionRequest, () => modify({ approval: { kind: 'granted', reason: 'fine' } }));
    inner.guard(PermissionRequest, () => block('not here'));
    expect(await run()).toMatchObject({ status: 'denied', reason: 'not here' });
    expect(ran).toEqual([]);
  });

  it('rename by the names of the registry whose hook says so, and the guards are those of the new tool', async () => {
    const outer = createHooks();
    const inner = createHooks({ aliases: { safe_exec: 'safe' } });
    inner.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'safe' }));
    const guarded: string[] = [];
    for (const [pattern, hooks] of [
      ['exec', outer],
      ['safe_exec', outer],
      ['safe', inner],
    ] as const)
      hooks.guard(BeforeToolCall.matching(pattern), ({ toolName }) => (guarded.push(toolName), proceed()));
    const outcome = await callTool(
      [{ hooks: outer }, { hooks: inner }],
      { session: outer.session('s'), toolName: 'exec', input: 'ls' },
      () => 'exec',
      { rename: (name) => (name === 'safe_exec' ? target(name, () => 'safely') : undefined) },
    );
    expect(outcome).toMatchObject({ status: 'ok', output: 'safely', toolName: 'safe_exec' });
    expect(guarded).toEqual(['safe_exec', 'safe']);
  });

  it('count once each, and at least one is needed', async () => {
    const { outer, seen, run } = stage();
    expect(await run([{ hooks: outer }, { hooks: outer }])).toMatchObject({ status: 'ok' });
    expect(seen).toEqual(['outer on ls', 'outer guard ls', 'outer after ls']);
    const call = { session: outer.session('s'), toolName: 'exec', input: 'ls' };
    await expect(callTool([], call, () => 'ran')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'a tool call needs at least one registry',
    });
  });
});
