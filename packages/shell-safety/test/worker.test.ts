import { run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

test('a worker whose analysis does not end is stopped, refuses the call, and the next call gets another worker', async () => {
  const preloaded = new URL('programs/endless.mjs', import.meta.url);
  const output = await run(new URL('programs/stopped.ts', import.meta.url), {
    NODE_OPTIONS: `--import ${preloaded.href}`,
  });
  expect(output.trim().split('\n')).toEqual([
    // One worker for all calls.
    'fine filesystem/delete fine lost-work/discard 1',
    // Those that waited behind the stopped call are judged by the second one.
    'unjudged/too-much fine filesystem/delete fine lost-work/discard 2',
    'DataCloneError',
    'filesystem/delete 2',
  ]);
});
