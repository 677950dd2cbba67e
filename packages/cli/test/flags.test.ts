import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks, Stop } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { hooksFromFlags } from '../src/index.ts';

/** docker-agent's six flags, as in its documentation. */
describe('hooksFromFlags', () => {
  test('maps each flag to an event, accepts repeated flags, and returns the other arguments', async () => {
    const args = [
      'run',
      'agent.yaml',
      '--hook-session-start',
      './scripts/setup-env.sh',
      '--hook-pre-tool-use=./scripts/validate.sh --strict=1',
      '--hook-pre-tool-use',
      './audit.sh',
      '--hook-post-tool-use',
      './scripts/log.sh',
      '--hook-session-end',
      'a',
      '--hook-on-user-input',
      'b',
      '--hook-stop',
      'c',
      '--yolo',
    ];
    const { hooks, rest } = await hooksFromFlags(args);
    expect(rest).toEqual(['run', 'agent.yaml', '--yolo']);
    expect(hooks.entries.map(({ wireEvent, label, matcher }) => [wireEvent, label, matcher])).toEqual([
      ['session_start', './scripts/setup-env.sh', undefined],
      ['pre_tool_use', './scripts/validate.sh --strict=1', undefined],
      ['pre_tool_use', './audit.sh', undefined],
      ['post_tool_use', './scripts/log.sh', undefined],
      ['session_end', 'a', undefined],
      ['on_user_input', 'b', undefined],
      ['stop', 'c', undefined],
    ]);
    hooks[Symbol.dispose]();
  });

  test.each([[['--hook-stop']], [['--hook-stop', '--hook-stop', 'x']], [['--hook-stop=']]])(
    'rejects a flag without a command: %j',
    async (args) => {
      await expect(hooksFromFlags(args)).rejects.toThrow('--hook-stop needs a command');
    },
  );

  test('returns hooks that run', async () => {
    const cwd = temporaryFolder();
    const { hooks: flagged } = await hooksFromFlags(['--hook-stop', 'touch stopped'], { cwd });
    const hooks = createHooks();
    hooks.use(flagged);
    await hooks.dispatch(Stop, { session: hooks.session('s'), response: '', continuations: 0 });
    expect(existsSync(join(cwd, 'stopped'))).toBe(true);
    flagged[Symbol.dispose]();
  });
});
