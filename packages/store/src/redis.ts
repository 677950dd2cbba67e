import { createHash } from 'node:crypto';
import type { StoreDriver } from './driver.ts';
import { capital, StoreError, type StoreErrorCode } from './error.ts';
import { once } from './once.ts';
import { createStore, type Store, type StoreOptions } from './store.ts';
import { PARTS } from './window.ts';

/** A client of `redis` (node-redis), connected. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client of `ioredis`. */
export interface IoredisClient {
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions extends StoreOptions {
  /** The prefix of all keys. Default: `{hooks}:`. The braces keep them on one node of a cluster. */
  readonly prefix?: string;
}

/**
 * A store in Redis or Valkey, on a client that you own: connect it, listen to its errors and close it. Every call is
 * one script, which is sent once. The server must not evict keys (`maxmemory-policy noeviction`), otherwise limits are
 * forgotten.
 */
export function redisStore(client: NodeRedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  return createStore(redisDriver(client, options.prefix ?? '{hooks}:'), options);
}

const VERSION = '1';

/** Redis's own clock, in milliseconds. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/*
 * Values are fields of a hash, `version text`. One sorted set has their keys in order, another one when they expire. Where all
 * of them expire, so do these three keys: an idle store leaves nothing behind.
 */
const VALUES = `
local values, index, expiry = KEYS[1], KEYS[2], KEYS[3]
local function remove(key)
  redis.call('HDEL', values, key)
  redis.call('ZREM', index, key)
  redis.call('ZREM', expiry, key)
end
local function sweep()
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, 100)) do remove(key) end
  local last = redis.call('ZRANGE', expiry, -1, -1, 'WITHSCORES')[2]
  for _, key in ipairs({values, index, expiry}) do
    if last and redis.call('ZCARD', index) == redis.call('ZCARD', expiry) then
      redis.call('PEXPIREAT', key, last)
    else
      redis.call('PERSIST', key)
    end
  end
end
local function live(key)
  local due = redis.call('ZSCORE', expiry, key)
  return not due or tonumber(due) > now
end
`;

const GET = `${NOW}
local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
if due and tonumber(due) <= now then return false end
return redis.call('HGET', KEYS[1], ARGV[1])
`;

/** ARGV: key, expected ('' for any, '-' for none, or '=' and a version), ttl or '', then version and text unless it deletes. */
const SET = `${NOW}${VALUES}
local key, expected, ttl = ARGV[1], ARGV[2], ARGV[3]
local found = live(key) and redis.call('HGET', values, key)
local version = found and '=' .. string.match(found, '^%S+') or '-'
if expected ~= '' and expected ~= version then return 0 end
if ARGV[4] then
  redis.call('HSET', values, key, ARGV[4] .. ' ' .. ARGV[5])
  redis.call('ZADD', index, 0, key)
  if ttl == '' then redis.call('ZREM', expiry, key) else redis.call('ZADD', expiry, now + ttl, key) end
else
  remove(key)
end
sweep()
return (ARGV[4] or found) and 1 or 0
`;

/** ARGV: the bounds of the range, and how many. Returns keys and values in turn. */
const LIST = `${NOW}${VALUES}
local result = {}
local from, limit = ARGV[1], tonumber(ARGV[3])
while #result < 2 * limit do
  local keys = redis.call('ZRANGEBYLEX', index, from, ARGV[2], 'LIMIT', 0, limit)
  for _, key in ipairs(keys) do
    if live(key) and #result < 2 * limit then
      result[#result + 1] = key
      result[#result + 1] = redis.call('HGET', values, key)
    end
  end
  if #keys < limit then break end
  from = '(' .. keys[#keys]
end
return result
`;

/*
 * A counter is a hash of amounts, `amount expiry` each, with their sum, and when the first and the last of them expire (at the
 * latest and at the earliest). So it is looked through only when something has expired. KEYS: the counters. ARGV: amount, limit or
 * '', window, id or '' for each.
 */
const COUNT = `${NOW}
local function text(number) return string.format('%.0f', number) end
local function sweep(key)
  local sum, first, last = 0, math.huge, 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local amount, till = string.match(all[i + 1], '^(%d+) (%d+)$')
    if amount then
      till = tonumber(till)
      if till <= now then
        redis.call('HDEL', key, all[i])
      else
        sum, first, last = sum + tonumber(amount), math.min(first, till), math.max(last, till)
      end
    end
  end
  if sum > 0 then redis.call('HSET', key, 'sum', text(sum), 'first', text(first), 'last', text(last)) else redis.call('DEL', key) end
  return sum, first, last
end
local counters, totals, refused = {}, {}, {}
for i, key in ipairs(KEYS) do
  local amount, limit, window, id = tonumber(ARGV[4 * i - 3]), tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1]), ARGV[4 * i]
  local name, till = 'id ' .. id, now + window
  if id == '' then
    local part = math.max(1, math.floor(window / ${PARTS}))
    till = (math.floor(now / part) + 1) * part + window
    name = 'until ' .. text(till)
  end
  local found = redis.call('HMGET', key, 'sum', 'first', 'last', name)
  local sum, first, last = tonumber(found[1] or 0), tonumber(found[2] or math.huge), tonumber(found[3] or 0)
  if first <= now then sum, first, last = sweep(key) end
  local own, ends = string.match(found[4] or '', '^(%d+) (%d+)$')
  own = own and tonumber(ends) > now and tonumber(own) or 0
  local others = id == '' and sum or sum - own
  if not refused[1] and amount > 0 and limit and others + amount > limit then
    refused = {i, amount <= limit and first - now or -1}
  end
  totals[i] = sum
  counters[i] = {key, id, name, amount, till, own, others, first, last}
end
if refused[1] then return {0, totals, refused[1], refused[2]} end
for i, counter in ipairs(counters) do
  local key, id, name, amount, till, own, others, first, last = unpack(counter)
  local sum = others + amount
  if amount > 0 then
    redis.call('HSET', key, name, text(id == '' and own + amount or amount) .. ' ' .. text(till),
      'sum', text(sum), 'first', text(math.min(first, till)), 'last', text(math.max(last, till)))
    if till > last then redis.call('PEXPIREAT', key, text(till)) end
  elseif id ~= '' and own > 0 then
    redis.call('HDEL', key, name)
    if sum > 0 then redis.call('HSET', key, 'sum', text(sum)) else redis.call('DEL', key) end
  end
  totals[i] = sum
end
return {1, totals}
`;

/** ARGV: expected length or '', ttl or '', records. */
const APPEND = `${NOW}
local length = redis.call('LLEN', KEYS[1])
if ARGV[1] ~= '' and tonumber(ARGV[1]) ~= length then return {0, length} end
for i = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
if ARGV[2] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIREAT', KEYS[1], now + ARGV[2]) end
return {1, length + #ARGV - 2}
`;

const READ = `return redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])`;

/** Resolves to the version of the data, which the first caller sets. */
const MEET = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`;

function redisDriver(client: NodeRedisClient | IoredisClient, prefix: string): StoreDriver {
  const name = `the Redis store ${prefix}`;
  const values = ['values', 'index', 'expiry'].map((part) => prefix + part);

  const meet = once(async () => {
    const version = await evaluate(client, MEET, [`${prefix}version`], [VERSION]);
    if (version === VERSION) return;
    const text = `${capital(name)} has version ${version}; this version of @hooks/store needs ${VERSION}.`;
    throw new StoreError('INCOMPATIBLE', text);
  });

  async function run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    await meet();
    return evaluate(client, script, keys, args);
  }

  return {
    name,

    async get(key) {
      const [hash = '', , expiry = ''] = values;
      const found = await run(GET, [hash, expiry], [key]);
      return typeof found === 'string' ? storedValue(found) : undefined;
    },

    async set({ key, text, version, expected, ttlMs }) {
      const condition = expected === undefined ? '' : expected === null ? '-' : `=${expected}`;
      const value = text === undefined ? [] : [version, text];
      return (await run(SET, values, [key, condition, String(ttlMs ?? ''), ...value])) === 1;
    },

    async list(prefixOfKeys, after, limit) {
      const from = after > prefixOfKeys ? `(${after}` : `[${prefixOfKeys}`;
      const found = listOf(await run(LIST, values, [from, `(${prefixOfKeys}\u{10ffff}`, String(limit)]));
      return found.flatMap((key, index) =>
        index % 2 === 0 ? [{ key: String(key), ...storedValue(String(found[index + 1])) }] : [],
      );
    },

    async count(counts) {
      const keys = counts.map(({ key }) => `${prefix}counter:${key}`);
      const args = counts.flatMap(({ amount, limit = '', windowMs, id = '' }) => [
        amount,
        limit,
        windowMs,
        id,
      ]);
      const [counted, all, refused, retry] = listOf(await run(COUNT, keys, args.map(String)));
      const totals = listOf(all).map(Number);
      if (counted === 1) return { counted: true, totals };
      const retryAfterMs = Number(retry) < 0 ? undefined : Number(retry);
      return { counted: false, totals, key: counts[Number(refused) - 1]?.key ?? '', retryAfterMs };
    },

    async append({ stream, records, expected, ttlMs }) {
      const args = [String(expected ?? ''), String(ttlMs ?? ''), ...records];
      const [appended, length] = listOf(await run(APPEND, [`${prefix}log:${stream}`], args));
      return { appended: appended === 1, length: Number(length) };
    },

    async read(stream, from, limit) {
      const range = [String(from), String(from + limit - 1)];
      return listOf(await run(READ, [`${prefix}log:${stream}`], range)).map(String);
    },

    codeOf,
  };
}

/** Sends the hash of a script, and the script itself if the server does not have it yet. */
async function evaluate(
  client: NodeRedisClient | IoredisClient,
  script: string,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const sha = shaOf(script);
  try {
    if ('evalSha' in client) return await client.evalSha(sha, { keys: [...keys], arguments: [...args] });
    return await client.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    if ('evalSha' in client) return client.eval(script, { keys: [...keys], arguments: [...args] });
    return client.eval(script, keys.length, ...keys, ...args);
  }
}

const shas = new Map<string, string>();

function shaOf(script: string): string {
  const known = shas.get(script);
  if (known !== undefined) return known;
  const sha = createHash('sha1').update(script).digest('hex');
  shas.set(script, sha);
  return sha;
}

function storedValue(found: string): { readonly version: string; readonly text: string } {
  const end = found.indexOf(' ');
  return { version: found.slice(0, end), text: found.slice(end + 1) };
}

function listOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

/** By the first word of the server's reply. Errors that are no reply are connection errors. */
function codeOf(error: unknown): StoreErrorCode {
  const [, reply] = /^([A-Z]+) /.exec(error instanceof Error ? error.message : '') ?? [];
  switch (reply) {
    case undefined:
      return error instanceof TypeError ? 'FAILED' : 'UNREACHABLE';
    case 'NOAUTH':
    case 'WRONGPASS':
    case 'NOPERM':
      return 'DENIED';
    case 'OOM':
      return 'FULL';
    case 'WRONGTYPE':
      return 'INCOMPATIBLE';
    case 'LOADING':
    case 'READONLY':
    case 'MASTERDOWN':
    case 'CLUSTERDOWN':
    case 'TRYAGAIN':
      return 'UNREACHABLE';
    default:
      return 'FAILED';
  }
}
