import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Whoever imports LangChain gets what `test/lowest` has of it: the lowest versions that the peer ranges allow. */
const importer = fileURLToPath(new URL('test/lowest/package.json', import.meta.url));

export default defineConfig({
  plugins: [
    {
      name: 'lowest-langchain',
      enforce: 'pre',
      async resolveId(id, from) {
        if (from === importer || !/^(@langchain\/|langchain$)/.test(id)) return undefined;
        return this.resolve(id, importer);
      },
    },
  ],
  ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
  test: {
    name: 'langchain, lowest',
    isolate: false,
    // As with the newest versions: only stops hanging tests.
    testTimeout: 60_000,
    env: { HOOKS_LOWEST: '1' },
    include: ['test/**/*.test.ts'],
    // `conformance` is on MCP too, of which there is no lowest version here; with a response format the lowest calls no
    // tools; processes of their own find the newest; the others look at sources.
    exclude: ['conformance', 'response-format', 'restarts', 'entries', 'readme'].map(
      (name) => `test/${name}.test.ts`,
    ),
  },
});
