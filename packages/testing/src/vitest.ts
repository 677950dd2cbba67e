import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Files that are excluded from coverage, because most machines lack what their tests need. */
const notCounted = {
  'src/docker-driver.ts': 'a Docker engine',
  'src/remote/remote-driver.ts': 'a Docker engine as the remote machine',
  'src/e2b.ts': 'an account with E2B',
  'src/daytona.ts': 'an account with Daytona',
};

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

// Tests start hundreds of Node processes that load the same frameworks, so let them share compiled code.
process.env['NODE_COMPILE_CACHE'] ??= here('../node_modules/.cache/compiled');

// A developer's run, and `.ci/run`, draw a part of the samples. CI on GitHub draws all.
process.env['HOOKS_RANDOM'] ??= '0.1';

// Tests wait for processes and servers half of the time. Under turbo, the tests of other packages run meanwhile.
const maxWorkers = Math.ceil(availableParallelism() * (process.env['TURBO_HASH'] === undefined ? 1.5 : 0.25));

/** Settings of a package. */
interface Options {
  /** Whether each test file gets a process of its own. By default, files share one and load frameworks once. */
  readonly isolate?: boolean;
}

/**
 * The vitest project of one package: tests in `test/*.test.ts`, with every workspace package resolved to its sources, so
 * that no build is needed. `pnpm check` runs the type tests in `test/*.test-d.ts` by `typecheck`.
 */
export function project(name: string, { isolate = false }: Options = {}): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@hooks/source', 'node', 'module', 'development|production'] } },
    test: {
      name,
      isolate,
      maxWorkers,
      include: ['test/**/*.test.ts'],
      globalSetup: [here('run-folder.ts')],
      setupFiles: [here('in-run-folder.ts')],
      // What a passing test logs, such as the warnings that hooks failed, is what it expects.
      silent: 'passed-only',
      // Only stop hanging tests. Generous: a machine with much else to do may stand still for a minute.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 120_000 } },
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
