import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, TurnStart } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { addDirectoryListing, addGitDiff } from '@hooks/guards';

const cwd = mkdtempSync(join(tmpdir(), 'project-'));
writeFileSync(`${cwd}/notes.txt`, '');

const hooks = createHooks();
hooks.use(addDirectoryListing({ cwd }));
hooks.use(addGitDiff({ cwd: '/' }));

const session = hooks.session('example');
await hooks.dispatch(TurnStart, { session, iteration: 1 });
const context = takeContext(hooks, session).join('\n');
console.log(context.replace(cwd, 'here'));
// Contents of here:
// notes.txt
