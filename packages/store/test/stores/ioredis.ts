import { Redis } from 'ioredis';
import type { Store } from '../../src/index.ts';
import { redisStore } from '../../src/redis.ts';

export const client: Redis = new Redis(process.env['STORE_REDIS'] ?? '', { maxRetriesPerRequest: 1 });
client.on('error', () => {}); // A store says itself that the server is away.

export function open(space: string): Store {
  return redisStore(client, { prefix: `{${space}}:` });
}
