import { project } from '@hooks/testing/vitest';

export default project('claude-agent-sdk');
