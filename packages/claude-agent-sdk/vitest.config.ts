import { project } from '@hooks/testing/vitest';
import { mergeConfig } from 'vitest/config';

export default mergeConfig(project('claude-agent-sdk'), {
  test: { globalSetup: ['test/program.ts'], maxConcurrency: 3 },
});
