export { memoryStore as open } from '../../src/index.ts';
