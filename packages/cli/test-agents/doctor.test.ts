import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustOfCodex } from '../test/codex-trust.ts';
import { REAL_AGENTS } from './agents/all.ts';
import { isInstalled, type Place, placeFor } from './drive.ts';
import { AGENT_NAMES, type AgentName } from './packages.ts';

/** A place with an installed policy that lets everything pass. */
async function installed(name: AgentName): Promise<Place> {
  const policy = 'hooks: {before_tool_call: [{type: command, command: "true"}]}';
  const place = placeFor(name, { 'hooks.yaml': policy }, { onPath: true });
  await place.hooks('trust', '--yes');
  await place.hooks('install', '--for', name);
  return place;
}

/** Switches the hooks of an agent off, as a user can. */
const SWITCH_OFF: Readonly<Record<AgentName, (place: Place) => void>> = {
  'claude-code': ({ workspace }) =>
    writeFileSync(join(workspace, '.claude/settings.local.json'), '{"disableAllHooks":true}'),
  codex: ({ home }) => appendFileSync(join(home, '.codex/config.toml'), 'hooks = false\n'),
  gemini: (place) => {
    const path = REAL_AGENTS.gemini.settings(place);
    const settings = { ...JSON.parse(readFileSync(path, 'utf8')), hooksConfig: { enabled: false } };
    writeFileSync(path, JSON.stringify(settings));
  },
};

describe.each(AGENT_NAMES)('hooks doctor --drive with %s', (name) => {
  const { settings } = REAL_AGENTS[name];
  const real = test.skipIf(!isInstalled(name)).concurrent;

  real('sees that it asks its hooks, and that it does not once they are switched off', async () => {
    const place = await installed(name);
    // As a person does in Codex's own interface.
    if (name === 'codex')
      appendFileSync(
        join(place.home, '.codex/config.toml'),
        `${trustOfCodex(settings(place))}[features]\nunified_exec_tty = false\n`,
      );
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
