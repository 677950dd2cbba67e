import { project } from '@hooks/testing/vitest';

export default project('language-model');
