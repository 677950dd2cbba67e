import type { KeyObject } from 'node:crypto';
import type { Store } from '@hooks/store';
import { JournalError } from '../error.ts';
import { pruneJournal } from './prune.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What is kept of a journal. */
export interface Keeping {
  /** A directory, or a store. */
  readonly source: string | Store;
  readonly days: number;
  readonly key: KeyObject | undefined;
  readonly onError: (error: JournalError) => void;
}

/**
 * Removes the days of a journal that are older: a minute after the start, because the days to remove are verified first, then daily.
 *
 * @returns ends it, waits for a removal that has begun, and removes them where none has succeeded yet: a program may end sooner
 */
export function keepDays({ source, days, key, onError }: Keeping): () => Promise<void> {
  let running: Promise<boolean> | undefined;
  const prune = (): void => {
    running = removed({ source, days, key, onError });
  };
  const first = setTimeout(prune, 60_000).unref();
  const daily = setInterval(prune, DAY_MS).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(daily);
    if (!(await running)) await removed({ source, days, key, onError });
  };
}

/** Removes the older days. Resolves to whether none is left; reports why not. */
async function removed({ source, days, key, onError }: Keeping): Promise<boolean> {
  try {
    const { ahead } = await pruneJournal(source, {
      before: new Date(Date.now() - days * DAY_MS),
      by: 'journal',
      why: `${days} days are kept.`,
      ...(key && { key }),
    });
    for (const day of ahead) {
      const what = `journal: ${day} has not come, since a clock was ahead, so nobody knows how old its records are. They stay until you remove ${day}.jsonl, when no process writes to it any more.`;
      onError(new JournalError('WRITE_FAILED', what));
    }
  } catch (error) {
    if (error instanceof JournalError && error.code === 'NOT_FOUND') return true;
    const message = error instanceof Error ? error.message : String(error);
    const why = `journal: the days before the last ${days} are still there: ${message}`;
    onError(new JournalError('WRITE_FAILED', why, { cause: error }));
    return false;
  }
  return true;
}
