import { project } from '@hooks/testing/vitest';

export default project('example-shared-budget');
