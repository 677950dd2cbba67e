import { describe, expect, test } from 'vitest';
import {
  type AgentRun,
  Attachment,
  emulated,
  openRun,
  PausedRuns,
  sharedOptions,
} from '../src/adapter/index.ts';
import {
  addContext,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  requireApproval,
  UserPromptSubmit,
} from '../src/index.ts';

function asking(): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  return hooks;
}

/** A run that waits for approval of one call. */
async function paused(
  hooks: Hooks,
  options: Parameters<typeof openRun>[1] = {},
  input: unknown = 'ls',
): Promise<AgentRun> {
  const run = openRun(hooks, options);
  await run.begin();
  await run.beginTool(
    { callId: 'c', toolName: 'exec', input },
    { approval: 'native', capabilities: { ask: true } },
  );
  return run;
}

const ann = { id: 'ann', roles: ['admin'] };
const s1 = { sessionId: 's1', principal: ann };
const from = { sessionId: 's1', principal: ann, parent: undefined };
const own = { sessionId: undefined, principal: undefined, parent: undefined };

/** What resumes a run that these registries hook. */
function under(hooks: Hooks) {
  const supports = { adapter: '@acme/adapter', events: { before_tool_call: { fires: emulated() } } };
  const declaration = { of: 'attach', takes: sharedOptions, supports };
  return { hookedBy: Attachment.of<undefined, object>(hooks, {}, declaration), signal: undefined };
}

