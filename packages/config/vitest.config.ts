import { project } from '@hooks/testing/vitest';

// In one process, the hundreds of children that its tests start are forked from a larger one.
export default project('config', { isolate: true });
