import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** What is not counted, since most machines lack what its tests need: they run, and count, where it is. */
const notCounted = {
  'src/docker-driver.ts': 'a Docker engine',
  'src/remote/remote-driver.ts': 'a Docker engine, as the machine elsewhere',
  'src/e2b.ts': 'an account with E2B',
  'src/daytona.ts': 'an account with Daytona',
};

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

// Tests start hundreds of Node processes, which load the same frameworks: they compile them once.
process.env['NODE_COMPILE_CACHE'] ??= here('../node_modules/.cache/compiled');

/** Settings that packages choose. */
interface Options {
  /** Whether each test file gets a process of its own. By default, files share one and load frameworks once. */
  readonly isolate?: boolean;
}

/**
 * The vitest project of one package: tests in `test/*.test.ts`, every workspace package resolved to its sources, so that
 * nothing has to be built first. Type tests in `test/*.test-d.ts` belong to `typecheck`, which `pnpm check` runs.
 */
export function project(name: string, { isolate = false }: Options = {}): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
    test: {
      name,
      isolate,
      include: ['test/**/*.test.ts'],
      globalSetup: [here('run-folder.ts')],
      setupFiles: [here('in-run-folder.ts')],
      // A bound for what hangs, not a measure: machines are slow in ways that a test cannot know.
      testTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      coverage: {
        provider: 'custom',
        customProviderModule: here('coverage.ts'),
        include: ['src/**/*.ts'],
        exclude: Object.keys(notCounted),
        autoAttachSubprocess: true,
        reporter: ['text'],
        thresholds: { lines: 95 },
      },
    },
  });
}
