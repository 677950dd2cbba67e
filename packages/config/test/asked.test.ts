import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AgentSwitch,
  createHooks,
  SessionEnd,
  type SessionEnd as SessionEnded,
  SessionStart,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dispatchEvent, type LoadedHooks, type LoadOptions, loadHooks } from '../src/index.ts';

/** Hooks that run without an agent: one by one, with injected faults, or on an event of another process. */

async function load(hooks: object, options: LoadOptions = {}): Promise<LoadedHooks> {
  const loaded = await loadHooks(hooks, { onWarning: () => {}, ...options });
  onTestFinished(() => loaded[Symbol.dispose]());
  return loaded;
}

const says = (json: object) => ({ type: 'command', command: `echo '${JSON.stringify(json)}'` });

describe('explain', () => {
  const call = (toolName: string) => ({
    type: 'before_tool_call' as const,
    session: createHooks().session(),
    callId: '1',
    toolName,
    nativeToolName: toolName,
    input: { cmd: 'rm -rf /' },
  });

  test('explain runs each hook of an event by itself, in the order of the file', async () => {
    const loaded = await load({
      hooks: {
        before_tool_call: [
          { type: 'command', name: 'first', command: 'echo no >&2; exit 2' },
          { type: 'builtin', name: 'second', command: 'command_safety' },
          { matcher: 'read', hooks: [{ type: 'command', name: 'other tool', command: 'exit 2' }] },
          { type: 'command', name: 'third', command: 'true' },
        ],
        stop: [{ type: 'command', name: 'other event', command: 'exit 2' }],
      },
    });
    const explained = await loaded.explain(call('shell'));
    expect(explained.map(({ entry, says }) => [entry.label, says])).toEqual([
      ['first', expect.objectContaining({ kind: 'block', reason: 'no' })],
      ['second', expect.objectContaining({ kind: 'block' })],
      ['third', { kind: 'proceed' }],
    ]);
  });

  test('explain tells why a hook fails, and whether that closes the gate', async () => {
    const loaded = await load({
      hooks: {
        before_tool_call: [
          { type: 'command', command: 'exit 3' },
          { type: 'command', command: 'exit 3', on_error: 'ignore' },
        ],
      },
    });
    expect((await loaded.explain(call('shell'))).map(({ says }) => says)).toEqual([
      { failed: expect.stringContaining('exit code 3'), closes: true },
      { failed: expect.stringContaining('exit code 3'), closes: false },
    ]);
  });

  test('a hook that only Claude Code can run fails, and the reason tells what to use instead', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Fine?' }] }] };
    const loaded = await load({ hooks }, { dialect: 'claude-code' });
    expect((await loaded.explain(call('Bash'))).map(({ says }) => says)).toEqual([
      { failed: expect.stringContaining('use type "model"'), closes: true },
    ]);
  });
});

describe('injectFaults', () => {
  const faultsOf = async (hooks: object, options?: LoadOptions) => {
    const faults = await (await load(hooks, options)).injectFaults();
    const open = faults.filter(({ closed }) => !closed).map(({ entry }) => entry.label);
    return { labels: [...new Set(faults.map(({ entry }) => entry.label))], open: [...new Set(open)] };
  };

  test("it fails hooks on gates only, and no gate opens, whatever the hook's type", async () => {
    expect(
      await faultsOf({
        hooks: {
          user_prompt_submit: [{ type: 'command', name: 'prompt', command: 'true' }],
          before_tool_call: [
            { matcher: 'shell', hooks: [{ type: 'command', name: 'call', command: 'true' }] },
            { type: 'http', name: 'http', url: 'http://127.0.0.1:1' },
            { type: 'builtin', name: 'guard', command: 'sensitive_paths' },
          ],
          after_tool_call: [{ type: 'command', name: 'result', command: 'true' }],
          stop: [{ type: 'command', name: 'no gate', command: 'true' }],
        },
      }),
    ).toEqual({ labels: ['prompt', 'call', 'http', 'guard', 'result'], open: [] });
  });

  test('it reports a gate that on_error: ignore leaves open', async () => {
    const lax = { type: 'command', name: 'lax', command: 'true', on_error: 'ignore' };
    expect(await faultsOf({ hooks: { before_tool_call: [lax] } })).toEqual({
      labels: ['lax'],
      open: ['lax'],
    });
  });

  test('it reports gates that failures: as-original opens, and uses a failed call for events that need one', async () => {
    const hook = { hooks: [{ type: 'command', command: 'true' }] };
    const hooks = { hooks: { PreToolUse: [hook], PostToolUseFailure: [hook] } };
    expect((await faultsOf(hooks, { dialect: 'claude-code' })).open).toEqual([]);
    expect((await faultsOf(hooks, { dialect: 'claude-code', failures: 'as-original' })).open).toEqual([
      'true',
    ]);
  });
});

describe('an event of another process', () => {
  const cwd = temporaryFolder();

  test('runs the hooks of a file for its type', async () => {
    const hooks = createHooks();
    hooks.use(await load({ hooks: { before_tool_call: [says({ decision: 'block', reason: 'no' })] } }));
    const fields = { toolName: 'shell', input: {} };
    const data = { type: 'before_tool_call', sessionId: 's', cwd, fields } as const;
    expect(await dispatchEvent(hooks, data)).toMatchObject({ kind: 'block', reason: 'no' });
  });

  test('starts a session only if it is session_start, and session_end closes it', async () => {
    const hooks = createHooks();
    const told: string[] = [];
    hooks.observe(SessionStart, ({ session }) => {
      told.push(`start ${session.id}`);
    });
    hooks.observe(SessionEnd, ({ session, reason }: SessionEnded) => {
      told.push(`end ${session.id} ${reason}`);
    });
    hooks.observe(AgentSwitch, () => {
      told.push('switch');
    });
    const tell = (type: 'session_start' | 'agent_switch' | 'session_end', sessionId: string, fields = {}) =>
      dispatchEvent(hooks, { type, sessionId, cwd, fields });
    await tell('agent_switch', 'a');
    await tell('session_start', 'b', { source: 'startup' });
    await tell('session_end', 'b', { reason: 'logout' });
    await tell('session_end', 'c');
    await hooks.settled();
    expect(told).toEqual(['switch', 'start b', 'end b logout', 'end c other']);
  });
});

test('a change that makes a watched file invalid keeps the old hooks and gives a warning', async () => {
  const file = join(temporaryFolder(), 'hooks.yaml');
  writeFileSync(file, 'hooks: {stop: [{type: command, command: "true"}]}');
  const warned = Promise.withResolvers<string>();
  const loaded = await loadHooks(file, { trust: true, watch: true, onWarning: warned.resolve });
  onTestFinished(() => loaded[Symbol.dispose]());
  writeFileSync(file, 'hooks: {stop: 1}');
  expect(await warned.promise).toMatch(
    /hooks.yaml has changed but cannot be loaded, so the old hooks stay in force: .*hooks.stop/,
  );
  expect(loaded.entries).toHaveLength(1);
});
