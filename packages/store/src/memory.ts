import { checkOptions } from './arguments.ts';
import { byCodePoints } from './code-points.ts';
import {
  APPEND_MS,
  type Appended,
  type Count,
  type Counted,
  type KeyedValue,
  type LogWrite,
  REQUEST_MS,
  type StoreDriver,
  type StoredValue,
  type ValueWrite,
  type WriteListener,
} from './driver.ts';
import { type Store, storeOn } from './store.ts';
import { endOfWindow } from './window.ts';

/** A store in this process. Its data ends with it. For tests, and for agents that run in one process. It has no options. */
export function memoryStore(options: { readonly [option: string]: never } = {}): Store {
  options = checkOptions('memoryStore', options, {});
  return storeOn(memoryDriver());
}

interface Expiring {
  /** `Infinity` if it does not expire. */
  readonly expiresAt: number;
}
interface Value extends StoredValue, Expiring {}
interface Answer<T> extends Expiring {
  readonly answer: T;
}
interface Log extends Expiring {
  /** The position of the first of the records: those before it were trimmed. */
  readonly first: number;
  readonly records: string[];
}

/** How many expired entries of each kind a write removes. */
const SWEEP = 100;

function memoryDriver(): StoreDriver {
  const values = new ExpiringMap<Value>();
  const logs = new ExpiringMap<Log>();
  const counters = new ExpiringMap<Counter>();
  const listeners = new Set<WriteListener>();
  const written = new ExpiringMap<Answer<true>>();
  const counted = new ExpiringMap<Answer<Counted>>();
  const appended = new ExpiringMap<Answer<Appended>>();
  const know = <T>(answers: ExpiringMap<Answer<T>>, request: string, answer: T, ms = REQUEST_MS): T => {
    answers.set(request, { answer, expiresAt: expiry(ms) });
    return answer;
  };

  return {
    name: 'the memory store',
    inMemory: true,

    async get(key) {
      return values.get(key);
    },

    async set({ key, text, request, repeatable, expected, ttlMs, notify }: ValueWrite) {
      if (written.get(request)) return true;
      const found = values.get(key);
      if (expected !== undefined && (found?.version ?? null) !== expected) return false;
      if (text === undefined) values.delete(key);
      else values.set(key, { text, version: request, expiresAt: expiry(ttlMs) });
      if (text === undefined && found === undefined) return false;
      if (notify) for (const { changed } of listeners) changed(key);
      return repeatable ? know(written, request, true) : true;
    },

    async list(prefix, after, limit) {
      const found: KeyedValue[] = [];
      for (const [key, { text, version }] of values.live())
        if (key.startsWith(prefix) && byCodePoints(key, after) > 0) found.push({ key, text, version });
      return found.sort((a, b) => byCodePoints(a.key, b.key)).slice(0, limit);
    },

    async count(counts, request, repeatable): Promise<Counted> {
      const known = counted.get(request);
      if (known) return known.answer;
      const at = now();
      const held = counts.map((count) => {
        const counter = counters.get(count.key);
        counter?.forget(at);
        const own = count.id === undefined ? 0 : (counter?.amountOf(`id ${count.id}`) ?? 0);
        const total = counter?.total ?? 0;
        return { ...count, total, others: total - own, next: counter?.next ?? Number.POSITIVE_INFINITY };
      });
      const full = held.find(({ amount, limit, others }) => {
        return amount > 0 && limit !== undefined && others + amount > limit;
      });
      if (full) {
        const { key, amount, limit = 0, next } = full;
        const retryAfterMs = amount > limit ? undefined : Math.ceil(next - at);
        return { counted: false, totals: held.map(({ total }) => total), key, retryAfterMs };
      }
      for (const count of counts) add(count, at);
      const answer = { counted: true, totals: held.map(({ others, amount }) => others + amount) } as const;
      return repeatable && counts.some(changes) ? know(counted, request, answer) : answer;
    },

    async append({ stream, request, repeatable, records, expected, ttlMs }: LogWrite) {
      const known = appended.get(request);
      if (known) return known.answer;
      const { first, records: log } = logs.get(stream) ?? { first: 0, records: [] as string[] };
      const length = first + log.length;
      if (expected !== undefined && expected !== length) return { appended: false, length };
      for (const record of records) log.push(record);
      logs.set(stream, { first, records: log, expiresAt: expiry(ttlMs) });
      const answer = { appended: true, length: length + records.length };
      return repeatable ? know(appended, request, answer, APPEND_MS) : answer;
    },

    async read(stream, from, limit) {
      const { first, records } = logs.get(stream) ?? { first: 0, records: [] };
      const start = Math.max(from, first);
      return records
        .slice(start - first, start - first + limit)
        .map((text, nth) => ({ position: start + nth, text }));
    },

    async trim(stream, before) {
      const log = logs.get(stream);
      if (log === undefined || before <= log.first) return;
      const rest = log.records.slice(before - log.first);
      logs.set(stream, { ...log, first: log.first + log.records.length - rest.length, records: rest });
    },

    async listen(listener) {
      listeners.add(listener);
      return async () => void listeners.delete(listener);
    },
  };

  function add(count: Count, at: number): void {
    if (!changes(count)) return;
    const { key, amount, windowMs, id } = count;
    const counter = counters.get(key) ?? new Counter();
    const expiresAt = id === undefined ? endOfWindow(at, windowMs) : at + windowMs;
    if (id === undefined) counter.put(`until ${expiresAt}`, amount, expiresAt, true);
    else counter.put(`id ${id}`, amount, expiresAt, false);
    counters.set(key, counter);
  }
}

