import type { Store } from '@hooks/store';
import { redisStore } from '@hooks/store/redis';
import { createClient } from 'redis';

const { REDIS_URL: url = 'redis://127.0.0.1:6379' } = process.env;
const client = clientOf(url);
client.on('error', (error: Error) => console.error(error.message));
await client.connect();

export const store: Store = redisStore(client);

/** A store leaves the client open that it was given. */
export async function close(): Promise<void> {
  await store.close();
  await client.close();
}

/** Ends the process with a sentence: an error for a wrong address would be printed with its password. */
function clientOf(url: string) {
  try {
    return createClient({ url });
  } catch {
    console.error('REDIS_URL has to be a URL, such as redis://127.0.0.1:6379.');
    return process.exit(1);
  }
}
