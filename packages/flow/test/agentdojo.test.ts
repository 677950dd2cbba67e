import type { AdapterHarness } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { expect, test } from 'vitest';
import { play } from '../bench/agentdojo/play.ts';
import { policies } from '../bench/agentdojo/policies.ts';
import { readSuite } from '../bench/agentdojo/suite.ts';

// The figures of the README.
const figures = [
  ['banking', 'ours', { untouched: 13, asked: 3, stopped: 144, pairs: 144 }],
  ['banking', 'none', { untouched: 9, asked: 8, stopped: 144, pairs: 144 }],
  ['slack', 'none', { untouched: 5, asked: 24, stopped: 84, pairs: 105 }],
  ['slack', 'ours', { untouched: 4, asked: 25, stopped: 105, pairs: 105 }],
] as const;

test.each(sampled(figures, figures.length, 0))(
  'AgentDojo, %s, policy: %s',
  { timeout: 300_000 },
  async (suite, policy, expected) => {
    const { harness: url } = HARNESSES.find(({ name }) => name === 'ai-sdk') ?? { harness: '' };
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    const score = await play(readSuite(suite), policy === 'ours' ? (policies[suite] ?? {}) : {}, harness);
    expect({ ...score, asked: score.asked.length }).toMatchObject(expected);
  },
);
