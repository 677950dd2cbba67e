import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The version of a policy: a hash that changes whenever it does. Functions count by their source. */
export function versionOf(policy: unknown): string {
  const text = JSON.stringify(policy, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
  return digestOf(text ?? '');
}

/** A hash of a text. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The same, by the platform's own code, which is faster for long texts. */
export async function hashOf(text: string): Promise<string> {
  const bytes = utf8ToBytes(text);
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
