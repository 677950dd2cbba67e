import { defineConfig } from 'vitest/config';

/** What depends on the AI SDK's own behavior most, against the lowest version that the peer range allows. */
export default defineConfig({
  resolve: { alias: [{ find: /^ai(?=\/|$)/, replacement: 'ai-lowest' }] },
  ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
  test: {
    name: 'ai-sdk, lowest',
    isolate: false,
    // As with the newest versions: only stops hanging tests.
    testTimeout: 60_000,
    include: [
      'answered-requests',
      'approval',
      'experimental',
      'hostile-client',
      'hostile-model',
      'streams',
      'tool-choice',
    ].map((name) => `test/${name}.test.ts`),
  },
});
