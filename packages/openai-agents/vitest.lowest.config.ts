import { defineConfig } from 'vitest/config';

/** The plain SDK's tests, against the lowest `openai` of the peer range; of `@openai/agents` there is one version in it. */
export default defineConfig({
  resolve: { alias: [{ find: /^openai(?=\/|$)/, replacement: 'openai-lowest' }] },
  ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
  test: { name: 'openai-agents, lowest', isolate: false, include: ['test/openai.test.ts'] },
});
