export { type Claim, type ClaimOptions, claim } from './claim.ts';
export {
  APPEND_MS,
  type Appended,
  type Count,
  type Counted,
  type KeyedValue,
  type LogWrite,
  PORTION_BYTES,
  REQUEST_MS,
  type StoreDriver,
  type StoredRecord,
  type StoredValue,
  type ValueWrite,
  type WriteListener,
} from './driver.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './error.ts';
export type { Watching } from './listeners.ts';
export { memoryStore } from './memory.ts';
export {
  type AppendOptions,
  createStore,
  type Entry,
  type LogRecord,
  type SetOptions,
  type Store,
  type StoreOptions,
  type WriteOptions,
} from './store.ts';
export { type WaitForOptions, waitFor } from './wait-for.ts';
export { whyNoPath } from './why-no-path.ts';
