import type { Store } from '@hooks/store';
import type { JournalSink } from './sink.ts';

/** The stream of a store's log that holds a journal. */
export const JOURNAL_STREAM = 'journal';

/** The key of a record's data: it can be deleted, a record of a log cannot. */
export function dataKey({ source, id }: { readonly source: string; readonly id: string }): string {
  return `journal/data/${source}/${id}`;
}

/** Writes a journal into a store: records into its log, their data into values. */
export function storeSink(store: Store): JournalSink {
  return {
    name: `the journal in ${store.name}`,
    async write(lines) {
      // Data first: a record without its data would look like one that was erased.
      await Promise.all(
        lines.flatMap(({ about, data }) =>
          typeof data === 'string' ? [store.set(dataKey(about), JSON.parse(data))] : [],
        ),
      );
      await store.append(
        JOURNAL_STREAM,
        lines.map(({ about, hash }) => ({ hash, record: about })),
      );
    },
  };
}
