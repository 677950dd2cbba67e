import { expect, test } from 'vitest';
import * as z from 'zod';
import { type DialectName, jsonSchemaOf, readHookFile } from '../src/index.ts';

const command = { type: 'command', command: 'x' };

/** The JSON Schema for editors accepts the same files as the reader. */
test.each<[DialectName, object, boolean]>([
  [
    'hooks',
    { hooks: { before_tool_call: [{ matcher: 'a', agents: ['b'], hooks: [command] }, command] } },
    true,
  ],
  [
    'hooks',
    { hooks: { stop: [{ ...command, command: ['a', 'b'], timeout: 1, env: { A: 1 }, on_error: 'warn' }] } },
    true,
  ],
  ['hooks', { hooks: { before_tool_cal: [] } }, false],
  ['hooks', { hooks: { stop: [{ ...command, timeout: '1s' }] } }, false],
  ['hooks', { hooks: { stop: [{ ...command, timout: 1 }] } }, false],
  [
    'hooks',
    {
      hooks: {
        stop: [
          { type: 'http', url: 'https://a.b/c' },
          { type: 'module', path: './x.ts' },
        ],
      },
    },
    true,
  ],
  ['hooks', { hook: {} }, false],
  [
    'hooks',
    {
      principal: { id_env: 'WHO', roles_env: 'ROLES' },
      journal: { sink: '.hooks/journal', key_env: 'KEY', keep_days: 30, required: true },
      telemetry: null,
      sandbox: { tools: 'shell', workspace: { kind: 'mount', path: '.', read_only: true } },
    },
    true,
  ],
  ['hooks', { principal: { id: 'ann' } }, false],
  ['hooks', { journal: { keep_days: '30d', sink: 'x' } }, false],
  ['hooks', { sandbox: { workspace: '.' } }, false],
  ['hooks', { telemetry: { reasons: 'all' } }, false],
  [
    'docker-agent',
    { agents: { root: { model: 'm', add_date: true, hooks: { pre_tool_use: [{ hooks: [command] }] } } } },
    true,
  ],
  ['docker-agent', { agents: { root: { add_prompt_files: 'A.md' } } }, false],
  ['docker-agent', { hooks: { pre_tool_us: [] } }, false],
  ['docker-agent', { agents: {}, permissions: { allow: ['shell'] }, runtime: { safety: 'strict' } }, true],
  ['docker-agent', { agents: { root: { permissions: { denied: ['shell'] } } } }, false],
  ['docker-agent', { settings: { permissions: { deny: 'shell' } } }, false],
  [
    'claude-code',
    { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ ...command, novel: 1 }] }], Novel: [] } },
    true,
  ],
  ['claude-code', { hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }, false],
  ['ai4j', { hooks: { preToolUse: [{ command: 'x', match: 'bash' }] } }, true],
  ['ai4j', { hooks: { preToolUse: [{ match: 'bash' }] } }, false],
  ['cursor', { version: 1, hooks: { stop: [{ command: 'x', loop_limit: null }] } }, true],
  ['cursor', { version: 1, hooks: { stop: [{ failClosed: true }] } }, false],
  ['cursor', { version: 1, hooks: { beforeShellExec: [{ command: 'x' }] } }, false],
  ['copilot', { version: 1, hooks: { preToolUse: [{ bash: 'x', timeoutSec: 5 }, command] } }, true],
  ['copilot', { version: 2, hooks: {} }, false],
])('%s: %j', (dialect, file, right) => {
  expect(
    z.fromJSONSchema(jsonSchemaOf(dialect) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(file).success,
  ).toBe(right);
  expect(readHookFile(JSON.stringify(file), 'f', dialect).issues.length === 0).toBe(right);
});
