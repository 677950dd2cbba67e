import { run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

test('guards with a time limit refuse a command whose analysis does not end, and judge the next', async () => {
  // Preloaded in both threads: whichever parses the command hangs.
  const endless = new URL('../../shell-safety/test/programs/endless.mjs', import.meta.url);
  const output = await run(new URL('programs/stopped-analysis.ts', import.meta.url), {
    NODE_OPTIONS: `--import ${endless.href}`,
  });
  expect(output.trim().split('\n')).toEqual([
    'ok ',
    expect.stringContaining('blocked Blocked (unjudged/too-much)'),
    expect.stringContaining('blocked Blocked (lost-work/discard)'),
    expect.stringContaining('blocked Blocked (filesystem/delete)'),
    'ok ',
    expect.stringContaining('blocked Blocked (unjudged/too-much)'),
    expect.stringContaining('blocked Blocked (sensitive-path/'),
  ]);
});
