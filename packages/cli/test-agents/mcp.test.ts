import { describe, expect, test } from 'vitest';
import { hooksRun, isInstalled, placeFor } from './drive.ts';
import { AGENT_NAMES } from './packages.ts';

/* The tools of MCP servers. Agents handle their results separately. */

describe.each(AGENT_NAMES)('an MCP tool in %s', (name) => {
  const real = test.skipIf(!isInstalled(name));
  const policed = (policy: string) => {
    const place = placeFor(name, { answer: 'SECRET of {city}' }, { server: 'weather' });
    place.register(hooksRun(name, policy), ['call', 'result']);
    return place;
  };

  real.concurrent('runs, and a policy can replace or withhold its result', async () => {
    const call = (key: string) => ({ mcp: 'weather', input: { city: key } });
    const { results } = await policed('./policies/decides.ts').run([
      call('Rome'),
      call('output-of-result'),
      call('block-of-result'),
      call('block-of-call'),
    ]);
    expect(results).toEqual([
      expect.stringContaining('SECRET of Rome'),
      expect.stringContaining('REPLACED output-of-result'),
      expect.not.stringContaining('SECRET'),
      expect.stringContaining('REASON block-of-call'),
    ]);
  });
});
