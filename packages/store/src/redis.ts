import { createHash } from 'node:crypto';
import { optionCheck } from '@hooks/core/options';
import { checkOptions, duration } from './arguments.ts';
import { byCodePoints } from './code-points.ts';
import {
  APPEND_MS,
  type KeyedValue,
  PORTION_BYTES,
  REQUEST_MS,
  type StoreDriver,
  type StoredValue,
} from './driver.ts';
import { capital, StoreError, type StoreErrorCode } from './error.ts';
import { once } from './once.ts';
import { type Store, type StoreOptions, storeOn } from './store.ts';
import { PARTS } from './window.ts';

/** A client of `redis` (node-redis), connected. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** For a connection that hears of answers. Without it, whoever waits reads again and again. */
  duplicate?(): NodeRedisSubscriber;
}

/** A second connection of `redis` (node-redis). */
export interface NodeRedisSubscriber {
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: 'connect' | 'ready' | 'error', listener: () => void): unknown;
  destroy(): unknown;
}

/** A client of `ioredis`. */
export interface IoredisClient {
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** For a connection that hears of answers. Without it, whoever waits reads again and again. */
  duplicate?(): IoredisSubscriber;
}

/** A second connection of `ioredis`. */
export interface IoredisSubscriber {
  subscribe(channel: string): Promise<unknown>;
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  disconnect(): unknown;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions extends StoreOptions {
  /**
   * The prefix of all keys. Default: `hooks:`. In a cluster, values are spread over 16 slots (by the first three parts of keys such as `a/b/c/d`) and each log has a slot of its own;
   * counters are in one slot, because one call may count against several. A prefix with a hash tag, as `{hooks}:`, keeps all
   * keys in one slot; lists of shorter prefixes take one script then instead of 16.
   */
  readonly prefix?: string;
}

/**
 * A store in Redis or Valkey, on a client that you own: connect it, listen to its errors and close it. Every call is
 * one script, which is sent once. A server that evicts keys (any `maxmemory-policy` but `noeviction`) is refused, because limits would
 * be forgotten. The store asks for the policy once a minute.
 *
 * @throws StoreError `INVALID` where an option is unknown or invalid
 */
export function redisStore(client: NodeRedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  options = checkOptions('redisStore', options, { prefix, timeoutMs: duration });
  return storeOn(redisDriver(client, options.prefix ?? 'hooks:'), options);
}

/** The prefix of keys may be empty. */
const prefix = optionCheck('a text', (value) => typeof value === 'string');

const VERSION = '3';

/** Over how many slots values are spread. */
const SHARDS = 16;

/** Redis's own clock, in milliseconds. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** A write asks first whether its request, the last of the keys, was answered, and keeps its answer for whoever asks again. */
const REQUEST = `
local known = redis.call('GET', KEYS[#KEYS])
if known then return cjson.decode(known) end
local function know(answer, ms)
  redis.call('SET', KEYS[#KEYS], cjson.encode(answer), 'PX', ms)
  return answer
end
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

/**
 * KEYS: those of values, the request. ARGV: key, expected ('' for any, '-' for none, or '=' and a version), ttl or '', the channel
 * for those who listen or '', then version and text unless it deletes.
 */
const SET = `${NOW}${REQUEST}${VALUES}
local key, expected, ttl = ARGV[1], ARGV[2], ARGV[3]
local found = live(key) and redis.call('HGET', values, key)
local version = found and '=' .. string.match(found, '^%S+') or '-'
if expected ~= '' and expected ~= version then return {0} end
if ARGV[5] then
  redis.call('HSET', values, key, ARGV[5] .. ' ' .. ARGV[6])
  redis.call('ZADD', index, 0, key)
  if ttl == '' then redis.call('ZREM', expiry, key) else redis.call('ZADD', expiry, now + ttl, key) end
else
  remove(key)
end
sweep()
if ARGV[4] ~= '' then redis.pcall('PUBLISH', ARGV[4], key) end
if not ARGV[5] and not found then return {0} end
return know({1}, ${REQUEST_MS})
`;

/** ARGV: the bounds of the range, and how many. */
const RANGE = `${NOW}${VALUES}
local found = {}
local from, limit = ARGV[1], tonumber(ARGV[3])
while #found < limit do
  local keys = redis.call('ZRANGEBYLEX', index, from, ARGV[2], 'LIMIT', 0, limit)
  for _, key in ipairs(keys) do
    if live(key) and #found < limit then found[#found + 1] = key end
  end
  if #keys < limit then break end
  from = '(' .. keys[#keys]
end
`;

/** Returns keys and lengths in turn: over several slots, most of what each has in a range is behind what the others have. */
const KEYS_IN = `${RANGE}
local result = {}
for _, key in ipairs(found) do
  result[#result + 1] = key
  result[#result + 1] = redis.call('HSTRLEN', values, key)
end
return result
`;

/** Returns keys and values in turn. */
const LIST = `${RANGE}
local result, bytes = {}, 0
for _, key in ipairs(found) do
  local value = redis.call('HGET', values, key)
  result[#result + 1] = key
  result[#result + 1] = value
  bytes = bytes + #value - string.find(value, ' ', 1, true)
  if bytes >= ${PORTION_BYTES} then break end
end
return result
`;

/*
 * A counter is a hash of amounts with their sum, and a sorted set of when they expire. So what it costs does not depend on how many
 * amounts it holds. KEYS: hash and set of each counter, then the request. ARGV: amount, limit or '', window, id or '' for each.
 */
const COUNT = `${NOW}${REQUEST}
local function text(number) return string.format('%.0f', number) end
local function forget(hash, ends, sum)
  local gone = redis.call('ZRANGEBYSCORE', ends, '-inf', now)
  for _, name in ipairs(gone) do
    sum = sum - tonumber(redis.call('HGET', hash, name) or 0)
    redis.call('HDEL', hash, name)
    redis.call('ZREM', ends, name)
  end
  if #gone > 0 then
    if sum > 0 then redis.call('HSET', hash, 'sum', text(sum)) else redis.call('DEL', hash, ends) end
  end
  return sum, #gone > 0
end
local counters, totals, refused = {}, {}, {}
for i = 1, #ARGV / 4 do
  local hash, ends = KEYS[2 * i - 1], KEYS[2 * i]
  local amount, limit, window, id = tonumber(ARGV[4 * i - 3]), tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1]), ARGV[4 * i]
  local name, till = 'id ' .. id, now + window
  if id == '' then
    local part = math.max(1, math.floor(window / ${PARTS}))
    till = (math.floor(now / part) + 1) * part + window
    name = 'until ' .. text(till)
  end
  local found = redis.call('HMGET', hash, 'sum', name)
  local sum, isLess = forget(hash, ends, tonumber(found[1] or 0))
  if isLess then found[2] = redis.call('HGET', hash, name) end
  local own = tonumber(found[2] or 0)
  local others = id == '' and sum or sum - own
  if not refused[1] and amount > 0 and limit and others + amount > limit then
    local first = redis.call('ZRANGE', ends, 0, 0, 'WITHSCORES')[2]
    refused = {i, amount <= limit and first and tonumber(first) - now or -1}
  end
  totals[i] = sum
  counters[i] = {hash, ends, id, name, amount, till, own, others}
end
if refused[1] then return {0, totals, refused[1], refused[2]} end
local wrote = false
for i, counter in ipairs(counters) do
  local hash, ends, id, name, amount, till, own, others = unpack(counter)
  local sum = others + amount
  if amount > 0 then
    redis.call('HSET', hash, name, text(id == '' and own + amount or amount), 'sum', text(sum))
    -- Most amounts join one that expires at the same time, and change no expiry.
    if (id ~= '' or own == 0) and redis.call('ZADD', ends, 'CH', text(till), name) == 1 then
      local last = redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2]
      redis.call('PEXPIREAT', hash, last)
      redis.call('PEXPIREAT', ends, last)
    end
    wrote = true
  elseif id ~= '' then
    redis.call('HDEL', hash, name)
    redis.call('ZREM', ends, name)
    if sum > 0 then redis.call('HSET', hash, 'sum', text(sum)) else redis.call('DEL', hash, ends) end
    wrote = true
  end
  totals[i] = sum
end
if not wrote then return {1, totals} end
return know({1, totals}, ${REQUEST_MS})
`;

/** How many records were trimmed, and how many there are. KEYS: the list of records, and the position of its first one. */
const LENGTH = `
local first, count = tonumber(redis.call('GET', KEYS[2]) or 0), redis.call('LLEN', KEYS[1])
`;

/** KEYS: those of the log, the request. ARGV: expected length or '', ttl or '', records. */
const APPEND = `${NOW}${REQUEST}${LENGTH}
local length = first + count
if ARGV[1] ~= '' and tonumber(ARGV[1]) ~= length then return {0, length} end
for i = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
for i = 1, 2 do
  if ARGV[2] == '' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIREAT', KEYS[i], now + ARGV[2]) end
end
return know({1, length + #ARGV - 2}, ${APPEND_MS})
`;

/** ARGV: a position, and how many. Returns the position of the first one, then the records. */
const READ = `${LENGTH}
local from = math.max(ARGV[1] - first, 0)
local found, bytes = {}, 0
for start = from, from + ARGV[2] - 1, 50 do
  local records = redis.call('LRANGE', KEYS[1], start, math.min(start + 50, from + ARGV[2]) - 1)
  for _, record in ipairs(records) do
    found[#found + 1] = record
    bytes = bytes + #record
    if bytes >= ${PORTION_BYTES} then return {first + from, found} end
  end
  if #records < 50 then break end
end
return {first + from, found}
`;

/** ARGV: the position of the first record that stays. Both keys expire together. */
const TRIM = `${NOW}${LENGTH}
local gone = math.min(ARGV[1] - first, count)
if gone <= 0 then return end
local left = redis.call('PTTL', KEYS[1])
redis.call('SET', KEYS[2], string.format('%.0f', first + gone))
if left >= 0 then redis.call('PEXPIREAT', KEYS[2], now + left) end
redis.call('LTRIM', KEYS[1], gone, -1)
`;

/** Resolves to the version of the data, which the first caller sets, and to the policy by which the server drops keys, if it does. */
const MEET = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
local about = redis.pcall('INFO', 'memory')
local policy = ''
if type(about) == 'string' and string.match(about, 'maxmemory:(%d+)') ~= '0' then
  policy = string.match(about, 'maxmemory_policy:([%w-]+)') or ''
end
return {redis.call('GET', KEYS[1]), policy}
`;

/** How long a server counts as known. Somebody may change its settings, or another one may take its place. */
const MEET_MS = 60_000;

function redisDriver(client: NodeRedisClient | IoredisClient, prefix: string): StoreDriver {
  // A prefix may come from an address, with the password behind it.
  const name = `the Redis store${/^[\w:{}./-]+$/.test(prefix) ? ` ${prefix}` : ''}`;
  const channel = `${prefix}changed`;
  // All keys of a script have one hash tag, which decides the slot. That of the prefix, if it has one, comes first.
  const shards = Array.from(
    { length: /\{[^}]+\}/.test(prefix) ? 1 : SHARDS },
    (_, nth) => `${prefix}{values:${nth}}:`,
  );
  const shardOf = (key: string): string => shards[hashOf(groupOf(key) ?? key) % shards.length] ?? '';
  const valuesOf = (shard: string): readonly string[] =>
    ['values', 'index', 'expiry'].map((part) => shard + part);
  const counters = `${prefix}{counters}:`;
  const logOf = (stream: string): readonly string[] =>
    ['records', 'first'].map((part) => `${prefix}{log:${stream}}:${part}`);

  const meet = async (): Promise<void> => {
    const [version, policy] = listOf(await evaluate(client, MEET, [`${prefix}version`], [VERSION]));
    if (policy !== '' && policy !== 'noeviction') {
      const text = `${capital(name)} is on a server that drops keys when its memory is full (maxmemory-policy ${policy}), so that limits and approvals would be forgotten; set maxmemory-policy noeviction.`;
      throw new StoreError('INCOMPATIBLE', text);
    }
    if (version === VERSION) return;
    const text = `${capital(name)} has version ${version}; this version of @hooks/store needs ${VERSION}.`;
    throw new StoreError('INCOMPATIBLE', text);
  };
  let met = once(meet);
  let metAt = performance.now();

  async function run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const now = performance.now();
    if (now - metAt >= MEET_MS) {
      met = once(meet);
      metAt = now;
    }
    await met();
    return evaluate(client, script, keys, args);
  }

  const get = async (key: string): Promise<StoredValue | undefined> => {
    const [hash = '', , expiry = ''] = valuesOf(shardOf(key));
    const found = await run(GET, [hash, expiry], [key]);
    return typeof found === 'string' ? storedValue(found) : undefined;
  };

  return {
    name,

    get,

    async set({ key, text, request, expected, ttlMs, notify }) {
      const condition = expected === undefined ? '' : expected === null ? '-' : `=${expected}`;
      const value = text === undefined ? [] : [request, text];
      const args = [key, condition, String(ttlMs ?? ''), notify ? channel : '', ...value];
      const shard = shardOf(key);
      return listOf(await run(SET, [...valuesOf(shard), `${shard}request:${request}`], args))[0] === 1;
    },

    async list(prefixOfKeys, after, limit) {
      const wanted = groupOf(prefixOfKeys) === undefined ? shards : [shardOf(prefixOfKeys)];
      const ask = (script: string, from: string, most: number): Promise<readonly unknown[]> => {
        const args = [from, `(${prefixOfKeys}\u{10ffff}`, String(most)];
        return Promise.all(wanted.map((shard) => run(script, valuesOf(shard), args)));
      };
      let from = after > prefixOfKeys ? `(${after}` : `[${prefixOfKeys}`;
      if (wanted.length === 1) return pairsIn(listOf((await ask(LIST, from, limit))[0]));
      const found: KeyedValue[] = [];
      for (let bytes = 0; ; ) {
        const most = limit - found.length;
        const portions = await ask(KEYS_IN, from, most);
        const keys = portions
          .flatMap((portion) => pairsOf(listOf(portion)))
          .sort(([one], [other]) => byCodePoints(one, other))
          .slice(0, most);
        const wantedKeys = firstOf(keys, PORTION_BYTES - bytes);
        const values = await Promise.all(wantedKeys.map(get));
        // Some may have been deleted meanwhile, or changed.
        for (const [nth, key] of wantedKeys.entries()) {
          const value = values[nth];
          if (value === undefined) continue;
          found.push({ key, ...value });
          bytes += Buffer.byteLength(value.text);
        }
        const isEnd = wantedKeys.length === keys.length && keys.length < most;
        if (isEnd || found.length === limit || bytes >= PORTION_BYTES) return found;
        from = `(${wantedKeys.at(-1)}`;
      }
    },

    async count(counts, request) {
      const keys = counts.flatMap(({ key }) => [`${counters}amounts:${key}`, `${counters}ends:${key}`]);
      const args = counts.flatMap(({ amount, limit = '', windowMs, id = '' }) => [
        amount,
        limit,
        windowMs,
        id,
      ]);
      const [counted, all, refused, retry] = listOf(
        await run(COUNT, [...keys, `${counters}request:${request}`], args.map(String)),
      );
      const totals = listOf(all).map(Number);
      if (counted === 1) return { counted: true, totals };
      const retryAfterMs = Number(retry) < 0 ? undefined : Number(retry);
      return { counted: false, totals, key: counts[Number(refused) - 1]?.key ?? '', retryAfterMs };
    },

    async append({ stream, request, records, expected, ttlMs }) {
      const args = [String(expected ?? ''), String(ttlMs ?? ''), ...records];
      const keys = [...logOf(stream), `${prefix}{log:${stream}}:request:${request}`];
      const [appended, length] = listOf(await run(APPEND, keys, args));
      return { appended: appended === 1, length: Number(length) };
    },

    async read(stream, from, limit) {
      const [first, records] = listOf(await run(READ, logOf(stream), [String(from), String(limit)]));
      return listOf(records).map((text, nth) => ({ position: Number(first) + nth, text: String(text) }));
    },

    async trim(stream, before) {
      await run(TRIM, logOf(stream), [String(before)]);
    },

    codeOf,

    async listen({ changed, lost }) {
      if ('evalSha' in client) {
        const subscriber = client.duplicate?.();
        if (subscriber === undefined) throw new TypeError('this client cannot be duplicated');
        let isOver = false;
        const end = (): void => {
          isOver = true;
          try {
            subscriber.destroy();
          } catch {
            // It is closed already.
          }
        };
        subscriber.on('error', lost);
        // One that was just connecting again when it ended would stay.
        for (const event of ['connect', 'ready'] as const) subscriber.on(event, () => isOver && end());
        try {
          await subscriber.connect();
          await subscriber.subscribe(channel, changed);
        } catch (error) {
          end();
          throw error;
        }
        return async () => end();
      }
      const subscriber = client.duplicate?.();
      if (subscriber === undefined) throw new TypeError('this client cannot be duplicated');
      subscriber.on('error', lost);
      subscriber.on('close', lost);
      subscriber.on('message', (_, key) => changed(key));
      try {
        await subscriber.subscribe(channel);
      } catch (error) {
        subscriber.disconnect();
        throw error;
      }
      return async () => void subscriber.disconnect();
    },
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

/** Keys that have the same first three parts, as in `a/b/c/`, are in one slot, so that one script lists them. */
function groupOf(key: string): string | undefined {
  return /^(?:[^/]*\/){3}/.exec(key)?.[0];
}

/** Spreads keys evenly: FNV-1a. Part of the format. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function pairsIn(found: readonly unknown[]): readonly KeyedValue[] {
  return pairsOf(found).map(([key, value]) => ({ key, ...storedValue(value) }));
}

/** What a script returns in turn. */
function pairsOf(found: readonly unknown[]): readonly (readonly [key: string, value: string])[] {
  return found.flatMap((key, index) =>
    index % 2 === 0 ? [[String(key), String(found[index + 1])] as const] : [],
  );
}

/** The first keys, up to the one with which their lengths reach so many bytes. */
function firstOf(keys: readonly (readonly [key: string, length: string])[], most: number): readonly string[] {
  const first: string[] = [];
  let bytes = 0;
  for (const [key, length] of keys) {
    first.push(key);
    bytes += Number(length);
    if (bytes >= most) break;
  }
  return first;
}

function storedValue(found: string): StoredValue {
  const end = found.indexOf(' ');
  return { version: found.slice(0, end), text: found.slice(end + 1) };
}

function listOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

/** By the first word of the server's reply. Errors that are no reply are connection errors. */
function codeOf(error: unknown): StoreErrorCode {
  const message = error instanceof Error ? error.message : '';
  // An error inside a script has other words before it, or none.
  if (/\bNOPERM\b|ACL failure in script|user executing the script can't/i.test(message)) return 'DENIED';
  const [, reply] = /^([A-Z]+) /.exec(message) ?? [];
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
