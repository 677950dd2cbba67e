// The names of tools in a built-in mean the same tools in a framework as in matchers and under `hooks run`.
import type { ToolDescriptor } from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { harness } from './harness.ts';

const github: ToolDescriptor = { kind: 'mcp', server: 'github' };
const unnamed: ToolDescriptor = { kind: 'mcp' };
const builtin = (command: string, args: unknown) => ({
  hooks: { before_tool_call: [{ type: 'builtin', command, args }] },
});

/** Whether the second of two calls of a tool is refused. */
async function refuses(file: object, tool: string, input: object, about?: ToolDescriptor): Promise<boolean> {
  const { call } = await harness(file);
  await call(tool, input, undefined, { ...(about && { about }) });
  const { status } = await call(tool, input, undefined, {
    callId: 'second',
    ...(about && { about }),
  } as object);
  return status === 'blocked';
}

const restricting: readonly (readonly [string, (tools: string) => unknown])[] = [
  ['deny_tools', (tools) => [tools]],
  ['permissions', (tools) => ({ deny: [tools] })],
  ['rate_limit', (tools) => ({ window_ms: 60_000, tool_calls: 1, tools })],
  ['limits', (tools) => ({ per_tool: { [tools]: { per_session: { tool_calls: 1 } } } })],
];

describe.each(restricting)('%s', (name, argsFor) => {
  test.each(['shell', 'Bash', 'exec', 'run_shell_command', 'group:runtime'])(
    'means the shell of every agent by %s',
    async (rule) => {
      const file = builtin(name, argsFor(rule));
      for (const tool of ['bash', 'shell', 'Bash', 'run_shell_command'])
        expect([tool, await refuses(file, tool, { command: 'ls' })]).toEqual([tool, true]);
      expect(await refuses(file, 'read_file', { path: 'x' })).toBe(false);
    },
  );

  test.each(['mcp', '.*github.*', 'mcp__github__.*', 'mcp__git(hub|lab)__get', 'mcp__github__get'])(
    'means the tool of an MCP server by %s',
    async (rule) => {
      const file = builtin(name, argsFor(name === 'permissions' ? rule.replaceAll('.*', '*') : rule));
      if (name === 'permissions' && rule.includes('|')) return;
      expect(await refuses(file, 'get', {}, github)).toBe(true);
      expect(await refuses(file, 'get', {}, unnamed)).toBe(true);
      expect(await refuses(file, 'get', {}, { kind: 'function' })).toBe(false);
      expect(await refuses(file, 'get', {}, { kind: 'mcp', server: 'docs' })).toBe(rule === 'mcp');
    },
  );
});

describe('allow_tools', () => {
  test('allows the shell of every agent, and no other tool', async () => {
    const file = builtin('allow_tools', ['shell']);
    expect(await refuses(file, 'bash', { command: 'ls' })).toBe(false);
    expect(await refuses(file, 'read_file', { path: 'x' })).toBe(true);
    expect(await refuses(builtin('allow_tools', ['Write']), 'apply_patch', { input: 'x' })).toBe(true);
  });

  test('allows the tools of the server that it names, and of no other', async () => {
    const file = builtin('allow_tools', ['mcp__github__.*']);
    expect(await refuses(file, 'get', {}, github)).toBe(false);
    expect(await refuses(file, 'get', {}, unnamed)).toBe(true);
    expect(await refuses(file, 'get', {}, { kind: 'mcp', server: 'docs' })).toBe(true);
    expect(await refuses(file, 'get', {})).toBe(true);
  });
});
