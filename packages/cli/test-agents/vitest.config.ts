import { project } from '@hooks/testing/vitest';
import { mergeConfig, type ViteUserConfig } from 'vitest/config';

/** The suite that drives the real agents. A run takes two to ten seconds, most of it the agent's own start. */
const config: ViteUserConfig = mergeConfig(project('agents'), {
  test: {
    dir: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: [`${import.meta.dirname}/install.ts`],
    // Agents are processes, and start slowly where many do.
    maxConcurrency: 2,
    testTimeout: 120_000,
    maxWorkers: 2,
  },
});

export default config;
