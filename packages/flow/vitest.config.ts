import { project } from '@hooks/testing/vitest';

export default project('flow');
