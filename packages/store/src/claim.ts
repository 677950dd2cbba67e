import type { Store, WriteOptions } from './store.ts';

/** Something that this process has for itself, until it gives it back or the time is over. */
export interface Claim extends AsyncDisposable {
  /** Holds it for `ttlMs` from now on. Resolves to `false` where the time was over: someone else may have it. */
  extend(ttlMs: number): Promise<boolean>;
  /** Gives it back. Resolves to `false` where the time was over. */
  release(): Promise<boolean>;
}

/** What {@link claim} takes. */
export interface ClaimOptions extends WriteOptions {
  /** After this time it is free again, also where its holder has died. */
  readonly ttlMs: number;
  /** Who has it, for those who look at the key. */
  readonly by?: unknown;
}

/**
 * Claims a key: one caller gets it, in whatever process; `undefined` for all others until it is free again. Who claims again with
 * the same `requestId` has the same claim, whose time counts from the first call, and `undefined` if that is over or was extended.
 */
export async function claim(
  store: Store,
  key: string,
  { ttlMs, by = null, requestId }: ClaimOptions,
): Promise<Claim | undefined> {
  const options = requestId === undefined ? {} : { requestId };
  let version = await store.set(key, by, { ...options, expected: null, ttlMs });
  if (version === undefined) return undefined;
  // A request that comes again is answered as the first time. Meanwhile somebody else may have the key.
  if (requestId !== undefined && (await store.get(key))?.version !== version) return undefined;
  const release = async (): Promise<boolean> =>
    version !== undefined && store.delete(key, { expected: version });
  return {
    async extend(longer) {
      if (version !== undefined) version = await store.set(key, by, { expected: version, ttlMs: longer });
      return version !== undefined;
    },
    release,
    async [Symbol.asyncDispose]() {
      await release();
    },
  };
}
