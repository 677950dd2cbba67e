import type { Cluster, Redis } from 'ioredis';
import type { Client, Pool, PoolClient } from 'pg';
import type postgres from 'postgres';
import type { createClient, createClientPool, createCluster } from 'redis';
import { expectTypeOf, it } from 'vitest';
import { type Counted, type Entry, memoryStore } from '../src/index.ts';
import type { PgClient, PostgresJsClient } from '../src/postgres.ts';
import type { IoredisClient, NodeRedisClient } from '../src/redis.ts';

it('the clients of pg and postgres fit', () => {
  expectTypeOf<Pool>().toExtend<PgClient>();
  expectTypeOf<Client>().toExtend<PgClient>();
  expectTypeOf<PoolClient>().toExtend<PgClient>();
  expectTypeOf<postgres.Sql>().toExtend<PostgresJsClient>();
});

it('the clients of redis and ioredis fit', () => {
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<NodeRedisClient>();
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<NodeRedisClient>();
  expectTypeOf<ReturnType<typeof createClientPool>>().toExtend<NodeRedisClient>();
  expectTypeOf<Redis>().toExtend<IoredisClient>();
  expectTypeOf<Cluster>().toExtend<IoredisClient>();
});

it('what is read has no type until it is checked', () => {
  const store = memoryStore();
  expectTypeOf(store.get('key')).resolves.toEqualTypeOf<Entry | undefined>();
  expectTypeOf<Entry['value']>().toBeUnknown();
});

it('only a refused count says when to try again', () => {
  const counted = {} as Counted;
  if (counted.counted) {
    // @ts-expect-error there is nothing to wait for
    counted.retryAfterMs;
  } else expectTypeOf(counted.retryAfterMs).toEqualTypeOf<number | undefined>();
});
