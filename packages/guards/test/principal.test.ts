import { type AdapterHarness, Stage } from '@hooks/conformance';
import { testAgent } from '@hooks/core/testing';
import { HARNESSES } from '@hooks/testing/adapters';
import { describe, expect, test } from 'vitest';
import { requirePrincipal } from '../src/index.ts';

describe.each(HARNESSES)('requirePrincipal in $name', ({ harness: url }) => {
  test('calls no model for nobody, and lets a user pass', async () => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, false);
    stage.hooks.use(requirePrincipal());
    const script = [
      { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
      { text: 'Done.' },
    ];
    const nobody = await stage.play(script);
    expect(nobody.requests).toEqual([]);
    expect(nobody.result.blockReason).toContain('option `principal`');
    const actor = await stage.agent(script, { attach: { principal: 'outer' } });
    const { result } = await actor.run({ user: 'ann' });
    expect(result.text).toBe('Done.');
    expect(stage.ran).toHaveLength(1);
  });
});

test.each([
  [{}, { id: 'ann' }, 'ok'],
  [{}, undefined, 'blocked'],
  [{ role: 'agent' }, { id: 'ann', roles: ['agent'] }, 'ok'],
  [{ role: ['agent', 'lead'] }, { id: 'ann', roles: ['lead'] }, 'ok'],
  [{ role: 'agent' }, { id: 'ann' }, 'blocked'],
  [{ tenant: true }, { id: 'ann', tenant: 'acme' }, 'ok'],
  [{ tenant: true }, { id: 'ann' }, 'blocked'],
  [{ tenant: true }, { id: 'ann', tenant: ' ' }, 'blocked'],
  [{ tenant: true }, { id: 'ann', tenant: '\u00ad' }, 'blocked'],
  [{ tenant: ['acme'] }, { id: 'ann', tenant: 'other' }, 'blocked'],
] as const)('with %j, a tool call of %j is %s', async (options, principal, status) => {
  const agent = testAgent(requirePrincipal(options), principal && { principal });
  expect(await agent.callTool('refund', {})).toMatchObject({ status });
});
