import { describe, expect, test } from 'vitest';
import { harness } from './harness.ts';

const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n+KEY=1\n*** End Patch\n`;

/** What the write tool may not write, a command may not write either. */
describe('sensitive_paths', () => {
  const load = () =>
    harness({ hooks: { before_tool_call: [{ type: 'builtin', command: 'sensitive_paths' }] } });

  test.each([
    'echo KEY=1 > .env',
    'echo KEY=1 >> sub/.env',
    'printf x | tee -a ~/.ssh/authorized_keys',
    'cp notes ~/.aws/credentials',
    'rm .env',
    `bash -c "echo x > .env"`,
    'echo x > $(echo .env)',
    `apply_patch <<'EOF'\n${patch('.env')}EOF`,
    `apply_patch '${patch('config/.env')}'`,
    `apply_patch <<'EOF'\n${patch('.env').replace('***', '  ***').replace('*** Update', '\t*** update')}EOF`,
    `printf '${patch('.env').replaceAll('\n', '\\n')}' | apply_patch`,
    `cd ~/.ssh && apply_patch <<'EOF'\n${patch('config')}EOF`,
    `patch -p1 <<'EOF'\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\nEOF`,
  ])('refuses a command that writes there: %s', async (command) => {
    const { call } = await load();
    for (const [tool, input] of [
      ['shell', { cmd: command }],
      ['Bash', { command }],
      ['exec_command', { cmd: ['bash', '-lc', command] }],
      ['write_bash', { shellId: '1', input: `${command}\n` }],
    ] as const) {
      expect([tool, await call(tool, input)]).toMatchObject([tool, { status: 'blocked', ran: false }]);
    }
  });

  test.each([
    ['Codex', 'exec_command', { cmd: 'echo x > config', workdir: '/home/ann/.ssh' }],
    ['Codex', 'shell', { command: ['apply_patch', patch('config')], workdir: '/home/ann/.ssh' }],
    ['Gemini CLI', 'run_shell_command', { command: 'echo x > config', dir_path: '/home/ann/.ssh' }],
  ])('refuses a command of %s in a folder that its call names: %s', async (_, tool, input) => {
    const { call } = await load();
    expect(await call(tool, input)).toMatchObject({ status: 'blocked', ran: false });
  });

  test.each(['echo x > notes.txt', 'ls -la', 'npm test', `apply_patch <<'EOF'\n${patch('src/a.ts')}EOF`])(
    'lets a command pass that writes elsewhere: %s',
    async (command) => {
      const { call } = await load();
      expect(await call('shell', { cmd: command })).toMatchObject({ status: 'ok' });
    },
  );
});
