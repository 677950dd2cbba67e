// Two copies of core in one program understand each other: events are known by their type, decisions by their shape.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import * as one from '../src/index.ts';
import * as onePipeline from '../src/tool-call/index.ts';

const folder = temporaryFolder();
cpSync(new URL('../src', import.meta.url), folder, { recursive: true });
const two: typeof one = await import(join(folder, 'index.ts'));
const twoPipeline: typeof onePipeline = await import(join(folder, 'tool-call/index.ts'));

describe.each([
  ['hooks of the first, policy of the second', one, two],
  ['hooks of the second, policy of the first', two, one],
])('%s', (_, mine, theirs) => {
  it('are two copies', () => {
    expect(mine.createHooks).not.toBe(theirs.createHooks);
    expect(mine.proceed()).not.toBe(theirs.proceed());
  });

  it('obey each other', async () => {
    const hooks = mine.createHooks();
    const seen: string[] = [];
    hooks.on(theirs.BeforeToolCall.matching('exec'), ({ input }) => theirs.modify({ input: `${input}!` }));
    hooks.on(theirs.BeforeToolCall, () => theirs.proceed());
    hooks.guard(theirs.BeforeToolCall, ({ input }) =>
      input === 'rm!' ? theirs.block('no') : theirs.proceed(),
    );
    hooks.observe(theirs.ToolEvent, ({ type }) => seen.push(type));
    hooks.on(theirs.AfterToolCall, ({ attempt }) =>
      attempt === 1 ? theirs.retry('again') : theirs.proceed(),
    );
    // The pipeline may be of either copy as well.
    for (const { callTool } of [onePipeline, twoPipeline]) {
      const run = (input: string) =>
        callTool(hooks, { session: hooks.session('s'), toolName: 'exec', input }, (effective) => effective);
      expect(await run('ls')).toMatchObject({ status: 'ok', output: 'ls!', attempts: 2 });
      expect(await run('rm')).toMatchObject({ status: 'blocked', reason: 'no' });
    }
    expect(new Set(seen)).toEqual(
      new Set([
        'before_tool_call',
        'tool_approval_decision',
        'before_execute',
        'transform_tool_result',
        'after_tool_call',
      ]),
    );
  });

  it('share the values of a session under a shared key', async () => {
    const flag = theirs.sessionKey<string>('acme/flag', { shared: true });
    const [a, b] = [mine.createHooks(), theirs.createHooks()];
    b.on(theirs.BeforeToolCall, ({ session }) => {
      session.set(flag, 'found');
      return theirs.proceed();
    });
    for (const { callTool } of [onePipeline, twoPipeline]) {
      const session = a.session(crypto.randomUUID());
      await callTool([{ hooks: a }, { hooks: b }], { session, toolName: 'exec', input: {} }, () => 'ok');
      expect(session.get(flag)).toBe('found');
    }
  });

  it('read dates that the other has frozen, as data', async () => {
    const { principal } = theirs
      .createHooks()
      .session('s', { principal: { id: 'ann', ...{ since: new Date(7) } } });
    const hooks = mine.createHooks();
    const session = hooks.session('s', { principal });
    expect(session.principal).toEqual(principal);
    const call = { session, toolName: 'exec', input: { principal } };
    for (const { callTool } of [onePipeline, twoPipeline])
      expect(await callTool(hooks, call, () => 'ok')).toMatchObject({ status: 'ok' });
  });

  it('know each other’s errors and tools', () => {
    const copy = mine.markHooked({}, { name: 'exec' });
    expect(theirs.originalTool(copy)).toBe(mine.originalTool(copy));
    expect(mine.isHooksError(new theirs.HooksError('HOOK_FAILED', 'x'))).toBe(true);
  });
});
