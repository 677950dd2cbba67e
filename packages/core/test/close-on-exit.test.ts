import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = `
  import { createHooks, SessionEnd } from '@hooks/core';
  import { closeOnExit } from '@hooks/core/node';
  const hooks = createHooks();
  hooks.on(SessionEnd, async ({ session, reason }) => {
    await null;
    process.stdout.write('ended ' + session.id + ' ' + reason + '\\n');
  });
  await hooks.session('one').open();
  await hooks.session('two').open();
  closeOnExit(hooks);
  setInterval(() => {}, 1000);
  process.stdout.write('ready\\n');
`;

/** Starts the program, sends the signal when it is ready, and tells what it printed and how it ended. */
function interrupt(
  signal: NodeJS.Signals,
  code = program,
): Promise<{ readonly printed: string; readonly signal: string | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--conditions=@hooks/source', '--input-type=module', '-e', code], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (text.includes('ready')) child.kill(signal);
    });
    child.on('close', (_, ended) => resolve({ printed, signal: ended }));
  });
}

describe('closeOnExit', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s fires SessionEnd once for each open session, and then has its own effect',
    async (signal) => {
      const { printed, signal: ended } = await interrupt(signal);
      expect(printed.trim().split('\n').toSorted()).toEqual(['ended one other', 'ended two other', 'ready']);
      expect(ended).toBe(signal);
    },
  );

  it('a hook that hangs does not keep the program', async () => {
    const hanging = program
      .replace('await null', 'await new Promise(() => {})')
      .replace('closeOnExit(hooks)', 'closeOnExit(hooks, { timeoutMs: 50 })');
    expect(await interrupt('SIGTERM', hanging)).toEqual({ printed: 'ready\n', signal: 'SIGTERM' });
  });
});
