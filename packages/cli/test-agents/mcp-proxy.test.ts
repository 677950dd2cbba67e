import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInstalled, placeFor } from './drive.ts';
import { AGENT_NAMES } from './packages.ts';

/* `hooks mcp` between an MCP server and an agent without hooks. */

describe.each(AGENT_NAMES)('a server behind hooks mcp in %s', (name) => {
  const real = test.skipIf(!isInstalled(name));

  real.concurrent('gets the calls that the policy allows, and its results are redacted', async () => {
    const options = { server: 'weather', proxy: './policies/by-city.ts' };
    const place = placeFor(name, { answer: 'SECRET of {city}' }, options);
    const call = (city: string) => ({ mcp: 'weather', input: { city } });
    const { results, modelRead } = await place.run([call('Oslo'), call('Rom'), call('Atlantis')]);
    expect(results).toEqual([
      expect.stringContaining('*** of Oslo'),
      expect.stringContaining('*** of Rome'),
      expect.stringContaining('There is no such city.'),
    ]);
    expect(modelRead('SECRET')).toBe(false);
    expect(readFileSync(join(place.workspace, 'asked'), 'utf8')).toBe('Oslo\nRome\n');
  });
});
