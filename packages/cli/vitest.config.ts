import { fileURLToPath } from 'node:url';
import { project } from '@hooks/testing/vitest';
import { mergeConfig } from 'vitest/config';

// `hooks view` serves the page of @hooks/view, which has to be built.
export default mergeConfig(project('cli'), {
  test: { globalSetup: [fileURLToPath(new URL('../view/test/built-page.ts', import.meta.url))] },
});
