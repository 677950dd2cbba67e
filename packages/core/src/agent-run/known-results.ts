import { hashInput } from '../approval/hash.ts';
import type { Registration } from '../dispatch/chain.ts';
import { AfterToolCall, TransformToolResult } from '../event/catalogue/tool.ts';
import { canonicalName } from '../match.ts';
import type { Hooks } from '../registry/hooks.ts';
import { internalOf } from '../registry/internal.ts';
import { type Session, sessionKey } from '../session/session.ts';

/** The tool results that a session's runs have produced or decided on, as digests. */
const KNOWN = sessionKey<Set<string>>('@hooks/core/known-results');

/** The maximum number of remembered results in a session. Hooks decide on older ones again. */
const REMEMBERED = 500;

/** Where a result is known, and to whom. */
export interface ResultPlace {
  readonly session: Session;
  /** The registries that hook the tool. Only for the hooks that decide on its results now is a result known. */
  readonly registries: readonly { readonly hooks: Hooks }[];
  /** Undefined if the adapter cannot tell. */
  readonly toolName: string | undefined;
}

/**
 * Whether a run of the session has produced this very result, or hooks have decided on it, under the hooks that decide
 * now. Others in a history may have been written by whoever posts it.
 *
 * @param result everything of it that the model reads, with its call: as JSON
 */
export async function isKnownResult(place: ResultPlace, result: unknown): Promise<boolean> {
  const known = place.session.get(KNOWN);
  if (known === undefined) return false;
  const digest = await digestOf(place, result);
  return digest !== undefined && known.has(digest);
}

/**
 * Remembers a result, for as long as the session is open.
 *
 * @param ifRoom forgets no other result for it: a long history would push out all that is known, each time it comes
 */
export async function rememberResult(
  place: ResultPlace,
  result: unknown,
  { ifRoom = false }: { readonly ifRoom?: boolean } = {},
): Promise<void> {
  const known = place.session.get(KNOWN, () => new Set());
  if (ifRoom && known.size >= REMEMBERED) return;
  const digest = await digestOf(place, result);
  if (digest === undefined) return;
  known.delete(digest);
  known.add(digest);
  for (const oldest of known) {
    if (known.size <= REMEMBERED) return;
    known.delete(oldest);
  }
}

/** 128 bits in hexadecimal. Undefined for what has no JSON form. */
async function digestOf({ registries, toolName }: ResultPlace, result: unknown): Promise<string | undefined> {
  const hash = await hashInput([result, decidersOf(registries, toolName)]).catch(() => undefined);
  return hash?.slice(0, 32);
}

/** The hooks that decide on a tool's results, by their ids. */
function decidersOf(registries: ResultPlace['registries'], toolName: string | undefined): readonly string[] {
  const ids = registries.flatMap(({ hooks }) => {
    const { chain, options } = internalOf(hooks);
    const name = toolName === undefined ? undefined : canonicalName(toolName, options);
    return [TransformToolResult, AfterToolCall].flatMap((point) => chain(point, name).deciders.map(idOf));
  });
  return [...new Set(ids)].sort();
}

const ids: WeakMap<Registration, string> = new WeakMap();

/** An id of a registration that no other one has, also where another copy of core registers hooks. */
function idOf(hook: Registration): string {
  const id = ids.get(hook) ?? crypto.randomUUID();
  ids.set(hook, id);
  return id;
}
