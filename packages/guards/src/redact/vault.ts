import type { Session } from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { PLACEHOLDERS } from './own-placeholder.ts';
import { memoryOf, remember } from './redactor.ts';

/** The part of a store that keeps the values of placeholders. */
export type VaultStore = Pick<Store, 'append' | 'read'>;

const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Keeps the values of placeholders in a store, encrypted with AES-256-GCM. */
export class Vault {
  readonly #store: VaultStore | undefined;
  readonly #owns: (rule: string) => boolean;
  readonly #key: ReturnType<typeof crypto.subtle.importKey> | undefined;
  /** Differs between keys, so that two guards can share a store. */
  readonly #keyId: string = '';
  readonly #known: WeakMap<Session, Known> = new WeakMap();

  /** @param owns whose placeholders it keeps, by their rule: a session has those of all guards */
  constructor(
    store: VaultStore | undefined,
    key: string | Uint8Array | undefined,
    owns: (rule: string) => boolean,
  ) {
    this.#store = store;
    this.#owns = owns;
    if (store === undefined || key === undefined) return;
    const derive = (name: string): Uint8Array =>
      hmac(sha256, typeof key === 'string' ? utf8ToBytes(key) : key, utf8ToBytes(`@hooks/guards/${name}`));
    const bytes = derive('vault');
    this.#keyId = bytesToHex(derive('vault id')).slice(0, 16);
    this.#key = crypto.subtle.importKey('raw', new Uint8Array(bytes), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]);
  }

  /** Stores the values that are new. Rejects if the store cannot be reached. */
  flush(session: Session): Promise<void> | undefined {
    if (this.#store === undefined) return undefined;
    const { placeholders } = memoryOf(session);
    const known = this.#of(session);
    if (known.flushed === placeholders.size) return undefined;
    const fresh = [...placeholders].filter(
      ([, placeholder]) => !known.stored.has(placeholder) && this.#owns(ruleOf(placeholder)),
    );
    if (fresh.length > 0) return this.#append(this.#store, session, fresh, known);
    known.flushed = placeholders.size;
    return undefined;
  }

  /** Reads what other processes have stored. */
  async load(session: Session): Promise<void> {
    if (this.#store === undefined) return;
    const known = this.#of(session);
    const memory = memoryOf(session);
    for await (const { position, record } of this.#store.read(await this.#streamOf(session), {
      from: known.from,
    })) {
      known.from = position + 1;
      const [value, placeholder] = await this.#decrypt(String(record));
      known.stored.add(placeholder);
      remember(memory, value, placeholder);
    }
    memory.seen = undefined;
  }

  async #append(
    store: VaultStore,
    session: Session,
    fresh: readonly (readonly [string, string])[],
    { stored }: Known,
  ): Promise<void> {
    const records = await Promise.all(fresh.map((pair) => this.#encrypt(pair)));
    await store.append(await this.#streamOf(session), records, { ttlMs: KEPT_MS });
    for (const [, placeholder] of fresh) stored.add(placeholder);
  }

  async #encrypt(pair: readonly [string, string]): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const data = new TextEncoder().encode(JSON.stringify(pair));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.#cryptoKey(), data);
    return `${bytesToHex(iv)}:${bytesToHex(new Uint8Array(sealed))}`;
  }

  async #decrypt(record: string): Promise<readonly [string, string]> {
    const [iv = '', data = ''] = record.split(':');
    const open = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: new Uint8Array(hexToBytes(iv)) },
      await this.#cryptoKey(),
      new Uint8Array(hexToBytes(data)),
    );
    return JSON.parse(new TextDecoder().decode(open)) as readonly [string, string];
  }

  async #cryptoKey(): ReturnType<typeof crypto.subtle.importKey> {
    if (this.#key === undefined) throw new Error('A store of placeholders needs a key.');
    return this.#key;
  }

  #of(session: Session): Known {
    const root = rootOf(session);
    const known = this.#known.get(root) ?? { stored: new Set<string>(), from: 0, flushed: 0 };
    this.#known.set(root, known);
    return known;
  }

  async #streamOf(session: Session): Promise<string> {
    return `placeholders/${await hashInput([rootOf(session).id, this.#keyId])}`;
  }
}

/** What is known of the store in a session. */
interface Known {
  /** The placeholders that it has. */
  readonly stored: Set<string>;
  /** How far it was read. */
  from: number;
  /** How many placeholders the session had when all were stored. */
  flushed: number;
}

function ruleOf(placeholder: string): string {
  return [...placeholder.matchAll(PLACEHOLDERS)][0]?.[1] ?? '';
}
