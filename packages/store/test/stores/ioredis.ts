import { Redis } from 'ioredis';
import type { Store } from '../../src/index.ts';
import { redisStore } from '../../src/redis.ts';
import { owning, PATIENCE_MS, through } from './through.ts';

const url = process.env['STORE_REDIS'] ?? '';

export const client: Redis = new Redis(url, { maxRetriesPerRequest: 1 });
client.on('error', () => {}); // A store says itself that the server is away.

export function open(space: string, port?: number): Store {
  const options = { prefix: `{${space}}:`, timeoutMs: PATIENCE_MS };
  if (port === undefined) return redisStore(client, options);
  // As ioredis does by default: it sends again what got no reply.
  const own = new Redis(through(url, port)).on('error', () => {});
  return owning(redisStore(own, options), () => own.disconnect());
}
