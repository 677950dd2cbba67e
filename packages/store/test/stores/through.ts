import type { Store } from '../../src/index.ts';

/** Milliseconds that a call may take on a machine with much else to do. */
export const PATIENCE_MS = 20_000;

/** The address of a server, through another port. */
export function through(url: string, port: number): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

/** A store that ends its client when it is closed. */
export function owning(store: Store, end: () => unknown): Store {
  return {
    ...store,
    async close() {
      await store.close();
      await end();
    },
  };
}
