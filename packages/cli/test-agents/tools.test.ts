import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { describe, expect, test } from 'vitest';
import { isInstalled, placeFor } from './drive.ts';
import { AGENT_NAMES, type AgentName } from './packages.ts';

const NAMES: readonly AgentName[] = [...AGENT_NAMES, 'opencode'];

/** Claude Code offers all of its tools at once, and the one for PowerShell, too. */
const env = { ENABLE_TOOL_SEARCH: 'false', CLAUDE_CODE_USE_POWERSHELL_TOOL: '1' };

/**
 * Arguments that are neither: OpenCode notes which of the user's commands started a task, and Claude Code goes to one of its own
 * worktrees.
 */
const NEITHER: readonly string[] = ['task.command', 'EnterWorktree.path'];

const COMMANDS: readonly string[] = ['command', 'cmd', 'chars'];
const PATHS: readonly string[] = ['path', 'paths', 'file_path', 'filePath', 'notebook_path', 'absolute_path'];

describe.each(NAMES)('of the tools that %s offers', (name) => {
  test.skipIf(!isInstalled(name)).concurrent('each that takes a command or a file is judged', async () => {
    const plugin = { 'hooks-plugin.ts': 'export const hooks = async () => ({});' };
    const { offered } = await placeFor(name, name === 'opencode' ? plugin : {}).run([], { env });
    const rules = {
      before_tool_call: [
        { type: 'builtin', command: 'command_safety' },
        { type: 'builtin', command: 'sensitive_paths' },
      ],
    };
    const hooks = createHooks();
    hooks.use(await loadHooks({ hooks: rules }, { trust: true }));
    const runs = async (toolName: string, input: object) =>
      (await callTool(hooks, { session: hooks.session('s'), toolName, input }, () => 'ran')).status === 'ok';
    const missed: string[] = [];
    for (const [tool, args] of offered)
      for (const argument of args) {
        const isCommand = COMMANDS.includes(argument);
        if (!isCommand && !PATHS.includes(argument)) continue;
        if (await runs(tool, { [argument]: isCommand ? 'rm -rf ~' : '/w/.env' }))
          missed.push(`${tool}.${argument}`);
      }
    await hooks.close();
    expect(offered.size).toBeGreaterThan(5);
    expect(missed.filter((one) => !NEITHER.includes(one))).toEqual([]);
  });
});

test.skipIf(!isInstalled('claude-code'))(
  "the rules of init's file hold for commands of Monitor",
  async () => {
    const place = placeFor('claude-code');
    for (const command of [['init'], ['trust', '--yes'], ['install', '--for', 'claude-code']])
      expect(await place.hooks(...command)).toMatchObject({ exitCode: 0 });
    const watch = (command: string) => ({
      calls: [{ name: 'Monitor', input: { command, description: 'a command', timeout_ms: 5000 } }],
    });
    const { results, exists } = await place.run([watch('touch ran; git push --force'), { text: 'Done.' }], {
      env,
      args: ['--allowedTools', 'Monitor'],
    });
    expect(results[0]).toMatch(/lost-work\/force-push|push without it/);
    expect(exists('ran')).toBe(false);
  },
);
