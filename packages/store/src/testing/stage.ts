import type { Store } from '../store.ts';
import type { OtherProcess, TaskName } from './process.ts';

/** A store that has to pass the contract. */
export interface StoreUnderTest {
  /** A module that exports `open(space)`: other processes import it, too. */
  readonly module: URL;
  /** `false` for a store of one process. */
  readonly shared?: boolean;
  /** `true` for a store that tells of writes with `notify`, so that nobody has to read again and again. */
  readonly tells?: boolean;
  /** How many rows or keys the store of that name takes up, whatever they are. Where it is given, expiry is held against it. */
  readonly remains?: (space: string) => number | Promise<number>;
  /** Stops the server, and starts it with the same data. */
  readonly server?: {
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Its port on loopback. Where it is given, writes are held against a network that fails. */
    readonly port?: number;
  };
}

/** What the parts of the contract run on. */
export interface Stage extends Pick<StoreUnderTest, 'remains' | 'server' | 'tells'> {
  /** A new, empty store. */
  open(): Promise<Store>;
  /** A new name for a store. */
  space(): string;
  /** The store of that name. */
  openAt(space: string, port?: number): Promise<Store>;
  /** Another process, which has opened the store of that name. */
  start(space: string, task: TaskName, clockAheadMs?: number): Promise<OtherProcess>;
}
