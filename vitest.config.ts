import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { projects: ['packages/*', '!packages/testing', 'apps/*', '!apps/examples', 'apps/examples/*'] },
});
