import { inspect } from 'node:util';
import { silentServer, type TestServer } from '@hooks/testing/servers';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { waitFor } from '../src/index.ts';
import { redisStore } from '../src/redis.ts';
import { mostOfPortion } from './most-of-portion.ts';

const WRONG = 'not-the-right-password';

/** What goes wrong with Redis, and how a store says so. */
export function testRedisFaults(server: TestServer): void {
  let admin: Redis;
  beforeAll(() => {
    admin = new Redis(server.url);
  });
  afterAll(() => admin.disconnect());

  const ioredisOf = (url: string): Redis => new Redis(url, { maxRetriesPerRequest: 0 }).on('error', () => {});

  it('ioredis: wrong credentials are denied, and the password is nowhere', async () => {
    const client = ioredisOf(server.url.replace(/:[^:@]*@/, `:${WRONG}@`));
    const error: unknown = await redisStore(client)
      .set('key', 1)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'DENIED',
      message: expect.stringMatching(/^The Redis store hooks: denied access: .* \((WRONGPASS|NOAUTH)\)$/),
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(WRONG);
    client.disconnect();
  });

  it('redis: a client that could not connect is unreachable, and the password is nowhere', async () => {
    const client = createClient({ url: server.url.replace(/:[^:@]*@/, `:${WRONG}@`) }).on('error', () => {});
    client.connect().catch(() => {}); // It tries again and again.
    const error: unknown = await redisStore(client, { timeoutMs: 500 })
      .set('key', 1)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(UNREACHABLE|DENIED)$/) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(WRONG);
    if (client.isOpen) client.destroy();
  });

  it.each(['{behind-small}:', 'behind-small:'])(
    'reads large values behind small ones few at a time (prefix %s)',
    async (prefix) => {
      const client = ioredisOf(server.url);
      let read = 0;
      const measured = async (reply: Promise<unknown>): Promise<unknown> => {
        read += JSON.stringify(await reply).length;
        return reply;
      };
      const store = redisStore(
        {
          eval: (script: string, keys: number, ...args: string[]) =>
            measured(client.eval(script, keys, ...args)),
          evalsha: (sha: string, keys: number, ...args: string[]) =>
            measured(client.evalsha(sha, keys, ...args)),
        },
        { prefix },
      );
      const most = await mostOfPortion(store, () => {
        const before = read;
        read = 0;
        return before;
      });
      expect(most).toBeLessThan(2_000_000);
      client.disconnect();
    },
  );

  it('a server that is not there cannot be reached', async () => {
    const client = ioredisOf('redis://127.0.0.1:1');
    await expect(redisStore(client).get('key')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/^The Redis store hooks: cannot be reached: /),
    });
    client.disconnect();
  });

  it('a server that never answers is unreachable when the time is over', async () => {
    const silent = await silentServer();
    const client = ioredisOf(`redis://127.0.0.1:${silent.port}`);
    await expect(redisStore(client, { timeoutMs: 50 }).get('key')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'The Redis store hooks: cannot be reached: it did not answer within 50 ms',
    });
    client.disconnect();
    silent.end();
  });

  it('a user who may not run scripts is denied', async () => {
    await admin.call('ACL', 'SETUSER', 'reader', 'on', '>reader-password', '~*', '+get');
    const url = server.url.replace(/\/\/[^@]*@/, '//reader:reader-password@');
    const client = new Redis(url, { enableReadyCheck: false });
    await expect(redisStore(client).get('key')).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('NOPERM'),
    });
    client.disconnect();
  });

  it('a user who may run scripts, but not what they do, is denied', async () => {
    await redisStore(admin, { prefix: '{acl}:' }).set('key', 1);
    await admin.call(
      'ACL',
      'SETUSER',
      'scripter',
      'on',
      '>scripter-password',
      '~*',
      '+@all',
      '-hget',
      '-hset',
    );
    const client = new Redis(server.url.replace(/\/\/[^@]*@/, '//scripter:scripter-password@'));
    const store = redisStore(client, { prefix: '{acl}:' });
    await expect(store.get('key')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(store.set('key', 2)).rejects.toMatchObject({ code: 'DENIED' });
    client.disconnect();
  });

  it.each(['allkeys-lru', 'volatile-ttl'])('a server that drops keys by %s is refused', async (policy) => {
    await admin.config('SET', 'maxmemory-policy', policy);
    await admin.config('SET', 'maxmemory', '100mb');
    await expect(redisStore(admin, { prefix: '{evicting}:' }).set('key', 1)).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: expect.stringContaining(`maxmemory-policy ${policy}`),
    });
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.config('SET', 'maxmemory', '0');
    expect(await redisStore(admin, { prefix: '{evicting}:' }).set('key', 1)).toBeDefined();
  });

  it('a server that begins to drop keys is refused a minute later at the latest, until it drops none', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = redisStore(admin, { prefix: '{evicting}:' });
    await store.set('key', 1);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await admin.config('SET', 'maxmemory', '100mb');
    vi.advanceTimersByTime(60_000);
    for (let calls = 0; calls < 2; calls++)
      await expect(store.get('key')).rejects.toMatchObject({ code: 'INCOMPATIBLE' });
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.config('SET', 'maxmemory', '0');
    expect(await store.get('key')).toMatchObject({ value: 1 });
  });

  it.each(['redis', 'ioredis'])(
    '%s: whoever waits has the answer though the connection that tells of it was cut',
    async (name) => {
      const own =
        name === 'redis' ? createClient({ url: server.url }).on('error', () => {}) : ioredisOf(server.url);
      if ('connect' in own && name === 'redis') await own.connect();
      const store = redisStore(own, { prefix: '{cut}:' });
      await store.set(name, 'waiting');
      const waiting = waitFor(store, name, (entry) => entry?.value === 'done', { pollMs: 20 });
      const watching = await store.watch(name, () => {});
      expect(watching.isTold).toBe(true);
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await expect.poll(() => watching.isTold).toBe(false);
      watching.stop();
      await store.set(name, 'done');
      expect(await waiting).toMatchObject({ value: 'done' });
      const again = await store.watch(name, () => {});
      expect(again.isTold).toBe(true);
      again.stop();
      await store.close();
      await expect.poll(() => admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub')).toBe('');
      if ('destroy' in own) own.destroy();
      else own.disconnect();
    },
  );

  it('a server without memory left is full, and nothing is half written', async () => {
    const store = redisStore(admin, { prefix: '{full}:' });
    await store.set('key', 'before');
    await store.append('log', ['before']);
    await store.count({ key: 'a', amount: 1, windowMs: 60_000 });
    await admin.config('SET', 'maxmemory', '1mb');
    const full = { code: 'FULL', message: expect.stringMatching(/^The Redis store \{full\}: is full/) };
    await expect(store.set('key', 'late')).rejects.toMatchObject(full);
    await expect(store.append('log', ['late', 'later'])).rejects.toMatchObject(full);
    const both = [
      { key: 'a', amount: 1, windowMs: 60_000 },
      { key: 'b', amount: 1, windowMs: 60_000 },
    ];
    await expect(store.count(...both)).rejects.toMatchObject(full);
    expect(await store.get('key')).toMatchObject({ value: 'before' });
    await admin.config('SET', 'maxmemory', '0');
    expect(await store.append('log', ['after'], { expected: 1 })).toMatchObject({ length: 2 });
    expect(await store.count(...both)).toMatchObject({ totals: [2, 1] });
  });

  it('a store of another version is refused, with both versions', async () => {
    await admin.set('{newer}:version', '4');
    await expect(redisStore(admin, { prefix: '{newer}:' }).set('key', 1)).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: 'The Redis store {newer}: has version 4; this version of @hooks/store needs 3.',
    });
    expect(await admin.keys('{newer}:*')).toEqual(['{newer}:version']);
  });

  it('keys of another program are refused', async () => {
    await admin.set('{shop}:{values:0}:values', 'a city');
    await expect(redisStore(admin, { prefix: '{shop}:' }).get('key')).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: expect.stringContaining('WRONGTYPE'),
    });
  });

  it('a server that has forgotten the scripts gets them again', async () => {
    const store = redisStore(admin, { prefix: '{flushed}:' });
    await store.set('key', 1);
    await admin.script('FLUSH');
    expect(await store.get('key')).toMatchObject({ value: 1 });
  });

  it('a list over all slots reads the values that it gives, and no others', async () => {
    const store = redisStore(admin, { prefix: 'large:' });
    const value = 'x'.repeat(200_000);
    const keys = Array.from({ length: 40 }, (_, nth) => `data/${String(nth).padStart(2, '0')}`);
    for (const key of keys) await store.set(key, value);
    const sent = async (): Promise<number> =>
      Number(/total_net_output_bytes:(\d+)/.exec(await admin.info('stats'))?.[1]);
    const before = await sent();
    const first: string[] = [];
    for await (const { key } of store.list('data/')) if (first.push(key) === 16) break;
    expect(first).toEqual(keys.slice(0, 16));
    expect((await sent()) - before).toBeLessThan(20 * value.length);
    const all: string[] = [];
    for await (const { key } of store.list('data/')) all.push(key);
    expect(all).toEqual(keys);
    for (const key of keys) await store.delete(key);
  });

  it('a client with a prefix of its own works', async () => {
    const client = new Redis(server.url, { keyPrefix: 'app:' });
    const store = redisStore(client, { prefix: '{prefixed}:' });
    await store.set('key', 1);
    expect((await store.list('k')[Symbol.asyncIterator]().next()).value).toMatchObject({ value: 1 });
    expect(await admin.exists('app:{prefixed}:{values:0}:values')).toBe(1);
    client.disconnect();
  });
}
