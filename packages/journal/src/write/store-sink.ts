import { type Store, StoreError } from '@hooks/store';
import { type JournalSink, portionOf } from './sink.ts';

/** The stream of a store that contains a journal. */
export const JOURNAL_STREAM = 'journal';

/** The value that holds a {@link JournalStart}. */
const START = 'journal-start';

const DATA = 'journal/';

/** Where the {@link DataBundle} is that has the data of a record. */
export function dataKey(source: string, bundle: string): string {
  return `${DATA}${source}/${bundle}`;
}

/** The data of some records: those of one session that were written together. */
interface DataBundle {
  readonly session?: string;
  readonly parentSession?: string;
  /** By the ids of the records. As texts: what a model calls or nests cannot be refused by the store. */
  readonly data: { [id: string]: string };
}

/**
 * The keys of the data of sessions, also where the process was killed before it had appended the records. Those of sub-agents are
 * added to the sessions.
 */
export async function dataKeysOf(store: Store, sessions: Set<string>): Promise<readonly string[]> {
  const bundles: (Partial<DataBundle> & { readonly key: string })[] = [];
  for await (const { key, value } of store.list(DATA)) {
    const { session, parentSession } = Object(value) as Partial<DataBundle>;
    bundles.push({
      key,
      ...(session !== undefined && { session }),
      ...(parentSession !== undefined && { parentSession }),
    });
  }
  for (let known = 0; known < sessions.size; ) {
    known = sessions.size;
    for (const { session, parentSession = '' } of bundles)
      if (session !== undefined && sessions.has(parentSession)) sessions.add(session);
  }
  return bundles.flatMap(({ key, session = '' }) => (sessions.has(session) ? [key] : []));
}

/** The beginning of a journal that was pruned. */
export interface JournalStart {
  /** Where the journal goes on in the stream. */
  readonly from: number;
  /** The first day that the pruning has kept. */
  readonly before: string;
  /** The day of the pruning. */
  readonly day: string;
  /** Records that stand before the stream: each pruning that is kept, followed by its checkpoint. */
  readonly records: readonly unknown[];
  /** The version of the stored value; `null` if nothing was ever pruned. */
  readonly version: string | null;
}

/** Reads where a journal begins. The record of its last pruning says that, because the record may be signed. */
export async function startOf(store: Store): Promise<JournalStart> {
  const entry = await store.get(START);
  const { records } = Object(entry?.value) as { readonly records?: unknown };
  const list: readonly unknown[] = Array.isArray(records) ? records : [];
  const last = list.map((stored) => Object(Object(stored).record)).findLast(({ pruning }) => pruning);
  const { time = '', pruning } = Object(last) as { readonly time?: unknown; readonly pruning?: unknown };
  const { position, before } = Object(pruning) as {
    readonly position?: unknown;
    readonly before?: unknown;
  };
  return {
    from: Number.isSafeInteger(position) ? Math.max(0, Number(position)) : 0,
    before: typeof before === 'string' ? before : '',
    day: String(time).slice(0, 10),
    records: list,
    version: entry?.version ?? null,
  };
}

/** Writes the beginning of a journal, in place of the one before it, of which it keeps some records. */
export function startSink(store: Store, { version, records: kept }: JournalStart): JournalSink {
  return {
    name: `the journal in ${store.name}`,
    async write(lines) {
      const records = [...kept, ...lines.map(({ about, hash }) => ({ hash, record: about }))];
      const written = await store.set(START, { records }, { expected: version });
      if (written === undefined)
        throw new StoreError('FAILED', 'Somebody else pruned the journal at the same time. Prune it again.');
    },
  };
}

/** Removes the records before a position, and their data. After a crash, a second call removes what is left of both. */
export async function trimTo(store: Store, end: number): Promise<void> {
  /** The id of the last record of each writer that is removed, and the writer of each value. */
  const last = new Map<string, number>();
  const writers = new Map<string, string>();
  let first = end;
  for await (const { position, record } of store.read(JOURNAL_STREAM)) {
    if (position >= end) break;
    first = Math.min(first, position);
    const { record: about, data } = Object(record) as { readonly record?: unknown; readonly data?: unknown };
    if (typeof data !== 'string') continue;
    const { source, id } = Object(about) as { readonly source?: unknown; readonly id?: unknown };
    const writer = String(source);
    last.set(writer, Number(id));
    writers.set(dataKey(writer, data), writer);
  }
  for (const [key, writer] of writers) await trimBundle(store, key, last.get(writer) ?? 0);
  // Nobody else can write to a store in a file meanwhile.
  for (let next = first + MOST_TRIMMED; next < end; next += MOST_TRIMMED)
    await store.trim(JOURNAL_STREAM, next);
  await store.trim(JOURNAL_STREAM, end);
}

/** Removes the data of a writer's records up to an id. Records that were written together have theirs in one value, and some may stay. */
async function trimBundle(store: Store, key: string, last: number): Promise<void> {
  for (;;) {
    const entry = await store.get(key);
    if (entry === undefined) return;
    const { data, ...bundle } = Object(entry.value) as Partial<DataBundle>;
    const left = Object.entries(Object(data)).filter(([id]) => Number(id) > last);
    const { version: expected } = entry;
    if (left.length === 0) {
      await store.delete(key);
      return;
    }
    // Its session may be erased meanwhile, or another pruning may remove other data of it.
    const written = await store.set(key, { ...bundle, data: Object.fromEntries(left) }, { expected });
    if (written !== undefined) return;
  }
}

/** How many records are removed at once. */
const MOST_TRIMMED = 10_000;

/** One value that a store cannot take in the time of a call would keep all that comes behind it from being written. */
const MAX_LENGTH = 16_000_000;

/** Writes a journal to a store: records to a stream, their data to values, which can be deleted. */
export function storeSink(store: Store): JournalSink {
  /** Of the lines that come again after a failure: how many were appended, and how many after these may have been. */
  let appended = 0;
  let unsure = 0;
  return {
    name: `the journal in ${store.name}`,
    maxLength: MAX_LENGTH,
    async write(lines) {
      while (appended < lines.length) {
        // What may be there is sent again as the same request, which the store appends once.
        const portion = lines.slice(appended, appended + (unsure || portionOf(lines, appended)));
        unsure = portion.length;
        // Data first, because a record without its data would look erased.
        const bundles = new Map<string, DataBundle & { readonly id: string }>();
        const records = portion.map(({ about, hash, data }) => {
          if (typeof data !== 'string') return { hash, record: about };
          const { id, session, parentSession, blob } = about;
          const group = blob ? `record ${id}` : `session ${session ?? ''}`;
          const bundle = bundles.get(group) ?? {
            id,
            data: {},
            ...(session !== undefined && { session }),
            ...(parentSession !== undefined && { parentSession }),
          };
          bundles.set(group, bundle);
          bundle.data[id] = data;
          return { hash, record: about, data: bundle.id };
        });
        const source = portion[0]?.about.source ?? '';
        await Promise.all(
          [...bundles.values()].map(({ id, ...bundle }) =>
            store.set(dataKey(source, id), bundle satisfies DataBundle),
          ),
        );
        await store.append(JOURNAL_STREAM, records, { requestId: portion[0]?.hash ?? '' });
        appended += portion.length;
        unsure = 0;
      }
      appended = 0;
    },
  };
}
