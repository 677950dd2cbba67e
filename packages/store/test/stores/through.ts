import type { Store } from '../../src/index.ts';

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
