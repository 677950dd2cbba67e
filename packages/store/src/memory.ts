import type { Count, Counted, KeyedValue, LogWrite, StoreDriver, StoredValue, ValueWrite } from './driver.ts';
import { createStore, type Store } from './store.ts';
import { endOfWindow } from './window.ts';

/** A store in this process. Its data ends with it. For tests, and for agents that run in one process. */
export function memoryStore(): Store {
  return createStore(memoryDriver());
}

interface Expiring {
  /** `Infinity` if it does not expire. */
  readonly expiresAt: number;
}
interface Value extends StoredValue, Expiring {}
interface Amount extends Expiring {
  readonly amount: number;
}
interface Log extends Expiring {
  readonly records: string[];
}

/** How many expired entries of each kind a write removes. */
const SWEEP = 100;

function memoryDriver(): StoreDriver {
  const values = new ExpiringMap<Value>();
  const logs = new ExpiringMap<Log>();
  const counters = new ExpiringMap<Expiring & { readonly amounts: Map<string, Amount> }>();

  return {
    name: 'the memory store',

    async get(key) {
      return values.get(key);
    },

    async set({ key, text, version, expected, ttlMs }: ValueWrite) {
      const found = values.get(key);
      if (expected !== undefined && (found?.version ?? null) !== expected) return false;
      if (text === undefined) return values.delete(key) && found !== undefined;
      values.set(key, { text, version, expiresAt: expiry(ttlMs) });
      return true;
    },

    async list(prefix, after, limit) {
      const found: KeyedValue[] = [];
      for (const [key, { text, version }] of values.live())
        if (key.startsWith(prefix) && byCodePoints(key, after) > 0) found.push({ key, text, version });
      return found.sort((a, b) => byCodePoints(a.key, b.key)).slice(0, limit);
    },

    async count(counts): Promise<Counted> {
      const at = now();
      const held = counts.map((count) => ({
        ...count,
        ...heldIn(counters.get(count.key)?.amounts, count.id, at),
      }));
      const full = held.find(({ amount, limit, others }) => {
        return amount > 0 && limit !== undefined && others + amount > limit;
      });
      if (full) {
        const { key, amount, limit = 0, next } = full;
        const retryAfterMs = amount > limit ? undefined : Math.ceil(next - at);
        return { counted: false, totals: held.map(({ total }) => total), key, retryAfterMs };
      }
      for (const count of counts) add(count, at);
      return { counted: true, totals: held.map(({ others, amount }) => others + amount) };
    },

    async append({ stream, records, expected, ttlMs }: LogWrite) {
      const log = logs.get(stream)?.records ?? [];
      if (expected !== undefined && expected !== log.length) return { appended: false, length: log.length };
      for (const record of records) log.push(record);
      logs.set(stream, { records: log, expiresAt: expiry(ttlMs) });
      return { appended: true, length: log.length };
    },

    async read(stream, from, limit) {
      return logs.get(stream)?.records.slice(from, from + limit) ?? [];
    },
  };

  function add({ key, amount, windowMs, id }: Count, at: number): void {
    if (amount === 0 && id === undefined) return;
    const amounts = counters.get(key)?.amounts ?? new Map<string, Amount>();
    const expiresAt = id === undefined ? endOfWindow(at, windowMs) : at + windowMs;
    const name = id === undefined ? `until ${expiresAt}` : `id ${id}`;
    const before = id === undefined ? (amounts.get(name)?.amount ?? 0) : 0;
    if (amount > 0) amounts.set(name, { amount: before + amount, expiresAt });
    else amounts.delete(name);
    const last = Math.max(0, ...[...amounts.values()].map((each) => each.expiresAt));
    counters.set(key, { amounts, expiresAt: last });
  }
}

/** The total of a counter, and the total without what an id replaces. Removes what has expired. */
function heldIn(
  amounts: Map<string, Amount> | undefined,
  id: string | undefined,
  at: number,
): { readonly total: number; readonly others: number; readonly next: number } {
  let total = 0;
  let next = Number.POSITIVE_INFINITY;
  for (const [name, { amount, expiresAt }] of amounts ?? []) {
    if (expiresAt <= at) amounts?.delete(name);
    else {
      total += amount;
      next = Math.min(next, expiresAt);
    }
  }
  const own = id === undefined ? undefined : amounts?.get(`id ${id}`);
  return { total, others: total - (own?.amount ?? 0), next };
}

/** A map whose entries expire. Each write removes some expired ones. */
class ExpiringMap<T extends Expiring> {
  readonly #entries = new Map<string, T>();
  #sweeping = this.#entries.entries();

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expiresAt > now() ? entry : undefined;
  }

  set(key: string, entry: T): void {
    this.#sweep();
    this.#entries.set(key, entry);
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  *live(): Iterable<[string, T]> {
    const at = now();
    for (const [key, entry] of this.#entries) if (entry.expiresAt > at) yield [key, entry];
  }

  /** Continues where the last one ended, so that lasting entries do not hide expired ones. */
  #sweep(): void {
    const at = now();
    for (let looked = 0; looked < SWEEP; looked++) {
      const next = this.#sweeping.next();
      if (next.done) {
        this.#sweeping = this.#entries.entries();
        return;
      }
      const [key, { expiresAt }] = next.value;
      if (expiresAt <= at) this.#entries.delete(key);
    }
  }
}

/** A clock that cannot be set. */
function now(): number {
  return performance.now();
}

function expiry(ttlMs: number | undefined): number {
  return now() + (ttlMs ?? Number.POSITIVE_INFINITY);
}

/** JavaScript compares strings by UTF-16 units, which puts characters beyond U+FFFF before U+E000. */
function byCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}