describe('a paused run', () => {
  test('resumes once, in its session and for its principal', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const run = await paused(hooks, s1);
    runs.keep(run, ['a', 'b']);
    expect(run.paused).toBe(true);
    for (const [other, why] of [
      [{ ...from, sessionId: 's2' }, 'other_place'],
      [{ ...from, sessionId: undefined }, 'other_place'],
      [{ ...from, principal: { id: 'bob' } }, 'other_principal'],
      [{ ...from, principal: { id: 'ann' } }, 'other_principal'],
      [{ ...from, principal: { ...ann, tenant: 't' } }, 'other_principal'],
      [{ ...from, sessionId: 's2', principal: { id: 'bob' } }, 'other_principal'],
      [{ ...from, parent: run }, 'other_place'],
    ] as const) {
      expect(runs.resume(['a', 'b'], { ...other, ...under(hooks) })).toEqual({ why });
      expect(runs.whyNot(['nobody', 'a'], other)).toBe(why);
    }
    expect(runs.whyNot(['nobody', 'a'], from)).toBeUndefined();
    expect(runs.resume(['nobody'], { ...from, ...under(hooks) })).toEqual({ why: 'unknown' });
    expect(runs.resume(['nobody', 'b'], { ...from, ...under(hooks) }).run).toBe(run);
    expect(run.paused).toBe(false);
    expect(runs.resume(['a'], { ...from, ...under(hooks) })).toEqual({ why: 'unknown' });
  });

  test('is forgotten once it goes on under other hooks, which nobody but its owner can cause', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const run = await paused(hooks, s1);
    runs.keep(run, ['a']);
    const bob = { ...from, principal: { id: 'bob' } };
    expect(runs.resume(['a'], { ...bob, ...under(asking()) })).toEqual({ why: 'other_principal' });
    expect(runs.find(['a'], from)).toBe(run);
    expect(runs.resume(['a'], { ...from, ...under(asking()) })).toEqual({ why: 'other_hooks' });
    expect(runs.resume(['a'], { ...from, ...under(hooks) })).toEqual({ why: 'unknown' });
  });

  test('is kept once: by the keys that it was kept under last', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const run = await paused(hooks);
    runs.keep(run, ['a', 'b']);
    runs.keep(run, ['b', 'c']);
    expect(runs.peek('a')).toBeUndefined();
    expect(runs.resume(['c'], { ...own, ...under(hooks) }).run).toBe(run);
    expect(runs.resume(['a', 'b'], { ...own, ...under(hooks) })).toEqual({ why: 'unknown' });
  });

  test('whose session has closed is not kept', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const run = await paused(hooks, s1);
    await hooks.session('s1').close();
    runs.keep(run, ['a']);
    expect(runs.peek('a')).toBeUndefined();
  });

  test('has the signal of the request that resumes it', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    runs.keep(await paused(hooks), ['a']);
    const { signal } = new AbortController();
    expect(runs.resume(['a'], { ...own, ...under(hooks), signal }).run?.signal).toBe(signal);
  });

  test('is found by an object alone, or by an id within an object', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const [state, session, other] = [{}, {}, {}];
    const [ofState, ofSession] = [await paused(hooks), await paused(hooks)];
    runs.keep(ofState, [{ of: state }]);
    runs.keep(ofSession, [{ of: session, id: 'call' }]);
    for (const key of [{ of: session }, { of: other }, { of: other, id: 'call' }, 'call', ''])
      expect(runs.peek(key)).toBeUndefined();
    expect(runs.resume([{ of: state }], { ...own, ...under(hooks) }).run).toBe(ofState);
    expect(runs.resume([{ of: session, id: 'call' }], { ...own, ...under(hooks) }).run).toBe(ofSession);
  });

  test('is forgotten once other runs have all its keys, and under all keys when it is over', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const parent = openRun(hooks);
    const [first, second] = [await paused(hooks, { parent }), await paused(hooks, { parent })];
    runs.keep(first, ['a', 'b']);
    runs.keep(second, ['b', 'c']);
    expect(['a', 'b', 'c'].map((key) => runs.peek(key))).toEqual([first, second, second]);
    runs.keep(second, ['a', 'b', 'c']);
    expect(runs.childrenOf(parent)).toEqual([second]);
    runs.forget('c');
    expect(runs.peek('b')).toBeUndefined();
  });

  test('of another principal is the reason, if another key finds a run of another place', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    runs.keep(await paused(hooks, { ...s1, sessionId: 's2' }), ['elsewhere']);
    runs.keep(await paused(hooks, { ...s1, principal: { id: 'bob' } }), ['bob']);
    expect(runs.whyNot(['elsewhere', 'bob'], from)).toBe('other_principal');
    expect(runs.whyNot(['elsewhere'], from)).toBe('other_place');
  });

  test('is among those that its parent has started', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const parent = openRun(hooks);
    const child = await paused(hooks, { parent });
    runs.keep(parent, ['a']);
    runs.keep(child, ['b']);
    expect(runs.childrenOf(parent)).toEqual([child]);
    expect(runs.childrenOf(child)).toEqual([]);
  });

  test('of a session of its own resumes for its principal only', async () => {
    const runs = new PausedRuns();
    const run = await paused(asking(), { principal: ann });
    runs.keep(run, ['a']);
    expect(runs.find(['a'], own)).toBeUndefined();
    expect(runs.find(['a'], { ...own, principal: ann })).toBe(run);
  });

  test('does not resume for a request without a principal, unless the session has the same', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    const run = await paused(hooks, s1);
    runs.keep(run, ['a']);
    expect(runs.find(['a'], { ...from, principal: undefined })).toBeUndefined();
    hooks.session('s2', { principal: ann });
    const ofSession = await paused(hooks, { sessionId: 's2' });
    runs.keep(ofSession, ['b']);
    for (const principal of [undefined, ann])
      expect(runs.find(['b'], { ...from, sessionId: 's2', principal })).toBe(ofSession);
    expect(runs.find(['b'], { ...from, sessionId: 's2', principal: { id: 'bob' } })).toBeUndefined();
  });

  test('is forgotten when its session closes', async () => {
    const hooks = asking();
    const runs = new PausedRuns();
    runs.keep(await paused(hooks, s1), ['a']);
    await hooks.session('s1').close();
    expect(runs.peek('a')).toBeUndefined();
  });

  test('is forgotten when there are too many, the oldest first, and ends', async () => {
    const runs = new PausedRuns({ max: 2 });
    const [first, second, third] = [await paused(asking()), await paused(asking()), await paused(asking())];
    for (const [nth, run] of [first, second, third].entries()) runs.keep(run, [`a${nth}`]);
    expect(['a0', 'a1', 'a2'].map((id) => runs.peek(id))).toEqual([undefined, second, third]);
    expect(first.over).toBe(true);
  });

  test('that is over and kept for its thread does not wait, and is forgotten when there are too many', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => addContext('kept'));
    const runs = new PausedRuns({ max: 1 });
    const run = openRun(hooks, { sessionId: 's1' });
    await run.begin();
    await run.submit([{ text: 'go' }]);
    expect(run.takeContext()).toEqual(['kept']);
    await run.end({ kind: 'done' }, { keep: true });
    runs.keep(run, ['a']);
    expect(run.paused).toBe(false);
    runs.keep(await paused(asking()), ['b']);
    expect([runs.peek('a'), run.takeContext()]).toEqual([undefined, []]);
  });

  test('that a hook has ended is not ended any more when its thread goes on', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('No.', { stop: true }));
    const runs = new PausedRuns();
    const run = openRun(hooks, s1);
    await run.begin();
    await run.callTool({ toolName: 'exec', input: 'ls' }, () => 'a.txt');
    await run.end({ kind: 'done' }, { keep: true });
    runs.keep(run, ['a']);
    expect(run.stop).toMatchObject({ reason: 'No.' });
    // It waits for nobody, so that another user's request begins a run of its own.
    const bob = { ...from, principal: { id: 'bob' } };
    expect(runs.resume(['a'], { ...bob, ...under(hooks) })).toEqual({ why: 'unknown' });
    expect(runs.resume(['a'], { ...from, ...under(hooks) }).run?.stop).toBeUndefined();
    expect(run.over).toBe(false);
  });

  test('is forgotten when what waits is too large', async () => {
    const runs = new PausedRuns({ maxSize: 1_000 });
    const [first, second] = [
      await paused(asking(), {}, 'x'.repeat(800)),
      await paused(asking(), {}, 'x'.repeat(800)),
    ];
    runs.keep(first, ['a']);
    runs.keep(second, ['b']);
    expect(['a', 'b'].map((id) => runs.peek(id))).toEqual([undefined, second]);
    runs.forget('b');
    runs.keep(first, ['a']);
    expect(runs.peek('a')).toBe(first);
  });
});

test('a call that waits for one principal is a new one for another', async () => {
  const hooks = createHooks();
  const judged: (string | undefined)[] = [];
  hooks.on(BeforeToolCall, ({ principal }) => {
    judged.push(principal?.id);
    return requireApproval('sure?');
  });
  await paused(hooks, s1);
  await paused(hooks, { sessionId: 's1', principal: { id: 'bob' } });
  expect(judged).toEqual(['ann', 'bob']);
});
