import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hooksRunFile, isInstalled, placeFor } from './drive.ts';

/* Which files of a workspace set variables for hooks: those of the table in `src/workspace-variables.ts`. */

/** Files that some agent reads, each with a variable of its own. */
const FILES = {
  '.claude/settings.json': '{"env": {"OF_CLAUDE": "1"}}',
  '.claude/settings.local.json': '{"env": {"OF_CLAUDE_LOCAL": "1"}}',
  '.codex/config.toml': '[shell_environment_policy]\nset = { OF_CODEX = "1" }\n',
  '.codex/.env': 'OF_CODEX_ENV=1\n',
  '.gemini/.env': 'OF_GEMINI=1\n',
  '.github/copilot/settings.json': '{"env": {"OF_COPILOT": "1"}}',
  '.env': 'OF_DOTENV=1\n',
};

describe.each([
  ['claude-code', ['.claude/settings.local.json', '.claude/settings.json']],
  ['codex', []],
  ['copilot', []],
  // It reads one of them.
  ['gemini', ['.gemini/.env', '.env']],
] as const)('%s', (name, read) => {
  const real = test.skipIf(!isInstalled(name));

  const placed = (without: readonly string[]) => {
    const place = placeFor(name, {
      'hooks.yaml': 'hooks: {before_tool_call: [{type: command, command: "env > seen"}]}\n',
    });
    for (const [file, text] of Object.entries(FILES)) {
      if (without.includes(file)) continue;
      mkdirSync(dirname(join(place.workspace, file)), { recursive: true });
      writeFileSync(join(place.workspace, file), text);
    }
    return place;
  };
  const variablesIn = (file: string): readonly string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^(OF_\w+)=/gm)].map(([, variable = '']) => variable);

  real.each([[[]], [read.slice(0, 1)]])(
    'sets no variables of other files of a workspace, without %j',
    async (without) => {
      const place = placed(without);
      place.register('cat >/dev/null; env > seen', ['prompt']);
      // Codex reads nothing of a project that is not trusted.
      const trusted = ['-c', `projects={"${place.workspace}"={trust_level="trusted"}}`];
      await place.run([{ shell: 'echo hi' }], { args: name === 'codex' ? trusted : [] });
      const known = read.flatMap((file) => /OF_\w+/.exec(FILES[file])?.[0] ?? []);
      const seen = variablesIn(join(place.workspace, 'seen'));
      expect(known).toEqual(expect.arrayContaining([...seen]));
      if (read.length > 0) expect(seen).not.toEqual([]);
    },
  );

  real('passes none of them to a policy', async () => {
    const place = placed([]);
    await place.hooks('trust', '--yes');
    place.register(hooksRunFile(name, join(place.workspace, 'hooks.yaml')), ['call']);
    const { results } = await place.run([{ shell: 'echo hi' }]);
    expect(results).toEqual([expect.stringContaining('hi')]);
    expect(variablesIn(join(place.workspace, 'seen'))).toEqual([]);
  });
});
