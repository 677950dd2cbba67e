import { addContext, BeforeModelCall, createHooks } from '@hooks/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

test.each([
  ['the same change', () => 'Be quick.', 'answered'],
  ['another change', (asked: number) => `Request ${asked}.`, 'refused'],
] as const)(
  'a repeated request that has the instructions of Mastra for structured output: hooks make %s',
  async (_what, contextOf, outcome) => {
    await using server = await serve([{ status: 503, error: 'Busy.' }, { text: '{"a":1}' }]);
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeModelCall, () => addContext(contextOf(++asked)));
    const agent = quiet(hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server) }, hooks));
    const structuredOutput = { schema: z.object({ a: z.number() }), jsonPromptInjection: true };
    const { tripwire } = await runAgent(agent, 'Go', false, {
      structuredOutput,
      modelSettings: { maxRetries: 1 },
    });
    expect([asked, server.requests.length]).toEqual([2, outcome === 'answered' ? 2 : 1]);
    if (outcome === 'answered') expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    else expect(tripwire?.reason).toContain('maxRetries: 0');
  },
);
