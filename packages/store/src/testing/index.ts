export { type StoreModule, type StoreUnderTest, testStore } from './test-store.ts';
