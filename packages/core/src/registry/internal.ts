import type { AttachedAdapters } from '../adapter/attached.ts';
import type { Chain, Owner, Registration } from '../dispatch/chain.ts';
import type { PointData } from '../event/event.ts';
import type { Hooks, HooksOptions } from './hooks.ts';

/** What other folders of core need from a registry. */
export interface HooksInternal extends Owner {
  readonly options: HooksOptions;
  /** The adapters that are attached; none until `attachAdapter`. */
  adapters?: AttachedAdapters;
  /** The hooks. A new array whenever one is registered or removed. */
  registrations(): readonly Registration[];
  /** The compiled hooks of an event and tool. */
  chain(point: PointData, toolName?: string): Chain;
  warnOnce(message: string): void;
  /** Makes `hooks.settled` wait for the end of a run. */
  keepEnd(promise: PromiseLike<unknown>): void;
}

/** The internals of a registry. */
export function internalOf(hooks: Hooks): HooksInternal {
  // The public type hides it, so that users cannot build on it.
  return hooks['~internal'] as HooksInternal;
}
