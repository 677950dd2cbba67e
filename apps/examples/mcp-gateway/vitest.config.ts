import { project } from '@hooks/testing/vitest';

export default project('example-mcp-gateway');
