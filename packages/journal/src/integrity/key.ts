import { createPublicKey, type KeyObject } from 'node:crypto';
import { JournalError } from '../error.ts';
import { sha256 } from '../record/line.ts';

const ids = new WeakMap<KeyObject, string>();

/** Names a key: SHA-256 of the public key (SPKI, DER), in hexadecimal. */
export function keyId(key: KeyObject): string {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const open = key.type === 'private' ? createPublicKey(key) : key;
  const id = sha256(open.export({ type: 'spki', format: 'der' }));
  ids.set(key, id);
  return id;
}

/** Whether a value is a key that signs. */
export function isPrivateKey(value: unknown): boolean {
  const { type, asymmetricKeyType }: { readonly type?: unknown; readonly asymmetricKeyType?: unknown } =
    Object(value);
  return type === 'private' && asymmetricKeyType === 'ed25519';
}

/** @throws JournalError `INVALID` */
export function checkPrivateKey(what: string, key: KeyObject | undefined): void {
  if (key === undefined || isPrivateKey(key)) return;
  throw new JournalError('INVALID', `${what} must be an Ed25519 private key (a KeyObject of node:crypto).`);
}
