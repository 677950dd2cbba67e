export type { StoreModule } from './process.ts';
export type { StoreUnderTest } from './stage.ts';
export { testStore } from './test-store.ts';
