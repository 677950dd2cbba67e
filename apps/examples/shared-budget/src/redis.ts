import type { Store } from '@hooks/store';
import { redisStore } from '@hooks/store/redis';
import { createClient } from 'redis';

const client = createClient({
  url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
});
client.on('error', (error: Error) => console.error(error.message));
await client.connect();

export const store: Store = redisStore(client);

/** A store leaves the client open that it was given. */
export async function close(): Promise<void> {
  await store.close();
  await client.close();
}
