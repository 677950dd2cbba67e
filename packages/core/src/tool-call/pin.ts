import { hashInput } from '../approval/hash.ts';
import type { ToolDescriptor } from '../event/catalogue/groups.ts';
import { type SessionKey, sessionKey } from '../session/session.ts';

/** A digest of a tool's description and input schema: an approval that is remembered belongs to it. */
export async function toolDigest(tool: ToolDescriptor | undefined): Promise<string> {
  return hashInput([tool?.description ?? null, (await tool?.inputSchema?.()) ?? null]);
}

/** Where pins are kept. A store of `@hooks/store` is one. */
export interface PinStore {
  get(key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Writes a value where there is none; resolves to `undefined` where there is one. */
  set(key: string, value: unknown, options: { readonly expected: null }): Promise<unknown>;
}

/** What is said of a tool, by name: its description, its schema. What is `undefined` is not said. */
export interface ToolWords {
  readonly [part: string]: unknown;
}

/**
 * Keeps hashes of what is said of a tool when it is seen for the first time, and compares them from then on.
 *
 * @returns the names of what has changed since then, sorted; empty where nothing has
 * @throws TypeError if a part cannot be written as JSON
 */
export async function pinTool(store: PinStore, key: string, words: ToolWords): Promise<readonly string[]> {
  const said = Object.entries(words).filter(([, word]) => word !== undefined);
  const now: ToolWords = Object.fromEntries(
    await Promise.all(said.map(async ([part, word]) => [part, await hashInput(word)] as const)),
  );
  let pinned = await store.get(key);
  if (pinned === undefined) {
    if ((await store.set(key, now, { expected: null })) !== undefined) return [];
    // Another process was first.
    pinned = await store.get(key);
  }
  const before: ToolWords = Object(pinned?.value);
  const parts = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...parts].filter((part) => before[part] !== now[part]).sort();
}

/** The names of the tools of a session that are pinned: what they say of themselves can be relied on. */
export const PINNED_TOOLS: SessionKey<Set<string>> = sessionKey('@hooks/core/pinned-tools');
