import { drawn } from '@hooks/testing/random';
import { noRedis, startRedis } from '@hooks/testing/servers';
import { afterAll, describe, it } from 'vitest';
import { testStore } from '../src/testing/index.ts';
import { testRedisCluster } from './redis-cluster.ts';
import { testRedisFaults } from './redis-faults.ts';

if (noRedis !== undefined) it.skip(`Redis (not run: it ${noRedis})`);
else {
  const server = await startRedis();
  process.env['STORE_REDIS'] = server.url;
  const { client: nodeRedis, remains } = await import('./stores/redis.ts');
  const { client: ioredis } = await import('./stores/ioredis.ts');
  afterAll(async () => {
    nodeRedis.destroy();
    ioredis.disconnect();
    await server.stop();
  });

  // What several processes may rely on is the server's, whatever the client.
  const shared = drawn(1) > 1;
  describe('Redis', () => {
    testStore('with redis', {
      module: new URL('./stores/redis.ts', import.meta.url),
      remains,
      server,
      tells: true,
    });
    testStore('with ioredis', {
      module: new URL('./stores/ioredis.ts', import.meta.url),
      server,
      shared,
      tells: true,
    });
    describe('a cluster', () => testRedisCluster());
    describe('a fault', () => testRedisFaults(server));
  });
}
