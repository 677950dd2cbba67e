import { project } from '@hooks/testing/vitest';

export default project('example-mastra-server');
