import { project } from '@hooks/testing/vitest';
import { mergeConfig, type ViteUserConfig } from 'vitest/config';

/** The suite with the real agents. A run takes two to ten seconds, most of it for the agent's start. */
const config: ViteUserConfig = mergeConfig(project('agents'), {
  test: {
    dir: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: [`${import.meta.dirname}/install.ts`],
    // Agents are processes that start slowly when many start at once.
    maxConcurrency: 2,
    testTimeout: 120_000,
    maxWorkers: 2,
  },
});

export default config;
