import { createClient } from 'redis';
import type { Store } from '../../src/index.ts';
import { redisStore } from '../../src/redis.ts';

export const client: ReturnType<typeof createClient> = createClient({
  url: process.env['STORE_REDIS'] ?? '',
});
client.on('error', () => {}); // A store says itself that the server is away.
await client.connect();

export function open(space: string): Store {
  return redisStore(client, { prefix: `{${space}}:`, timeoutMs: 2_000 });
}

/** What takes up memory: keys, and what is in them. */
export async function remains(space: string): Promise<number> {
  let found = 0;
  for (const key of await client.keys(`{${space}}:*`))
    switch (await client.type(key)) {
      case 'hash':
        found += await client.hLen(key);
        break;
      case 'zset':
        found += await client.zCard(key);
        break;
      case 'list':
        found += await client.lLen(key);
        break;
      default:
        found++;
    }
  return found;
}
