import { describe, expect, test } from 'vitest';
import { hooksRun, isInstalled, placeFor, type Turn } from './drive.ts';

describe('Codex', () => {
  const real = test.skipIf(!isInstalled('codex'));

  /** The model types a command that the policy would refuse into a shell on a terminal. */
  const typed: readonly Turn[] = [
    { calls: [{ name: 'exec_command', input: { cmd: 'bash', tty: true, yield_time_ms: 300 } }] },
    ([started = '']) => {
      const session_id = Number(/session ID (\d+)/.exec(started)?.[1] ?? 0);
      const chars = 'rm precious; exit\n';
      return { calls: [{ name: 'write_stdin', input: { session_id, chars, yield_time_ms: 1000 } }] };
    },
  ];

  const run = (...args: string[]) => {
    const place = placeFor('codex', { precious: '' });
    place.register(hooksRun('codex', './policies/blocks.ts'), ['call']);
    return place.run(typed, { args });
  };

  // If this fails, Codex runs hooks for such input, and the README's advice is obsolete.
  real.concurrent('runs no hook for input that is typed into a running command', async () => {
    expect((await run()).exists('precious')).toBe(false);
  });

  real.concurrent('cannot type if features.unified_exec_tty is off, as the README advises', async () => {
    expect((await run('-c', 'features.unified_exec_tty=false')).exists('precious')).toBe(true);
  });
});
