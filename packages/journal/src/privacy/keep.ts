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
 * Removes the days of a journal that are older, at once and then daily.
 *
 * @returns a function that stops this, and waits for a removal that has begun
 */
export function keepDays(keeping: Keeping): () => Promise<void> {
  let running = removeOld(keeping);
  const daily = setInterval(() => {
    running = removeOld(keeping);
  }, DAY_MS).unref();
  return async () => {
    clearInterval(daily);
    await running;
  };
}

/** Removes the older days, or reports why it cannot. */
async function removeOld({ source, days, key, onError }: Keeping): Promise<void> {
  try {
    const { ahead } = await pruneJournal(source, {
      before: new Date(Date.now() - days * DAY_MS),
      by: 'journal',
      why: days === 1 ? '1 day is kept.' : `${days} days are kept.`,
      ...(key && { key }),
    });
    for (const day of ahead) {
      const what = `journal: ${day} has not come, since a clock was ahead, so nobody knows how old its records are. They stay until you remove ${day}.jsonl, when no process writes to it any more.`;
      onError(new JournalError('WRITE_FAILED', what));
    }
  } catch (error) {
    if (error instanceof JournalError && error.code === 'NOT_FOUND') return;
    const message = error instanceof Error ? error.message : String(error);
    const why = `journal: older days than \`keepDays: ${days}\` keeps are still there: ${message}`;
    onError(new JournalError('WRITE_FAILED', why, { cause: error }));
  }
}
