import type { ToolDescriptor } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { Store } from './store.ts';

/** What is said of a tool: who reads it decides what the tool is for. */
export type ToolWords = Pick<ToolDescriptor, 'description' | 'inputSchema' | 'annotations'>;

/**
 * A digest of a tool's description and input schema: what an approval of the tool, or its pin, belongs to.
 *
 * @throws where the tool's schema has no JSON form
 */
export async function toolDigest({ description, inputSchema }: ToolWords = {}): Promise<string> {
  return hashInput([description ?? null, (await inputSchema?.()) ?? null]);
}

/** What is remembered of a tool by its pin: hashes by the names of what was said. */
type Pin = { readonly [part: string]: string };

/** Where pins are kept. A store of `@hooks/store` is one. */
export type PinStore = Pick<Store, 'get' | 'set'>;

/**
 * Remembers by hash what is said of a tool, the first time, and compares it from then on.
 *
 * @param said what is said, by name; what is undefined is not said
 * @returns the names of what has changed since; none where nothing has
 */
export async function pinTool(
  store: PinStore,
  key: string,
  said: { readonly [part: string]: unknown },
): Promise<readonly string[]> {
  const parts = Object.entries(said).filter(([, value]) => value !== undefined);
  const pin: Pin = Object.fromEntries(
    await Promise.all(parts.map(async ([part, value]) => [part, await hashInput(value)] as const)),
  );
  let pinned = await store.get(key);
  if (pinned === undefined) {
    if ((await store.set(key, pin, { expected: null })) !== undefined) return [];
    // Somebody else was first.
    pinned = await store.get(key);
  }
  const before: { readonly [part: string]: unknown } = Object(pinned?.value);
  const all = new Set([...Object.keys(before), ...Object.keys(pin)]);
  return [...all].filter((part) => before[part] !== pin[part]).sort();
}
