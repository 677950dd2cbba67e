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
