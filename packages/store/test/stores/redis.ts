import { createClient } from 'redis';
import type { Store } from '../../src/index.ts';
import { redisStore } from '../../src/redis.ts';
import { owning, PATIENCE_MS, through } from './through.ts';

const url = process.env['STORE_REDIS'] ?? '';

export const client: ReturnType<typeof createClient> = createClient({ url });
client.on('error', () => {}); // A store says itself that the server is away.
await client.connect();

export async function open(space: string, port?: number): Promise<Store> {
  // A call waits for so long where the server is away: this client keeps it until it is back.
  const options = { prefix: `${space}:`, timeoutMs: PATIENCE_MS / 2 };
  if (port === undefined) return redisStore(client, options);
  const own = createClient({ url: through(url, port) }).on('error', () => {});
  await own.connect();
  return owning(redisStore(own, options), () => own.destroy());
}

/** What takes up memory: keys, and what is in them. */
export async function remains(space: string): Promise<number> {
  let found = 0;
  for (const key of await client.keys(`${space}:*`)) {
    // Ids of requests go by themselves, after minutes.
    if (key.includes('}:request:')) continue;
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
  }
  return found;
}
