import { describe, expect, test } from 'vitest';
import { hooksRun, isInstalled, placeFor } from './drive.ts';
import { AGENT_NAMES } from './packages.ts';

describe.each(AGENT_NAMES)('%s', (name) => {
  test.skipIf(!isInstalled(name)).concurrent('runs a tool without hooks', async () => {
    const { results, exists, exitCode, turns, said } = await placeFor(name, { notes: 'kept' }).run([
      { shell: 'cat notes; rm notes' },
      { text: 'All done here.' },
    ]);
    expect({ exitCode, turns, said }).toEqual({
      exitCode: 0,
      turns: 2,
      said: expect.stringContaining('All done here.'),
    });
    expect(results).toEqual([expect.stringContaining('kept')]);
    expect(exists('notes')).toBe(false);
  });

  test.skipIf(!isInstalled(name)).concurrent('does not run a call that a policy refuses', async () => {
    const place = placeFor(name, { precious: '' });
    place.register(hooksRun(name, './policies/blocks.ts'), ['call']);
    const { results, exists } = await place.run([{ shell: 'rm precious' }]);
    expect(results).toEqual([expect.stringContaining('precious stays; work on a copy')]);
    expect(exists('precious')).toBe(true);
  });
});
