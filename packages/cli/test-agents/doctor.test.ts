import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustOfCodex } from '../test/codex-trust.ts';
import { REAL_AGENTS } from './agents/all.ts';
import { isInstalled, type Place, placeFor } from './drive.ts';
import { INSTALLABLE_NAMES, type InstallableName } from './packages.ts';

/** A place with an installed policy that lets everything pass. */
async function installed(name: InstallableName): Promise<Place> {
  const policy = 'hooks: {before_tool_call: [{type: command, command: "true"}]}';
  const place = placeFor(name, { 'hooks.yaml': policy }, { onPath: true });
  await place.hooks('trust', '--yes');
  await place.hooks('install', '--for', name);
  return place;
}

/** Switches the hooks of an agent off, as a user can. */
const SWITCH_OFF: Readonly<Record<InstallableName, (place: Place) => void>> = {
  'claude-code': ({ workspace }) =>
    writeFileSync(join(workspace, '.claude/settings.local.json'), '{"disableAllHooks":true}'),
  codex: ({ home }) => appendFileSync(join(home, '.codex/config.toml'), 'hooks = false\n'),
  gemini: (place) => {
    const path = REAL_AGENTS.gemini.settings(place);
    const settings = { ...JSON.parse(readFileSync(path, 'utf8')), hooksConfig: { enabled: false } };
    writeFileSync(path, JSON.stringify(settings));
  },
};

/** Has an agent trust the folder, as a person does in the agent's own interface. */
const TRUST: Readonly<Record<InstallableName, (place: Place) => void>> = {
  'claude-code': ({ home, workspace }) =>
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ projects: { [realpathSync(workspace)]: { hasTrustDialogAccepted: true } } }),
    ),
  codex: (place) =>
    appendFileSync(
      join(place.home, '.codex/config.toml'),
      `${trustOfCodex(REAL_AGENTS.codex.settings(place))}[features]\nunified_exec_tty = false\n`,
    ),
  gemini: ({ home, workspace }) =>
    writeFileSync(
      join(home, '.gemini/trustedFolders.json'),
      JSON.stringify({ [realpathSync(workspace)]: 'TRUST_FOLDER' }),
    ),
};

/** Settings beside the hooks: some make the agent skip the whole file, some only themselves. */
const FAULTS: readonly (readonly [name: 'claude-code' | 'codex', fields: object, skipsFile: boolean])[] = [
  ['claude-code', { permissions: 'x' }, true],
  ['claude-code', { permissions: { allow: [1, 'Bash(('] }, unknown: 1 }, false],
  // Its own words stand in what the agent says about it.
  ['claude-code', { enabledPlugins: { 'x was ignored': { no: 'plugin' } } }, true],
  ['codex', { unknown: 1 }, true],
  ['codex', { description: 'hooks' }, false],
];

describe('hooks doctor asks the agent itself', () => {
  test.concurrent.each(FAULTS)('%s with %j', async (name, fields, skipsFile) => {
    if (!isInstalled(name)) return;
    const place = await installed(name);
    TRUST[name](place);
    const path = REAL_AGENTS[name].settings(place);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...fields }));
    const { said, exitCode } = await place.hooks('doctor', '--drive');
    const skipped =
      /Claude Code skips the file: .*(?:permissions|was ignored)|Codex does not load its hooks: .*unknown/;
    expect(skipped.test(said)).toBe(skipsFile);
    expect(said).toContain(skipsFile ? 'is OPEN, driven' : 'driven: it asked its hooks');
    expect(said).not.toContain('did not say');
    expect(exitCode).toBe(skipsFile ? 1 : 0);
  });
});

describe.each(INSTALLABLE_NAMES)('hooks doctor --drive with %s', (name) => {
  const real = test.skipIf(!isInstalled(name)).concurrent;

  real('it sees whether the agent asks its hooks: installed, and switched off', async () => {
    const place = await installed(name);
    TRUST[name](place);
    expect(await place.hooks('doctor', '--drive')).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining(`${name}, driven: it asked its hooks`),
    });
    SWITCH_OFF[name](place);
    expect(await place.hooks('doctor', '--drive')).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining(`${name} is OPEN, driven: it ran a command`),
    });
  });
});
