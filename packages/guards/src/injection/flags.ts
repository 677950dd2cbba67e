import {
  BeforeExecute,
  BeforeToolCall,
  type HookRegistrar,
  type Proceed,
  proceed,
  type Session,
  sessionKey,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';

/** What was found in a session. Also read by `@hooks/flow`, where such a session is no longer `untouched`. */
const FOUND = sessionKey<string>('@hooks/injection', { shared: true });

/**
 * What was found first in a session or its sub-agents; undefined if nothing was. Under `hooks run`, where each event is a process, it
 * knows of earlier events only if `injection` has a `store`.
 */
export function injectionIn(session: Session): string | undefined {
  return rootOf(session).get(FOUND);
}

/** The part of a store that keeps the flags of sessions. */
export type FlagStore = Pick<Store, 'get' | 'set'>;

const KEPT_MS = 30 * 24 * 60 * 60_000;

/** The flags of sessions: in this process, and in a store for the others. */
export class Flags {
  readonly #store: FlagStore | undefined;

  constructor(store: FlagStore | undefined) {
    this.#store = store;
  }

  /** Flags a session with its sub-agents, in the store anew with each finding. Rejects if the store fails. */
  async set(session: Session, found: string): Promise<void> {
    const root = rootOf(session);
    if (root.get(FOUND) === undefined) root.set(FOUND, found);
    await this.#store?.set(await keyOf(root), found, { ttlMs: KEPT_MS });
  }

  /** Reads the flag that another process may have set. Rejects if the store fails. */
  async load(session: Session): Promise<void> {
    const root = rootOf(session);
    if (this.#store === undefined || root.get(FOUND) !== undefined) return;
    const entry = await this.#store.get(await keyOf(root));
    if (entry !== undefined) root.set(FOUND, String(entry.value));
  }

  /** Reads the flag before the other hooks of a call, and once more when the call is about to run: it may have waited. */
  watch(hooks: HookRegistrar): void {
    const load = async ({ session }: { readonly session: Session }): Promise<Proceed> => {
      await this.load(session);
      return proceed();
    };
    const options = { priority: 1_000, allowUnknown: true, optional: true };
    // Not as guards: those of a call are asked at the same time, and may read the flag.
    hooks.on(BeforeToolCall, load, { ...options, id: 'flag' });
    hooks.on(BeforeExecute, load, { ...options, id: 'flag-of-call-that-waited' });
  }
}

async function keyOf(root: Session): Promise<string> {
  return `injection/${await hashInput(root.id)}`;
}
