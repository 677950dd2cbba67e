import type { Store } from '@hooks/store';
import type { JournalSink } from './sink.ts';

/** The stream of a store that contains a journal. */
export const JOURNAL_STREAM = 'journal';

/** The key of a record's data, which can be deleted, unlike a record of a stream. */
export function dataKey({ source, id }: { readonly source: string; readonly id: string }): string {
  return `journal/data/${source}/${id}`;
}

/** Writes a journal to a store: records to a stream, their data to values. */
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
        await Promise.all(
          portion.flatMap(({ about, data }) =>
            typeof data === 'string' ? [store.set(dataKey(about), JSON.parse(data))] : [],
          ),
        );
        await store.append(
          JOURNAL_STREAM,
          portion.map(({ about, hash }) => ({ hash, record: about })),
          { requestId: portion[0]?.hash ?? '' },
        );
        appended += portion.length;
        unsure = 0;
      }
      appended = 0;
    },
  };
}
