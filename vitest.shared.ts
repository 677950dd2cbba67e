import { defineProject } from 'vitest/config';

/**
 * The vitest project of one package: run-time tests in `test/*.test.ts`, type tests in `test/*.test-d.ts`,
 * every workspace package resolved to its sources, so that nothing has to be built first.
 */
export function project(name: string): ReturnType<typeof defineProject> {
  return defineProject({
    ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      // A bound for what hangs, not a measure: machines are slow in ways that a test cannot know.
      testTimeout: 60_000,
      typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
    },
  });
}
