import type { Store } from '@hooks/store';
import type { JournalSink } from './sink.ts';

/** The stream of a store that contains a journal. */
export const JOURNAL_STREAM = 'journal';

/** Where the data of some records is: those of one session that were written together, by the ids of the records. */
export function dataKey(source: string, bundle: string): string {
  return `journal/${source}/${bundle}`;
}

/** Writes a journal to a store: records to a stream, their data to values, which can be deleted. */
export function storeSink(store: Store): JournalSink {
  /** Of the lines that come again after a failure: how many were appended, and how many after these may have been. */
  let appended = 0;
  let unsure = 0;
  return {
    name: `the journal in ${store.name}`,
    async write(lines) {
      while (appended < lines.length) {
        // What may be there is sent again as the same request, which the store appends once.
        const portion = lines.slice(appended, unsure > 0 ? appended + unsure : undefined);
        unsure = portion.length;
        // Data first, because a record without its data would look erased.
        const bundles = new Map<string, { readonly id: string; readonly data: { [id: string]: unknown } }>();
        const records = portion.map(({ about, hash, data }) => {
          if (typeof data !== 'string') return { hash, record: about };
          const { id, session = '', blob } = about;
          const group = blob ? `record ${id}` : `session ${session}`;
          const bundle = bundles.get(group) ?? { id, data: {} };
          bundles.set(group, bundle);
          bundle.data[id] = JSON.parse(data);
          return { hash, record: about, data: bundle.id };
        });
        const source = portion[0]?.about.source ?? '';
        await Promise.all([...bundles.values()].map(({ id, data }) => store.set(dataKey(source, id), data)));
        await store.append(JOURNAL_STREAM, records, { requestId: portion[0]?.hash ?? '' });
        appended += portion.length;
        unsure = 0;
      }
      appended = 0;
    },
  };
}
