import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 in hexadecimal. Not from node:crypto, which takes longer to load than hashing a hook file. */
export function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
