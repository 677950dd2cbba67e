import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInstalled, placeFor } from './drive.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const plugin = readFileSync(
  new URL('../../../apps/docs/pages/reference/opencode.ts', import.meta.url),
  'utf8',
);

/** What an installed `npx --no-install hooks` does. */
const npx = `#!/bin/sh\nshift 2\nexec '${process.execPath}' --conditions=@hooks/source '${main}' "$@"\n`;

describe('OpenCode with the plugin of the documentation', () => {
  const real = test.skipIf(!isInstalled('opencode'));
  const policy = `hooks:
  before_tool_call:
    - { type: command, command: "if grep -q precious; then echo precious stays >&2; exit 2; fi" }
  after_tool_call:
    - { type: command, command: "if grep -q SECRET; then echo not for you >&2; exit 2; fi" }
`;
  const placed = async (trusts: boolean) => {
    const files = {
      'hooks.yaml': policy,
      'hooks-plugin.ts': plugin,
      precious: '',
      notes: 'kept',
      other: 'SECRET',
    };
    const place = placeFor('opencode', files);
    writeFileSync(join(place.home, 'bin/npx'), npx, { mode: 0o755 });
    if (trusts) await place.hooks('trust', '--yes');
    return place.run([{ shell: 'cat notes' }, { shell: 'rm precious' }, { shell: 'cat other' }]);
  };

  real('refuses a call, withholds a result, and lets the others pass', async () => {
    const { results, exists, modelRead } = await placed(true);
    expect(results).toEqual([
      expect.stringContaining('kept'),
      expect.stringContaining('precious stays'),
      expect.stringContaining('not for you'),
    ]);
    expect(exists('precious')).toBe(true);
    expect(modelRead('SECRET')).toBe(false);
  });

  real('replaces results of MCP servers, and knows their tools by the server', async () => {
    const files = {
      'hooks.yaml': `hooks:
  before_tool_call:
    - matcher: mcp__stations__read_weather
      hooks: [{ type: command, command: "if grep -q Rome; then echo not Rome >&2; exit 2; fi" }]
  transform_tool_result:
    - { type: builtin, command: redact_secrets }
`,
      'hooks-plugin.ts': plugin,
      answer: 'sunny in {city}, key AKIAQ3EGRZ7XWPLMNB45',
    };
    const place = placeFor('opencode', files, { server: 'read_weather' });
    writeFileSync(join(place.home, 'bin/npx'), npx, { mode: 0o755 });
    await place.hooks('trust', '--yes');
    const { results, modelRead } = await place.run(
      ['Rome', 'Bern'].map((city) => ({ mcp: 'read_weather', input: { city } })),
    );
    expect(results).toEqual([
      expect.stringContaining('not Rome'),
      expect.stringMatching(/sunny in Bern, key (?!AKIA)/),
    ]);
    expect(modelRead('AKIAQ3EGRZ7XWPLMNB45')).toBe(false);
  });

  real('runs nothing if the policy does not answer', async () => {
    const { results, exists } = await placed(false);
    expect(results[1]).toContain('is not trusted');
    expect(exists('precious')).toBe(true);
  });
});
