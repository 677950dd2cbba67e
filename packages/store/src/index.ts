export { type Claim, type ClaimOptions, claim } from './claim.ts';
export type {
  Appended,
  Count,
  Counted,
  KeyedValue,
  LogWrite,
  StoreDriver,
  StoredValue,
  ValueWrite,
} from './driver.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './error.ts';
export { memoryStore } from './memory.ts';
export {
  type AppendOptions,
  createStore,
  type Entry,
  type LogRecord,
  type SetOptions,
  type Store,
  type StoreOptions,
} from './store.ts';
export { type WaitForOptions, waitFor } from './wait-for.ts';
