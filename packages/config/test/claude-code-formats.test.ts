import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks, PermissionRequest, SubagentStop, ToolApprovalDecision } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { loadHooks, readHooks } from '../src/index.ts';
import { DIALECTS, dispatchEvent, readStdin } from '../src/protocol.ts';
import { harness, prints } from './harness.ts';

/** Formats of Claude Code besides `settings.json`, and the answers of its hooks. */

/** The variable as files write it. The shell or Claude Code expands it. */
const ROOT = `$${'{CLAUDE_PLUGIN_ROOT}'}`;

const on = (event: string, hooks: object[]) => ({ hooks: { [event]: [{ hooks }] } });

describe('a plugin', () => {
  /** A plugin whose hook before `Bash` is a script in its folder. */
  function plugin(hook: object): string {
    const root = join(temporaryFolder(), 'the plugin');
    mkdirSync(join(root, 'hooks'), { recursive: true });
    mkdirSync(join(root, 'scripts'));
    writeFileSync(join(root, 'scripts', 'no.sh'), 'echo "no, says $CLAUDE_PLUGIN_ROOT" >&2; exit 2\n');
    const file = { description: 'says no', ...on('PreToolUse', [{ type: 'command', ...hook }]) };
    writeFileSync(join(root, 'hooks', 'hooks.json'), JSON.stringify(file));
    return root;
  }

  test.each<[string, object]>([
    ['a line for the shell', { command: `sh "${ROOT}/scripts/no.sh"` }],
    ['arguments', { command: 'sh', args: [`${ROOT}/scripts/no.sh`] }],
  ])('finds its scripts by CLAUDE_PLUGIN_ROOT: %s', async (_, hook) => {
    const root = plugin(hook);
    const { call } = await harness(join(root, 'hooks', 'hooks.json'));
    expect(await call('Bash', {})).toMatchObject({ status: 'blocked', reason: `no, says ${root}` });
  });

  test('another file that uses CLAUDE_PLUGIN_ROOT gets a notice that nothing sets it', async () => {
    const hook = { type: 'command', command: `${ROOT}/scripts/no.sh` };
    const [file] = await readHooks(on('PreToolUse', [hook]));
    expect(file?.notices.map(({ message }) => message)).toEqual([
      "CLAUDE_PLUGIN_ROOT is set for a plugin's hooks/hooks.json only, and is empty here",
    ]);
  });
});

test('rules under permissions get a notice, because no other agent applies them', async () => {
  const hook = { type: 'command', command: 'true' };
  const permissions = { allow: ['Read'], deny: ['Bash(git push:*)'] };
  const [file] = await readHooks({ ...on('PreToolUse', [hook]), permissions });
  expect(file?.notices).toMatchObject([
    { path: 'permissions', message: expect.stringContaining('only Claude Code applies these rules') },
  ]);
  const [harmless] = await readHooks({ ...on('PreToolUse', [hook]), permissions: { allow: ['Read'] } });
  expect(harmless?.notices).toEqual([]);
});

describe('an event of Claude Code that is passed on to hooks', () => {
  const call = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '/t.jsonl',
    cwd: '/',
    permission_mode: 'plan',
    agent_id: 'a1',
    agent_type: 'reviewer',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't',
  };

  async function ask(file: object, event: object) {
    const hooks = createHooks();
    using loaded = await loadHooks(file, { cwd: temporaryFolder() });
    hooks.use(loaded);
    const decision = await dispatchEvent(hooks, readStdin(DIALECTS['claude-code'], event).event);
    return decision.kind === 'block' ? decision.reason : decision.kind;
  }

  test('has transcript_path, permission_mode, agent_id and agent_type', async () => {
    const hook = {
      type: 'command',
      command: `node -e 'const e = JSON.parse(require("fs").readFileSync(0)); console.error(e.transcript_path, e.permission_mode, e.agent_id, e.agent_type); process.exit(2)'`,
    };
    expect(await ask(on('PreToolUse', [hook]), call)).toBe('/t.jsonl plan a1 reviewer');
  });

  test('belongs to the agent that agent_type names', async () => {
    const refuses = (agents: readonly string[]) => ({
      hooks: {
        before_tool_call: [
          { agents, hooks: [{ type: 'command', command: 'echo not for a reviewer >&2; exit 2' }] },
        ],
      },
    });
    expect(await ask(refuses(['reviewer']), call)).toBe('not for a reviewer');
    expect(await ask(refuses(['builder']), call)).toBe('proceed');
  });
});

test('exit code 2 of a SubagentStop hook only shows its stderr to the user', async () => {
  const { hooks, session, told, errors } = await harness(
    on('SubagentStop', [{ type: 'command', command: 'echo run the tests >&2; exit 2' }]),
  );
  await hooks.dispatch(SubagentStop, { session, subagent: 'reviewer', response: 'done' });
  expect({ told, errors }).toEqual({ told: ['run the tests'], errors: [] });
});

test('a hook that prints {"async": true} continues in the background', async () => {
  const { call, dir } = await harness(
    on('PreToolUse', [
      {
        type: 'command',
        command: `echo '{"async": true}'; while ! test -e go; do :; done; echo 'late {' > late`,
      },
    ]),
  );
  expect(await call('Bash', {})).toMatchObject({ status: 'ok' });
  writeFileSync(join(dir, 'go'), '');
  await vi.waitUntil(() => existsSync(join(dir, 'late')), { timeout: 30_000 });
});

describe('an answer that has no effect here', () => {
  const specific = (fields: object) => prints({ hookSpecificOutput: fields });

  test('gives the user a warning', async () => {
    const { hooks, session, told } = await harness({
      hooks: {
        PermissionRequest: [
          { hooks: [specific({ decision: { behavior: 'allow', updatedPermissions: [] } })] },
        ],
        SessionStart: [{ hooks: [specific({ sessionTitle: 'a title', additionalContext: 'noted' })] }],
        PermissionDenied: [{ hooks: [specific({ retry: true })] }],
        SubagentStop: [{ hooks: [specific({ additionalContext: 'noted' })] }],
      },
    });
    const call = { session, toolName: 'Bash', nativeToolName: 'Bash', input: {}, callId: 'c' };
    await hooks.dispatch(PermissionRequest, { ...call, reason: 'why' });
    await hooks.dispatch(ToolApprovalDecision, { ...call, approval: 'deny', source: 'user_rejected' });
    await hooks.dispatch(SubagentStop, { session, subagent: 'x', response: '' });
    await hooks.settled();
    expect(told.toSorted()).toEqual([
      'A PermissionDenied hook answered retry, which has no effect here.',
      'A PermissionRequest hook answered updatedPermissions, which has no effect here.',
      'A SessionStart hook answered sessionTitle, which has no effect here.',
      'A SubagentStop hook answered additionalContext, which has no effect here.',
    ]);
  });

  test('gives a notice if an event takes no other answer', async () => {
    const hook = { type: 'command', command: 'true' };
    const files = ['SubagentStart', 'SubagentStop', 'Notification', 'PermissionDenied', 'Stop'];
    const [file] = await readHooks({
      hooks: Object.fromEntries(files.map((name) => [name, [{ hooks: [hook] }]])),
    });
    expect(file?.notices.map(({ message }) => message)).toEqual([
      'the answers of a SubagentStart hook (additionalContext) have no effect here',
      'the answers of a SubagentStop hook (decision, additionalContext) have no effect here',
      'the answers of a Notification hook (additionalContext) have no effect here',
      'the answers of a PermissionDenied hook (retry) have no effect here',
    ]);
  });
});
