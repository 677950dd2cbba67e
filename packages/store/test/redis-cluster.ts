import { freePort, startRedis, type TestServer } from '@hooks/testing/servers';
import { Cluster, Redis } from 'ioredis';
import { createCluster } from 'redis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Store } from '../src/index.ts';
import { redisStore } from '../src/redis.ts';
import { all } from '../src/testing/tools.ts';

const SLOTS = 16_384;

/** What a store does on three nodes, each of which has a third of the slots. */
export function testRedisCluster(): void {
  const servers: TestServer[] = [];
  const nodes: Redis[] = [];
  beforeAll(async () => {
    for (let nth = 0; nth < 3; nth++) {
      const busPort = await freePort();
      const server = await startRedis(['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`]);
      servers.push(server);
      const node = new Redis(server.url);
      nodes.push(node);
      const [from, to] = [nth, nth + 1].map((part) => Math.floor((part * SLOTS) / 3));
      await node.cluster('ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1);
      await node.call('CLUSTER', 'SET-CONFIG-EPOCH', `${nth + 1}`);
      if (nth > 0) await nodes[0]?.call('CLUSTER', 'MEET', '127.0.0.1', `${server.port}`, `${busPort}`);
    }
    const isReady = async (): Promise<void> => {
      for (const node of nodes) {
        const state = await node.cluster('INFO');
        expect(state).toContain('cluster_state:ok');
        expect(state).toContain('cluster_known_nodes:3');
      }
    };
    await vi.waitFor(isReady, { timeout: 60_000 });
  });
  afterAll(async () => {
    for (const node of nodes) node.disconnect();
    for (const server of servers) await server.stop();
  });

  const clients = {
    async ioredis() {
      const password = new URL(servers[0]?.url ?? '').password;
      const startup = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
      const client = new Cluster(startup, { redisOptions: { password } });
      return { client, end: () => client.disconnect() };
    },
    async redis() {
      const password = new URL(servers[0]?.url ?? '').password;
      const client = createCluster({
        rootNodes: servers.map(({ url }) => ({ url })),
        defaults: { password },
      });
      await client.connect();
      return { client, end: () => client.destroy() };
    },
  };

  it.each(['ioredis', 'redis'] as const)(
    '%s: every call runs, and keys are on all nodes',
    async (name) => {
      const { client, end } = await clients[name]();
      const prefix = `${name}:`;
      const store: Store = redisStore(client, { prefix });
      const keys = Array.from({ length: 60 }, (_, nth) => `key/${String(nth).padStart(2, '0')}/\u{1f512}`);
      await Promise.all(keys.map((key) => store.set(key, key)));
      expect((await all(store.list('key/'))).map(({ key }) => key)).toEqual(keys);
      for (const key of ['a/b/c/1', 'a/b/c/2/3', 'a/b/c', 'a/b/d/1', 'a/b/']) await store.set(key, key);
      const under = async (prefix: string) => (await all(store.list(prefix))).map(({ key }) => key);
      expect(await under('a/b/c/')).toEqual(['a/b/c/1', 'a/b/c/2/3']);
      expect(await under('a/b/c/2')).toEqual(['a/b/c/2/3']);
      expect(await under('a/b/c')).toEqual(['a/b/c', 'a/b/c/1', 'a/b/c/2/3']);
      expect(await under('a/b/')).toEqual(['a/b/', 'a/b/c', 'a/b/c/1', 'a/b/c/2/3', 'a/b/d/1']);
      expect(await store.get(keys[7] ?? '')).toMatchObject({ value: keys[7] });
      expect(await store.delete(keys[0] ?? '')).toBe(true);
      const counts = keys.map((key) => ({ key, amount: 1, windowMs: 60_000, limit: 1 }));
      expect(await store.count(...counts)).toMatchObject({ counted: true });
      expect(await store.count(...counts)).toMatchObject({ counted: false, key: keys[0] });
      for (const stream of ['one', '}two', '{three}', '{}'])
        for (let nth = 0; nth < 2; nth++)
          expect(await store.append(stream, [stream], { requestId: 'same' })).toMatchObject({ length: 1 });
      expect(await all(store.read('}two'))).toMatchObject([{ record: '}two' }]);
      for (const node of nodes) expect((await node.keys(`${prefix}*`)).length).toBeGreaterThan(5);
      await store.close();
      end();
    },
    30_000,
  );

  it('a prefix with a hash tag keeps a store on one node', async () => {
    const { client, end } = await clients.ioredis();
    const store = redisStore(client, { prefix: '{one}:' });
    for (let nth = 0; nth < 20; nth++) await store.set(`key/${nth}`, nth);
    await store.count({ key: 'a', amount: 1, windowMs: 60_000 });
    await store.append('log', [1]);
    expect(await all(store.list('key/'))).toHaveLength(20);
    const found = await Promise.all(nodes.map((node) => node.keys('{one}:*')));
    expect(found.filter((keys) => keys.length > 0)).toHaveLength(1);
    end();
  });
}
