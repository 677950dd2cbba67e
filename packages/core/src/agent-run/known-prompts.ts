import { hashText } from '../approval/hash.ts';
import { isSameList, type Registration } from '../dispatch/chain.ts';
import { type SessionKey, sessionKey } from '../session/session.ts';

/**
 * The prompts that hooks of a registry have let through in a session: for each, by its key, the texts that hooks left,
 * one for each time it was submitted. Plain data, because another copy of core may read it.
 */
export interface KnownPrompts {
  /** Whom they were submitted to. Others have not seen them. */
  hooks: readonly Registration[];
  readonly texts: Map<string, (string | undefined)[]>;
  /** What they take up, in characters. */
  size: number;
}

/** Where a session keeps them. */
export const KNOWN_PROMPTS: SessionKey<KnownPrompts> = sessionKey('@hooks/core/known-prompts');

/** What the prompts of a session may take up, in characters. Beyond it, the oldest are forgotten, and asked about again. */
const MAX_SIZE = 1_000_000;

/** What an entry takes up besides its text: its key. */
const KEY_SIZE = 100;

export function noKnownPrompts(): KnownPrompts {
  return { hooks: [], texts: new Map(), size: 0 };
}

/** Forgets everything if other hooks decide now. */
export function keepFor(known: KnownPrompts, hooks: readonly Registration[]): KnownPrompts {
  if (!isSameList(known.hooks, hooks)) {
    known.texts.clear();
    known.size = 0;
  }
  known.hooks = hooks;
  return known;
}

/** Remembers that a prompt was submitted once more. `left` is its text if hooks changed it. */
export function remember(known: KnownPrompts, key: string, left: string | undefined): void {
  const texts = known.texts.get(key) ?? [];
  texts.push(left);
  known.texts.set(key, texts);
  known.size += sizeOf(left);
  for (const [oldest, forgotten] of known.texts) {
    if (known.size <= MAX_SIZE) return;
    known.texts.delete(oldest);
    for (const text of forgotten) known.size -= sizeOf(text);
  }
}

function sizeOf(text: string | undefined): number {
  return KEY_SIZE + (text?.length ?? 0);
}

/**
 * Identifies a prompt by its content, as SHA-256. Undefined if the content cannot be compared.
 *
 * @param content plain data
 */
export async function promptKey(content: readonly unknown[]): Promise<string | undefined> {
  try {
    return await hashText(JSON.stringify(content, withBytes));
  } catch {
    return undefined;
  }
}

/** A JSON replacer that writes bytes as one string, not as a field for each. */
function withBytes(this: object, key: string, nested: unknown): unknown {
  const value: unknown = Reflect.get(this, key);
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : value;
  // Latin 1 has a character for each byte.
  return bytes instanceof Uint8Array || bytes instanceof ArrayBuffer
    ? new TextDecoder('latin1').decode(bytes)
    : nested;
}
