import { defineConfig } from 'vitest/config';

/** `vitest` in this folder runs all projects at once; `pnpm coverage` does, and says which lines no test runs. */
export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'examples/*'],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: [['text-summary'], ['json-summary'], ['lcov']],
      thresholds: { lines: 95 },
    },
  },
});
