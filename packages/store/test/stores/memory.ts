import { memoryStore, type Store } from '../../src/index.ts';

export const open = (): Store => memoryStore();
