import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../scripts/bundle.ts';

/** A Node that is too old for the command may be the first on an agent's PATH. */

const dir = fileURLToPath(new URL('../.turbo/old-node', import.meta.url));
const main = join(dir, 'hooks.cjs');
const event = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}';
beforeAll(() => bundle(dir));

/** Programs called `node` on the PATH and in Debian's folders that are older than 22.18. */
const oldNodes = ['/usr/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(delimiter)]
  .map((folder) => join(folder, 'node'))
  .map((node) => ({
    node,
    version: String(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).trim(),
  }))
  .filter(({ version }) => /^v(?:\d|1\d|2[01]|22\.(?:\d|1[0-7]))\./.test(version))
  .filter(({ version }, index, all) => all.findIndex((one) => one.version === version) === index);

describe.skipIf(oldNodes.length === 0)('a real old Node', () => {
  test.each(oldNodes)('$version refuses as a hook, and tells which Node is needed', ({ node, version }) => {
    expect(
      spawnSync(node, [main, 'run', '--as', 'claude-code'], { input: event, encoding: 'utf8' }),
    ).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`hooks needs Node 22.18 or later; this is ${version} (`),
    });
  });

  test.each(oldNodes)('$version fails for any other command', ({ node }) => {
    expect(spawnSync(node, [main, 'validate'], { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('hooks needs Node 22.18'),
    });
  });
});

test.each(['0.10.48', '18.20.8', '22.17.1'])('Node %s refuses before anything else is loaded', (version) => {
  const first = join(temporaryFolder(), 'first.cjs');
  writeFileSync(
    first,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });
    process.on('exit', () => require('node:fs').writeSync(1, Object.keys(require.cache).join('\\n')));`,
  );
  const ended = spawnSync(process.execPath, ['--require', first, main, 'run'], {
    input: event,
    encoding: 'utf8',
  });
  expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining('hooks needs Node 22.18') });
  expect(ended.stdout.split('\n')).toEqual([first, main]);
});
