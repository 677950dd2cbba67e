import type { HookEntry } from '../entry.ts';
import { hash } from '../trust/hash.ts';

/** A hash of hooks: of what they are, not of where they stand. */
export function versionOf(entries: readonly HookEntry[]): string {
  return hash(JSON.stringify(entries.map(({ origin: _, ...entry }) => entry)));
}

/** The same of hooks that are asked about an event; nothing where there are none. */
export function versionOfAsked(entries: readonly HookEntry[]): string | undefined {
  return entries.length === 0 ? undefined : versionOf(entries);
}
