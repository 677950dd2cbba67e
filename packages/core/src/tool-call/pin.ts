import { hashInput } from '../approval/hash.ts';
import type { ToolDescriptor } from '../event/catalogue/groups.ts';
import { type SessionKey, sessionKey } from '../session/session.ts';

/** A digest of a tool's description and input schema: an approval that is remembered belongs to it. */
export async function toolDigest(tool: ToolDescriptor | undefined): Promise<string> {
  return hashJson([tool?.description ?? null, (await tool?.inputSchema?.()) ?? null]);
}

/** Where pins are kept. A store of `@hooks/store` is one. */
export interface PinStore {
  get(key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Writes a value where there is none; resolves to `undefined` where there is one. */
  set(key: string, value: unknown, options: { readonly expected: null }): Promise<unknown>;
}

/** The parts of a tool's definition, by name: its description, its schema. A part that is `undefined` is absent. */
export interface ToolParts {
  readonly [part: string]: unknown;
}

/** What a store keeps of a pinned tool. */
export interface ToolPin {
  /** The tool's name. */
  readonly tool: string;
  /** A hash of each part. */
  readonly hashes: { readonly [part: string]: string };
}

/**
 * Stores hashes of a tool's parts when the tool is first seen, and compares them from then on.
 *
 * @returns the names of the parts that have changed since, sorted
 * @throws TypeError if a part cannot be written as JSON; HooksError `INVALID_INPUT` if it is nested deeper than 512 levels
 */
export async function pinTool(
  store: PinStore,
  key: string,
  tool: string,
  parts: ToolParts,
): Promise<readonly string[]> {
  const present = Object.entries(parts).filter(([, part]) => part !== undefined);
  const entries = present.map(async ([name, part]) => [name, await hashJson(part)] as const);
  const now: ToolPin = { tool, hashes: Object.fromEntries(await Promise.all(entries)) };
  let pinned = await store.get(key);
  if (pinned === undefined) {
    if ((await store.set(key, now, { expected: null })) !== undefined) return [];
    // Another process was first.
    pinned = await store.get(key);
  }
  const before: ToolPin['hashes'] = Object(Object(pinned?.value).hashes);
  const names = new Set([...Object.keys(before), ...Object.keys(now.hashes)]);
  return [...names].filter((name) => before[name] !== now.hashes[name]).sort();
}

/** The hash of the JSON of a value. Libraries keep more in a schema than JSON shows, which is no part of the tool. */
function hashJson(value: unknown): Promise<string> {
  return hashInput(JSON.parse(JSON.stringify(value) ?? 'null'));
}

/** The names of the tools of a session that are pinned: what they say of themselves can be relied on. */
export const PINNED_TOOLS: SessionKey<Set<string>> = sessionKey('@hooks/core/pinned-tools');
