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
  return {
    name: `the journal in ${store.name}`,
    async write(lines) {
      // Data first, because a record without its data would look erased.
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
