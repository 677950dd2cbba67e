import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { HookProvider } from '@hooks/core';
import {
  addDate,
  addDirectoryListing,
  addEnvironmentInfo,
  addGitDiff,
  addGitStatus,
  addPromptFiles,
  addRecentCommits,
  addUserInfo,
} from '@hooks/guards';
import { expect } from 'vitest';
import { INSTRUCTIONS } from '../../src/agents/index.ts';
import { makeRepository } from '../repository.ts';
import type { Scenario } from '../scenario.ts';

/** What each contributor makes of a repository with a commit `first`, in which `notes.txt` was changed since. */
const contributors: readonly (readonly [string, (cwd: string) => HookProvider, RegExp])[] = [
  ['addDate', () => addDate(), /Today's date: \d{4}-\d\d-\d\d/g],
  ['addPromptFiles', (cwd) => addPromptFiles(['AGENTS.md'], { cwd }), /Be brief\./g],
  ['addGitStatus', (cwd) => addGitStatus({ cwd }), /## main\n M notes\.txt/g],
  ['addGitDiff', (cwd) => addGitDiff({ cwd, full: true }), /\+and more/g],
  ['addEnvironmentInfo', (cwd) => addEnvironmentInfo({ cwd }), /Is a git repository: yes/g],
  ['addDirectoryListing', (cwd) => addDirectoryListing({ cwd }), /AGENTS\.md\nnotes\.txt/g],
  ['addUserInfo', () => addUserInfo(), new RegExp(`Hostname: ${hostname()}`, 'g')],
  ['addRecentCommits', (cwd) => addRecentCommits(10, { cwd }), /[0-9a-f]{7,} first/g],
];

/** Guards that tell the model something: once in the system text of every model call, and nowhere else. */
export const contextScenarios: readonly Scenario[] = contributors.map(([name, make, text]) => ({
  rule: `${name} reaches the model in the system text of each model call`,
  async run(play) {
    const cwd = makeRepository();
    writeFileSync(join(cwd, 'notes.txt'), 'mine\nand more\n');
    writeFileSync(join(cwd, 'AGENTS.md'), 'Be brief.');
    const { requests, read } = await play({
      policy: (hooks) => hooks.use(make(cwd)),
      calls: [['read', 'a']],
    });
    expect(requests).toHaveLength(2);
    for (const { system, messages } of requests) {
      expect(system).toContain(INSTRUCTIONS);
      expect(system.match(text)).toHaveLength(1);
      const said = messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
      expect(said.join('\n')).not.toMatch(text);
    }
    expect(read).toEqual(['ran']);
  },
}));
