import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** For `pnpm mutate`: the tests of behaviour, without those that compile, bundle or read the sources. */
export default mergeConfig(
  config,
  defineConfig({
    test: {
      exclude: [
        'test/{architecture,bench,close-on-exit,compiler,cost,readme,two-copies}.test.ts',
        'test/consumer/**',
        'test/acme-deploy/**',
      ],
    },
  }),
);
