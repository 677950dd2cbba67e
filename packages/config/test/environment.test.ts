import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { loadHooks } from '../src/index.ts';

/** What a hook's command answers, in a workspace with its own programs and this environment. */
async function answerOf(command: string, env: Readonly<Record<string, string>>, more = {}) {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const folder of [bin, cwd])
    writeFileSync(join(folder, 'judge'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const path = [bin, 'node_modules/.bin', '.', '', cwd, process.env['PATH']].join(':');
  using loaded = await loadHooks(
    { hooks: { before_tool_call: [{ type: 'command', command, ...more }] } },
    { cwd, env: { ...process.env, PATH: path, ...env }, onWarning: () => {} },
  );
  const hooks = createHooks();
  hooks.use(loaded);
  const call = { session: hooks.session('s'), toolName: 'bash', input: {} };
  return (await callTool(hooks, call, () => 'ran')).status;
}

test("a command's program is not taken from the workspace's folders in PATH", async () => {
  expect(await answerOf('judge', {})).toBe('blocked');
  expect(await answerOf('"$PWD"/node_modules/.bin/judge', {})).toBe('ok');
});

test.each([
  'NODE_OPTIONS',
  'NODE_PATH',
  'LD_AUDIT',
  'PERL5OPT',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'BASH_ENV',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
])('a command has %s only from its own env', async (name) => {
  const refusesIfSet = `test -z "\${${name}}" || exit 2`;
  expect(await answerOf(refusesIfSet, { [name]: '/none' })).toBe('ok');
  expect(await answerOf(refusesIfSet, {}, { env: { [name]: '/none' } })).toBe('blocked');
});
