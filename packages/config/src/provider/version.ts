import type { HookEntry } from '../entry.ts';
import { hash } from '../trust/hash.ts';

/** A hash of the content of hooks, independent of their position. */
export function versionOf(entries: readonly HookEntry[]): string {
  return hash(JSON.stringify(entries.map(({ origin: _, ...entry }) => entry)));
}

/** The hash of the hooks for an event; undefined if there are none. */
export function versionOfAsked(entries: readonly HookEntry[]): string | undefined {
  return entries.length === 0 ? undefined : versionOf(entries);
}
