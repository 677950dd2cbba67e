import { defineConfig } from 'vitest/config';

/** The tests that need nothing but Mastra's core, against the lowest version that the peer range allows. */
export default defineConfig({
  resolve: { alias: [{ find: /^@mastra\/core(?=\/|$)/, replacement: 'mastra-core-lowest' }] },
  ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
  test: {
    name: 'mastra, lowest',
    isolate: false,
    // As with the newest versions: only stops hanging tests.
    testTimeout: 60_000,
    include: [
      'answered-again',
      'answers',
      'approval',
      'compaction',
      'displaced',
      'equal-calls',
      'internals',
      'legacy',
      'listed-tools',
      'made-tools',
      'messages-during-run',
      'model-calls',
      'nested-calls',
      'nested-gates',
      'other-model',
      'other-paths',
      'network',
      'own-approval',
      'paused-run',
      'prompts-and-runs',
      'provider-metadata',
      'run-options',
      'signal-tools',
      'subagents',
      'tool-calls',
      'two-registries',
    ].map((name) => `test/${name}.test.ts`),
  },
});
