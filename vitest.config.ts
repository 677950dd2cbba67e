import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { projects: ['packages/*', '!packages/testing', 'apps/{demo,docs}', 'apps/examples/*'] },
});
