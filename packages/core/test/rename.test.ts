import {
  AfterToolCall,
  type ApprovalRequest,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  type RenameTarget,
  requireApproval,
  ToolEvent,
} from '@hooks/core';
import {
  Attachment,
  type AttachOptions,
  emulated,
  noteHookedAgain,
  openRun,
  sharedOptions,
} from '@hooks/core/adapter';
import { beginToolCall, callTool } from '@hooks/core/tool-call';
import { describe, expect, test } from 'vitest';
import { call, target } from './support/call.ts';

const approver = () => ({ decision: 'allow' }) as const;
const supports = { adapter: '@acme/adapter', events: { before_tool_call: { fires: emulated() } } };

type Place = Attachment<never, AttachOptions>;

function attach(hooks: Hooks, options: AttachOptions = {}): Place {
  return Attachment.of<never, AttachOptions>(hooks, options, {
    of: 'attach',
    takes: sharedOptions,
    supports,
  });
}

/** A registry that renames each call of `exec` to `safe`. */
function renaming(toolName = 'safe'): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName }), { id: 'renamer' });
  return hooks;
}

describe('a call that a hook renames', () => {
  test.each<[string, Partial<RenameTarget>, string]>([
    [
      'has something that the framework would enforce',
      { unenforced: 'has a timeout' },
      '"safe" has a timeout',
    ],
    [
      'has hooks of another registry',
      { registries: createHooks() },
      '"safe" has hooks of other registries, which would not be asked',
    ],
  ])('does not run where its tool %s, and the reason says so', async (_what, over, reason) => {
    const rename = (name: string) => target(name, () => 'safe ran', over);
    const outcome = await call(renaming(), { rename });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false, by: 'renamer' });
    expect(outcome.reason).toContain(reason);
    expect(outcome).not.toHaveProperty('renamedTo');
  });

  test('does not run where its tool was hooked once more, by hooks of which the list does not know', async () => {
    const [hooked, other] = [{}, {}];
    const ran = async () => {
      const rename = (name: string) => target(name, () => 'safe ran', { hooked });
      return call(renaming(), { rename });
    };
    noteHookedAgain(other);
    expect(await ran()).toMatchObject({ status: 'ok', output: 'safe ran' });
    noteHookedAgain(hooked);
    expect((await ran()).reason).toContain('"safe" was hooked again since');
  });

  describe('runs a tool that the same registries decide on in the same way', () => {
    const principal = () => ({ id: 'ann' });
    const [outer, middle] = [renaming(), createHooks()];
    const mine = attach(outer, { approval: approver, principal }).around(attach(middle));

    async function renamedTo(place: Place, of: Place = mine) {
      const about = { session: outer.session('s'), toolName: 'exec', input: 'ls' };
      const rename = (name: string) => target(name, () => 'safe ran', { registries: place.attached() });
      const { output, reason = output } = await callTool(of.attached(), about, () => 'exec ran', { rename });
      return reason;
    }

    test.each<[string, Place]>([
      ['all of them', mine],
      ['one of them', attach(outer, { approval: approver, principal })],
      ['none', Attachment.none],
      ['all of them, and opts out of holding what it streams', attach(middle, { holdStream: false })],
    ])('with %s', async (_which, place) => {
      expect(await renamedTo(place)).toBe('safe ran');
    });

    test.each<[string, AttachOptions]>([
      ['another approval', { approval: 'deny', principal }],
      ['another principal', { approval: approver, principal: () => ({ id: 'bob' }) }],
      ['no principal', { approval: approver }],
      ['no options', {}],
    ])('but none with %s', async (_which, options) => {
      expect(await renamedTo(attach(outer, options).around(attach(middle)))).toContain(
        '"safe" is hooked with other options, which would not count',
      );
    });

    test('but none that holds back what the call streams', async () => {
      const loose = attach(outer, { holdStream: false });
      expect(await renamedTo(attach(outer), loose)).toContain('with other options');
    });

    test('where an adapter has other approvers stand for those of the options', async () => {
      const run = openRun(mine.attached(() => 'deny'));
      const rename = (name: string) => target(name, () => 'safe ran', { registries: mine.attached() });
      const inner = mine.attached(() => approver);
      expect(
        await run.callTool({ toolName: 'exec', input: 'ls' }, () => 'exec ran', { inner, rename }),
      ).toMatchObject({ output: 'safe ran' });
    });
  });

  test.each(['pay', 'mcp__shop__pay'])(
    'asks the guards of the name that its framework has for the tool that a hook calls %s',
    async (spelled) => {
      const hooks = renaming(spelled);
      hooks.guard(BeforeToolCall.matching('mcp__shop__pay'), () => block('Nobody pays.'));
      const rename = () => target('mcp__shop__pay', () => 'paid');
      expect(await call(hooks, { rename })).toMatchObject({
        reason: 'Nobody pays.',
        renamedTo: 'mcp__shop__pay',
      });
    },
  );

  test.each([
    ['ran elsewhere', () => modify({ execute: () => 'exec ran in a sandbox' })],
    ['answered', () => answer('the answer of exec')],
  ])(
    'is refused where a hook before has the call %s: that was for the tool of its name',
    async (_what, replace) => {
      const hooks = renaming();
      const replacing = BeforeToolCall.matching('exec');
      hooks.on(replacing, replace, { id: 'first', priority: 1 });
      hooks.guard(replacing, () => block('Nobody runs exec.'));
      const rename = (name: string) => target(name, () => 'safe ran');
      const outcome = await call(hooks, { rename });
      expect(outcome).toMatchObject({ status: 'blocked', ran: false, by: 'renamer' });
      expect(outcome.reason).toContain('already replaced what the call runs');
      // Behind the renaming, it is for the new tool.
      hooks.remove('first');
      hooks.on(BeforeToolCall.matching('safe'), replace);
      expect(await call(hooks, { rename })).toMatchObject({ status: 'ok', renamedTo: 'safe' });
    },
  );

  test('becomes one of another tool of the agent also where aliases make both one for the hooks', async () => {
    const hooks = createHooks({ aliases: { bash: 'exec', boxed: 'exec' } });
    hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'boxed' }));
    const rename = (name: string) =>
      name === 'bash' || name === 'boxed' ? target(name, () => `${name} ran`) : undefined;
    const bash = { toolName: 'bash', execute: () => 'bash ran', rename };
    expect(await call(hooks, bash)).toMatchObject({
      output: 'boxed ran',
      renamedTo: 'boxed',
      toolName: 'exec',
    });
    // A yes to one of them is no yes to the other.
    hooks.on(BeforeToolCall.matching('exec'), () => requireApproval('sure?'));
    const capabilities = (name: string) => ({
      ask: true,
      rename: (spelled: string) => rename(spelled === 'boxed' ? name : spelled),
    });
    const about = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
    const [one, other] = await Promise.all(
      ['bash', 'boxed'].map((name) =>
        beginToolCall(
          hooks,
          { ...about, callId: name },
          { approval: 'native', capabilities: capabilities(name) },
        ),
      ),
    );
    expect(Reflect.get(Object(one), 'request').hash).not.toBe(Reflect.get(Object(other), 'request').hash);
  });

  test('to another spelling of its own tool stays a call of that, with its schema', async () => {
    const rename = () => target('exec', () => 'exec ran otherwise');
    const outcome = await call(renaming('mcp__box__exec'), { rename });
    expect(outcome).toMatchObject({ output: 'ls', toolName: 'exec' });
    expect(outcome).not.toHaveProperty('renamedTo');
  });

  test('tells from then on which tool runs, and with which objects of the framework', async () => {
    const hooks = renaming();
    hooks.on(BeforeToolCall.matching('safe'), () => requireApproval('sure?'));
    const told: unknown[] = [];
    hooks.observe(ToolEvent, ({ type, renamedTo, native }) => void told.push([type, renamedTo, native]));
    const rename = (name: string) => target(name, () => 'safe ran', { native: 'of safe' });
    expect(await call(hooks, { native: 'of exec', rename, approval: approver })).toMatchObject({
      renamedTo: 'safe',
      toolName: 'safe',
    });
    expect(told).toEqual(
      [
        'before_tool_call',
        'permission_request',
        'tool_approval_decision',
        'before_execute',
        'transform_tool_result',
        'after_tool_call',
      ].map((type) => [type, 'safe', 'of safe']),
    );
    const begun = await beginToolCall(
      hooks,
      { session: hooks.session('s'), toolName: 'exec', callId: 'c1', input: 'ls' },
      { capabilities: { rename, ask: true }, approval: 'native' },
    );
    expect(begun).toMatchObject({ token: { toolName: 'safe', nativeToolName: 'exec', renamedTo: 'safe' } });
  });

  test('shows an approver, and a pending approval, what the model called and what would run', async () => {
    const hooks = createHooks({ aliases: { safe_exec: 'safe' } });
    hooks.on(BeforeToolCall.matching('exec|read'), ({ toolName }) =>
      toolName === 'exec' ? modify({ toolName: 'safe' }) : proceed(),
    );
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    const asked: unknown[] = [];
    const asking = (request: ApprovalRequest) => {
      const { toolName, renamedTo, nativeToolName } = request;
      asked.push([toolName, renamedTo, nativeToolName]);
      return approver();
    };
    const rename = (name: string) => (name === 'safe_exec' ? target(name, () => 'safe ran') : undefined);
    await call(hooks, { rename, approval: asking });
    await call(hooks, { toolName: 'read', rename, approval: asking });
    expect(asked).toEqual([
      ['safe', 'safe_exec', 'exec'],
      ['read', undefined, undefined],
    ]);
    const run = openRun(hooks);
    const about = { toolName: 'exec', callId: 'c1', input: 'ls' };
    await run.beginTool(about, { capabilities: { rename, ask: true }, approval: 'native' });
    expect(run.pending.waiting).toMatchObject([
      { toolName: 'safe', renamedTo: 'safe_exec', nativeToolName: 'exec' },
    ]);
    await run.end({ kind: 'canceled' });
  });

  test('says of no tool that it runs in place of the called one where it was not renamed', async () => {
    const hooks = createHooks();
    hooks.guard(AfterToolCall, (event) => (expect(event).not.toHaveProperty('renamedTo'), proceed()));
    expect(await call(hooks)).not.toHaveProperty('renamedTo');
  });

  test('and that has paused does not resume where its tool is hooked otherwise by now', async () => {
    const hooks = renaming();
    hooks.on(PermissionRequest, () => proceed());
    hooks.on(BeforeToolCall.matching('safe'), () => requireApproval('sure?'));
    const pause = new Error('paused');
    const isControlFlow = (error: unknown) => error === pause;
    const same = { callId: 'c1', run: 'r' };
    const rename = (over: Partial<RenameTarget>) => (name: string) => target(name, () => 'safe ran', over);
    const pausing = () => Promise.reject(pause);
    for (const [id, over, reason] of [
      ['c1', { registries: createHooks() }, 'hooks of other registries'],
      ['c2', { unenforced: 'asks for approval by now' }, '"safe" asks for approval by now'],
    ] as const) {
      const one = { ...same, callId: id };
      await expect(
        call(hooks, { ...one, approval: pausing, isControlFlow, rename: rename({}) }),
      ).rejects.toBe(pause);
      const outcome = await call(hooks, { ...one, approval: approver, rename: rename(over) });
      expect(outcome).toMatchObject({ status: 'blocked', ran: false });
      expect(outcome.reason).toContain(reason);
    }
  });
});

describe('a tool that may run in place of another', () => {
  test('says each thing that a call of it by the model would meet, or it does not compile', () => {
    const whole = target('safe', () => 'x');
    const { check: _check, ...unchecked } = whole;
    const { unenforced: _unenforced, ...unsaid } = whole;
    const { registries: _registries, ...unhooked } = whole;
    const { tool: _tool, ...undescribed } = whole;
    const { native: _native, ...alien } = whole;
    const { name: _name, ...nameless } = whole;
    // @ts-expect-error: it says how its inputs are checked
    const targets: RenameTarget[] = [unchecked];
    // @ts-expect-error: or that it checks them itself, not nothing
    targets.push({ ...whole, check: undefined });
    // @ts-expect-error: what the framework enforces
    targets.push(unsaid);
    // @ts-expect-error: who hooks it
    targets.push(unhooked);
    // @ts-expect-error: what hooks see of it
    targets.push(undescribed);
    // @ts-expect-error: the framework's objects
    targets.push(alien);
    // @ts-expect-error: the name that guards match
    targets.push(nameless);
    expect(targets).toHaveLength(7);
  });
});
