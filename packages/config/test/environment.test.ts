import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { loadHooks } from '../src/index.ts';

/** What a hook's command answers, in a workspace with its own programs and this environment. With a folder, in that of a checkout. */
async function answerOf(command: string, env: Readonly<Record<string, string>>, more = {}, folder = '.') {
  const workspace = temporaryFolder();
  const cwd = join(workspace, folder);
  if (folder !== '.') mkdirSync(join(workspace, '.git'));
  mkdirSync(cwd, { recursive: true });
  const bin = join(cwd, 'node_modules/.bin');
  const tools = join(workspace, 'tools');
  mkdirSync(bin, { recursive: true });
  mkdirSync(tools);
  for (const one of [bin, cwd, tools])
    writeFileSync(join(one, 'judge'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const path = [bin, 'node_modules/.bin', '.', '', cwd, tools, process.env['PATH']].join(':');
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
  // An agent moves with `cd`.
  expect(await answerOf('judge', {}, {}, 'inner/folder')).toBe('blocked');
  expect(await answerOf('"$PWD"/node_modules/.bin/judge', {})).toBe('ok');
});

test('nor where an agent names the workspace by a link, or PATH does', async () => {
  const real = join(temporaryFolder(), 'real');
  const tools = join(real, 'tools');
  mkdirSync(join(real, '.git'), { recursive: true });
  mkdirSync(tools);
  writeFileSync(join(tools, 'judge'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const link = join(temporaryFolder(), 'link');
  symlinkSync(real, link);
  for (const [cwd, folder] of [
    [link, tools],
    [real, join(link, 'tools')],
  ] as const) {
    using loaded = await loadHooks(
      { hooks: { before_tool_call: [{ type: 'command', command: 'judge' }] } },
      { cwd, env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` }, onWarning: () => {} },
    );
    const hooks = createHooks();
    hooks.use(loaded);
    const call = { session: hooks.session('s'), toolName: 'bash', input: {} };
    expect((await callTool(hooks, call, () => 'ran')).status).toBe('blocked');
  }
});

test.each([
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_COMPILE_CACHE',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'GCONV_PATH',
  'LD_DEBUG_OUTPUT',
  'CDPATH',
  'GIT_EXEC_PATH',
  'GIT_SSH_COMMAND',
  'GIT_CONFIG_COUNT',
  'GEM_HOME',
  'LUA_INIT_5_4',
  'DOTNET_STARTUP_HOOKS',
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

test("a command's Node loads no library that the environment names in a configuration of OpenSSL", async () => {
  const file = join(temporaryFolder(), 'openssl.cnf');
  writeFileSync(file, 'nodejs_conf = a\n[a]\nengines = b\n[b]\nc = d\n[d]\ndynamic_path = /none.so\n');
  const node = `"${process.execPath}" -e ''`;
  expect(await answerOf(node, { OPENSSL_CONF: file })).toBe('ok');
  expect(await answerOf(node, {}, { env: { OPENSSL_CONF: file } })).toBe('blocked');
});