/** The amounts of a counter, their sum, and which of them expires next: none of it costs more where there are many. */
class Counter implements Expiring {
  total = 0;
  /** When the last one expires, at the latest. */
  expiresAt = 0;
  readonly #amounts = new Map<string, { readonly amount: number; readonly expiresAt: number }>();
  /** A heap: none expires before its parent, which is at half its position. It may hold some that were replaced. */
  #ends: { readonly name: string; readonly expiresAt: number }[] = [];

  amountOf(name: string): number {
    return this.#amounts.get(name)?.amount ?? 0;
  }

  get next(): number {
    return this.#ends[0]?.expiresAt ?? Number.POSITIVE_INFINITY;
  }

  /** Adds to an amount, or replaces it; one of 0 is removed. */
  put(name: string, amount: number, expiresAt: number, isMore: boolean): void {
    const before = this.amountOf(name);
    const after = isMore ? before + amount : amount;
    this.total += after - before;
    if (after === 0) this.#amounts.delete(name);
    else {
      const isNew = this.#amounts.get(name)?.expiresAt !== expiresAt;
      this.#amounts.set(name, { amount: after, expiresAt });
      this.expiresAt = Math.max(this.expiresAt, expiresAt);
      if (isNew) this.#push({ name, expiresAt });
    }
    if (this.#ends.length > 2 * this.#amounts.size + 16) this.#tidy();
    this.#skip();
  }

  /** Forgets what has expired. */
  forget(at: number): void {
    while (this.next <= at) {
      const name = this.#ends[0]?.name ?? '';
      this.total -= this.amountOf(name);
      this.#amounts.delete(name);
      this.#skip();
    }
  }

  /** Removes from the top what was replaced or given back. */
  #skip(): void {
    for (let top = this.#ends[0]; top !== undefined && !this.#isLive(top); top = this.#ends[0]) this.#pop();
  }

  #isLive({ name, expiresAt }: { readonly name: string; readonly expiresAt: number }): boolean {
    return this.#amounts.get(name)?.expiresAt === expiresAt;
  }

  #tidy(): void {
    this.#ends = [...this.#amounts].map(([name, { expiresAt }]) => ({ name, expiresAt }));
    this.#ends.sort((one, other) => one.expiresAt - other.expiresAt);
  }

  #push(end: { readonly name: string; readonly expiresAt: number }): void {
    const ends = this.#ends;
    let at = ends.push(end) - 1;
    for (let up = (at - 1) >> 1; at > 0; up = (at - 1) >> 1) {
      const parent = ends[up];
      if (parent === undefined || parent.expiresAt <= end.expiresAt) break;
      ends[at] = parent;
      at = up;
    }
    ends[at] = end;
  }

  #pop(): void {
    const ends = this.#ends;
    const last = ends.pop();
    if (last === undefined || ends.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [ends[left], ends[left + 1]];
      if (one === undefined) break;
      const isRight = other !== undefined && other.expiresAt < one.expiresAt;
      const least = isRight ? other : one;
      if (least.expiresAt >= last.expiresAt) break;
      ends[at] = least;
      at = isRight ? left + 1 : left;
    }
    ends[at] = last;
  }
}

/** Whether a count writes something. */
function changes({ amount, id }: Count): boolean {
  return amount > 0 || id !== undefined;
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
