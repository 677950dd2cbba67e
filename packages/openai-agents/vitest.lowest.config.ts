import { defineConfig } from 'vitest/config';

/** The plain SDK's tests, against the lowest `openai` of the peer range; of `@openai/agents` there is one version in it. */
export default defineConfig({
  resolve: { alias: [{ find: /^openai(?=\/|$)/, replacement: 'openai-lowest' }] },
  ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
  test: {
    name: 'openai-agents, lowest',
    isolate: false,
    // As with the newest versions: only stops hanging tests.
    testTimeout: 60_000,
    include: ['test/openai.test.ts'],
  },
});
