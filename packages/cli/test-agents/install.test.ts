import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInstalled, placeFor } from './drive.ts';
import { INSTALLABLE_NAMES } from './packages.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const HOOKS = `'${process.execPath}' --conditions=@hooks/source '${main}'`;

/** The reason of command safety or of the file's own rule, whichever comes first. */
const refusal = /lost-work\/force-push|push without it/;

/** Runs the commands of the README, then the real agent without `hooks` on its PATH. */
describe.each(INSTALLABLE_NAMES)('after hooks init, trust and install, %s', (name) => {
  test.skipIf(!isInstalled(name)).concurrent("obeys the rules of init's file", async () => {
    const place = placeFor(name, { precious: '' });
    for (const command of ['init', 'trust --yes', `install --for ${name}`])
      execFileSync('sh', ['-c', `${HOOKS} ${command}`], { cwd: place.workspace, env: place.env });
    const { results, exists } = await place.run([
      { shell: 'rm precious; git push --force' },
      { shell: 'rm precious; true' },
    ]);
    expect(results[0]).toMatch(refusal);
    expect(results[1]).not.toMatch(refusal);
    expect(exists('precious')).toBe(false);
  });

  test.skipIf(!isInstalled(name)).concurrent('obeys a warm worker', async () => {
    const place = placeFor(name, { precious: '' });
    for (const command of ['init', 'trust --yes', `install --for ${name} --warm`])
      execFileSync('sh', ['-c', `${HOOKS} ${command}`], { cwd: place.workspace, env: place.env });
    // The first hook starts the worker.
    const { results, exists } = await place.run([
      { shell: 'true' },
      { shell: 'rm precious; git push --force' },
      { shell: 'true' },
      { shell: 'rm precious; git push --force' },
    ]);
    expect(results.map((result) => refusal.test(result))).toEqual([false, true, false, true]);
    expect(exists('precious')).toBe(true);
    const sockets = readdirSync(join(place.home, '.config/hooks/warm', place.workspace));
    expect(sockets).toEqual([expect.stringMatching(`^${name}-.*sock$`)]);
  });
});
