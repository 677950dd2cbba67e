import { fileURLToPath } from 'node:url';
import { project } from '@hooks/testing/vitest';
import { mergeConfig } from 'vitest/config';

export default mergeConfig(project('view'), {
  test: { globalSetup: [fileURLToPath(new URL('test/built-page.ts', import.meta.url))] },
});
