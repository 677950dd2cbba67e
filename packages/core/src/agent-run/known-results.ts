import { hashInput } from '../approval/hash.ts';
import { type Session, sessionKey } from '../session/session.ts';

/** The tool results that a session's runs have produced or decided on, as digests. */
const KNOWN = sessionKey<Set<string>>('@hooks/core/known-results');

/** The maximum number of remembered results in a session. Hooks decide on older ones again. */
const REMEMBERED = 500;

/**
 * Whether a run of the session has produced this very result, or hooks have decided on it. Others in a history may have
 * been written by whoever posts it.
 *
 * @param result everything of it that the model reads, with its call: as JSON
 */
export async function isKnownResult(session: Session, result: unknown): Promise<boolean> {
  const known = session.get(KNOWN);
  if (known === undefined) return false;
  const digest = await digestOf(result);
  return digest !== undefined && known.has(digest);
}

/**
 * Remembers a result, for as long as the session is open.
 *
 * @param ifRoom forgets no other result for it: a long history would push out all that is known, each time it comes
 */
export async function rememberResult(
  session: Session,
  result: unknown,
  { ifRoom = false }: { readonly ifRoom?: boolean } = {},
): Promise<void> {
  const known = session.get(KNOWN, () => new Set());
  if (ifRoom && known.size >= REMEMBERED) return;
  const digest = await digestOf(result);
  if (digest === undefined) return;
  known.delete(digest);
  known.add(digest);
  for (const oldest of known) {
    if (known.size <= REMEMBERED) return;
    known.delete(oldest);
  }
}

/** 128 bits in hexadecimal. Undefined for what has no JSON form. */
async function digestOf(result: unknown): Promise<string | undefined> {
  const hash = await hashInput(result).catch(() => undefined);
  return hash?.slice(0, 32);
}
