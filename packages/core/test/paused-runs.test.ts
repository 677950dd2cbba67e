import { describe, expect, test } from 'vitest';
import { type AgentRun, openRun, PausedRuns } from '../src/adapter/index.ts';
import { BeforeToolCall, createHooks, type Hooks, requireApproval } from '../src/index.ts';

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

describe('a paused run', () => {
  test('resumes once, in its session and for its principal', async () => {
    const runs = new PausedRuns();
    const run = await paused(asking(), s1);
    runs.keep(run, ['a', 'b']);
    for (const other of [
      { ...from, sessionId: 's2' },
      { ...from, sessionId: undefined },
      { ...from, principal: { id: 'bob' } },
      { ...from, principal: { id: 'ann' } },
      { ...from, principal: { ...ann, tenant: 't' } },
      { ...from, parent: run },
    ])
      expect(runs.take(['a', 'b'], other)).toBeUndefined();
    expect(runs.take(['nobody', 'b'], from)).toBe(run);
    expect(runs.take(['a'], from)).toBeUndefined();
  });

  test('of a session of its own resumes for its principal only', async () => {
    const runs = new PausedRuns();
    const run = await paused(asking(), { principal: ann });
    runs.keep(run, ['a']);
    const own = { sessionId: undefined, parent: undefined };
    expect(runs.find(['a'], { ...own, principal: undefined })).toBeUndefined();
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

  test('is forgotten when what waits is too large', async () => {
    const runs = new PausedRuns({ maxSize: 1_000 });
    const [first, second] = [
      await paused(asking(), {}, 'x'.repeat(800)),
      await paused(asking(), {}, 'x'.repeat(800)),
    ];
    runs.keep(first, ['a']);
    runs.keep(second, ['b']);
    expect(['a', 'b'].map((id) => runs.peek(id))).toEqual([undefined, second]);
    runs.take(['b'], { sessionId: undefined, principal: undefined, parent: undefined });
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
