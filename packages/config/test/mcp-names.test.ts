import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDescriptor } from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { DIALECTS, type DialectName } from '../src/index.ts';
import { harness } from './harness.ts';

const github: ToolDescriptor = { kind: 'mcp', server: 'github' };
const unnamed: ToolDescriptor = { kind: 'mcp' };
const own: ToolDescriptor = { kind: 'function' };

const refuses = { type: 'command', command: 'cat > told; echo no >&2; exit 2' };
const group = (matcher: string): object => ({ matcher, hooks: [refuses] });

/** A gate for every MCP tool in each dialect, and the name of the tool `get` of `github` on the wire. */
const gates: Partial<Record<DialectName, { readonly file: object; readonly name: string }>> = {
  hooks: { file: { hooks: { before_tool_call: [group('mcp')] } }, name: 'get' },
  'docker-agent': { file: { hooks: { pre_tool_use: [group('mcp:.*')] } }, name: 'mcp:github:get' },
  'claude-code': { file: { hooks: { PreToolUse: [group('mcp__.*')] } }, name: 'mcp__github__get' },
  codex: { file: { hooks: { PreToolUse: [group('^mcp__')] } }, name: 'mcp__github__get' },
  gemini: { file: { hooks: { BeforeTool: [group('^mcp_.*')] } }, name: 'mcp_github_get' },
  ai4j: {
    file: { hooks: { preToolUse: [{ command: refuses.command, match: 'mcp__github__get' }] } },
    name: 'mcp__github__get',
  },
  cursor: {
    file: { version: 1, hooks: { preToolUse: [{ command: refuses.command, matcher: '^MCP:' }] } },
    name: 'MCP:get',
  },
  copilot: {
    file: { version: 1, hooks: { preToolUse: [{ bash: refuses.command, matcher: 'github-.*' }] } },
    name: 'github-get',
  },
};

describe.each(Object.keys(DIALECTS) as DialectName[])('in %s, a matcher of MCP tools', (dialect) => {
  const { file, name } = gates[dialect] ?? { file: {}, name: '' };

  test.each(['get', 'github_get', 'github__get', 'mcp__github__get'])(
    'matches the tool that its agent calls %s, by its kind and server',
    async (toolName) => {
      const { call, dir } = await harness(file, { dialect });
      expect(await call(toolName, {}, undefined, { about: github })).toMatchObject({ status: 'blocked' });
      if (dialect === 'hooks') return;
      expect(readFileSync(join(dir, 'told'), 'utf8')).toContain(`"${name}"`);
    },
  );

  test('does not match a function of the program', async () => {
    const { call } = await harness(file, { dialect });
    expect(await call('get', {}, undefined, { about: own })).toMatchObject({ status: 'ok' });
  });
});

test.each(['docker-agent', 'claude-code', 'codex', 'gemini', 'cursor', 'hooks'] as const)(
  'in %s, a matcher of MCP tools matches a tool whose server has no name',
  async (dialect) => {
    const { call } = await harness(gates[dialect]?.file ?? {}, { dialect });
    expect(await call('get', {}, undefined, { about: unnamed })).toMatchObject({ status: 'blocked' });
  },
);

test.each([
  { hooks: { PreToolUse: [group('mcp__github__delete_.*')] } },
  { hooks: { PreToolUse: [group('mcp__github__delete_repo')] } },
  { agents: {}, permissions: { deny: ['mcp:github:delete_*'] } },
  { agents: {}, permissions: { deny: ['github_delete_*'] } },
])('a tool whose server has no name may be of the server that a gate names: %j', async (file) => {
  const { call } = await harness(file);
  const { status } = await call('delete_repo', {}, undefined, { about: unnamed });
  expect(status).toBe('blocked');
});

describe('a tool whose server has no name may be of a server that a gate names by an expression:', () => {
  const expressions = [
    'mcp__git(hub|lab)__.*',
    'mcp__[a-z]+hub__.*',
    'mcp__gi?t?hub__delete_repo',
    'mcp__git.hub__delete_\\w+',
    'mcp__github\\d{3}__.*',
    'mcp__my\\.server__.*',
    'mcp__(?!public)[^_]+__delete_.*',
    'mcp__(github__delete_.*|gitlab__get)',
    'Bash|^mcp__(?<server>[0-9a-f]{8})__delete_repo$',
  ];

  test.each(expressions)('%s', async (matcher) => {
    const files = [
      { hooks: { PreToolUse: [group(matcher)] } },
      { hooks: { before_tool_call: [group(matcher)] } },
    ];
    for (const file of files) {
      const { call } = await harness(file);
      expect(await call('delete_repo', {}, undefined, { about: unnamed })).toMatchObject({
        status: 'blocked',
      });
    }
  });

  test.each(['mcp:git?ub:*', 'mcp:[gG]ithub:delete_*', 'mcp:git*:delete_repo'])(
    'the permission rule %s',
    async (pattern) => {
      const { call } = await harness({ agents: {}, permissions: { deny: [pattern], allow: ['*'] } });
      const { status } = await call('delete_repo', {}, undefined, { about: unnamed });
      expect(status).toBe('blocked');
    },
  );

  test('and no tool that the gate does not name', async () => {
    const { call } = await harness({
      hooks: { PreToolUse: [group('mcp__(git(hub|lab)__delete_.*|svn__get)')] },
    });
    const of = async (name: string) => (await call(name, {}, undefined, { about: unnamed })).status;
    expect([await of('create_issue'), await of('get'), await of('delete_repo')]).toEqual([
      'ok',
      'blocked',
      'blocked',
    ]);
  });
});

test('a rule that allows a server’s tools does not allow a tool whose server has no name', async () => {
  const { call } = await harness({ agents: {}, permissions: { allow: ['mcp:github:*'] } });
  expect(await call('delete_repo', {}, undefined, { about: unnamed })).toMatchObject({ ran: false });
  expect(await call('delete_repo', {}, undefined, { about: github })).toMatchObject({ ran: true });
});

test('a matcher with the bare name of an MCP tool still matches it', async () => {
  const { call } = await harness({ hooks: { PreToolUse: [group('get')] } });
  expect(await call('get', {}, undefined, { about: github })).toMatchObject({ status: 'blocked' });
});

test.each(['mcp:*', 'mcp:github:*', 'github_*', 'get'])(
  'permissions that deny %s refuse the tool of an MCP server',
  async (pattern) => {
    const { call } = await harness({ agents: { root: {} }, permissions: { deny: [pattern] } });
    expect(await call('get', {}, undefined, { about: github })).toMatchObject({ status: 'blocked' });
  },
);
