import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { snapshot } from '@hooks/guards';
import { createSandbox, localSandbox, routeCommands } from '@hooks/sandbox';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect } from 'vitest';
import { makeRepository } from '../repository.ts';
import type { Scenario } from '../scenario.ts';

const problems = await localSandbox().supports({});

/** What keeps the machine as it was. */
export const fileScenarios: readonly Scenario[] = [
  {
    rule: 'snapshot records what a tool call changed, and puts it back',
    async run(play) {
      const cwd = makeRepository();
      const file = join(cwd, 'notes.txt');
      const recorder = snapshot({ cwd, dataDir: temporaryFolder() });
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(recorder),
        calls: [
          ['exec', 'look'],
          ['exec', 'overwrite'],
        ],
        does: ({ command = '' }) => {
          if (command === 'overwrite') writeFileSync(file, 'overwritten\n');
          return command;
        },
      });
      expect(ran).toHaveLength(2);
      expect(read).toEqual(['look', 'overwrite']);
      const checkpoints = await recorder.snapshots.list();
      expect(checkpoints.map(({ toolName, files }) => ({ toolName, files }))).toEqual([
        { toolName: 'exec', files: [{ path: 'notes.txt', change: 'modified' }] },
      ]);
      await recorder.snapshots.restore(checkpoints[0]?.id ?? '');
      expect(readFileSync(file, 'utf8')).toBe('mine\n');
    },
  },
  {
    rule: 'routeCommands runs a command in the sandbox, and its tool does not run',
    skip: problems.length === 0 ? undefined : problems.join(' '),
    async run(play) {
      await using sandbox = createSandbox(localSandbox());
      const { ran, read } = await play({
        policy: (hooks) => {
          hooks.use(routeCommands(sandbox));
        },
        calls: [
          ['exec', 'echo $((6 * 7)); ls /home 2>/dev/null || echo nobody is here'],
          ['read', 'a'],
        ],
      });
      expect(ran).toEqual([['read', 'a']]);
      expect(read).toEqual([expect.stringContaining('42\\nnobody is here'), 'ran']);
    },
  },
];
