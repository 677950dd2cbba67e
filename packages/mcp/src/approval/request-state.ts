import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Fields } from '../message/message.ts';

/**
 * The content of the `requestState` in an `input_required` of the proxy. In the modern protocol a server keeps no
 * state; the client brings it back with the answer.
 */
export interface RequestState {
  /** The hash of user, conversation, server, method, tool and arguments, which binds the state to this call. */
  readonly call: string;
  readonly callId: string;
  /** The hash of the input that the person saw, as hooks left it. */
  readonly hash: string;
  /** `ask`: the client brings the person's answer. `approved`: the person has already approved. */
  readonly stage: 'ask' | 'approved';
  /** The server's own `requestState`, and the answers to its own questions. */
  readonly server: Fields;
}

/** A state in its encoded form. */
interface Sealed extends RequestState {
  readonly expires: number;
  readonly nonce: string;
}

/** How long a person may take. */
const VALID_MS = 10 * 60_000;

/** Signs states, and accepts each one once. Only the process that signed a state accepts it. */
export class RequestStates {
  readonly #id = randomUUID();
  readonly #key = randomBytes(32);
  /** Used states, until they expire. */
  readonly #used: Map<string, number> = new Map();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The key of our question among those of a server, which may be another proxy. */
  get question(): string {
    return `hooks.approval.${this.#id}`;
  }

  /** Whether a `requestState` is one of ours, genuine or not. */
  isOurs(requestState: unknown): requestState is string {
    return typeof requestState === 'string' && requestState.startsWith(`${this.#id}.`);
  }

  /** The state as text. */
  seal(state: RequestState): string {
    const sealed: Sealed = { ...state, expires: this.#now() + VALID_MS, nonce: randomUUID() };
    const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
    return `${this.#id}.${body}.${this.#mac(body)}`;
  }

  /** Decodes a state, once. Undefined if it is forged, expired, used, or for another call. */
  open(text: string, call: string): RequestState | undefined {
    const [, body = '', ...macs] = text.split('.');
    const expected = Buffer.from(this.#mac(body));
    const given = Buffer.from(macs.join('.'));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const state: Sealed = JSON.parse(Buffer.from(body, 'base64url').toString());
    const now = this.#now();
    for (const [nonce, expires] of this.#used) if (expires < now) this.#used.delete(nonce);
    if (state.call !== call || state.expires < now || this.#used.has(state.nonce)) return undefined;
    this.#used.set(state.nonce, state.expires);
    return state;
  }

  #mac(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}
