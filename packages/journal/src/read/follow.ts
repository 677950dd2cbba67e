import { basename } from 'node:path';
import { JournalError } from '../error.ts';
import { JOURNAL_STREAM, startOf } from '../write/store-sink.ts';
import { FIRST_LINE, type LineStart, linesOf, linesOfInode } from './lines.ts';
import { type JournalReading, type ParsedLine, type ReadProblem, withData } from './parse.ts';
import { filesOf, type JournalSource, parseOf, storedParser, withBlob } from './read-journal.ts';

/** Where a record stands. */
export interface JournalPosition {
  /** The name of the file; empty in a store. */
  readonly file: string;
  /** Its line, from 1; in a store its position in the log. */
  readonly line: number;
  /** Where the line begins, in bytes; 0 in a store. */
  readonly offset: number;
}

/** Some records of one file, or of a store. */
export interface JournalPart {
  /** The name of the file; empty in a store. */
  readonly file: string;
  /** Where the first of them begins: `offset` of its {@link JournalPosition}. */
  readonly offset: number;
  /** Their lines, ascending. */
  readonly lines: readonly number[];
}

/** A journal that is read while others write to it. */
export interface JournalFollower {
  /**
   * The records written since the last call, in the order in which they were written. A journal that is not there yet has none. A
   * line that is still being written comes with the next call.
   */
  read(): AsyncGenerator<JournalReading & { readonly position: JournalPosition }>;
}

/**
 * Follows a journal while it grows: each call of `read` gives what is new.
 *
 * @param onProblem gets each line that is no record; reading goes on behind it
 * @example
 * ```ts
 * const follower = followJournal('.hooks/journal');
 * for await (const { record } of follower.read()) console.log(record.type);
 * ```
 */
export function followJournal(
  source: JournalSource,
  { onProblem }: { readonly onProblem?: ((problem: ReadProblem) => void) | undefined } = {},
): JournalFollower {
  /** The line that comes next, by file, and which file that is: a pruning puts another one in the place of a day. */
  const next = new Map<string, LineStart & { readonly ino: number }>();
  let position = 0;

  function* given(parsed: ParsedLine, at: JournalPosition) {
    const read = 'problem' in parsed ? parsed : withData(parsed);
    if ('problem' in read) onProblem?.(read.problem);
    else yield { ...read.reading, position: at };
  }

  return {
    async *read() {
      if (typeof source !== 'string') {
        const parse = storedParser(source);
        const { from } = await startOf(source);
        const unread = source.read(JOURNAL_STREAM, { from: Math.max(from, position) });
        for await (const { position: line, record } of unread) {
          const parsed = await parse(line, record);
          // Not before: if its data cannot be read, the next call reads it.
          position = line + 1;
          yield* given(parsed, { file: '', line, offset: 0 });
        }
        return;
      }
      const { directory = '', files = [] } = filesThere(source);
      for (const file of files) {
        let ino = 0;
        const startIn = (found: number): LineStart => {
          ino = found;
          const known = next.get(file);
          return known?.ino === ino ? known : FIRST_LINE;
        };
        for await (const lines of linesOfInode(file, startIn))
          for (const line of lines) {
            if (!line.ended) break;
            const parsed = withBlob(directory, parseOf(line));
            next.set(file, { number: line.number + 1, offset: line.offset + line.bytes + 1, ino });
            const at = { file: basename(file), line: line.number, offset: line.offset };
            if (line.text !== '') yield* given(parsed, at);
          }
      }
    },
  };
}

/** Reads some records again. It goes through the file from the first of them to the last. */
export async function* readPart(
  source: JournalSource,
  { file, offset, lines: wantedLines }: JournalPart,
): AsyncGenerator<JournalReading> {
  const [number] = wantedLines;
  if (number === undefined) return;
  const wanted = new Set(wantedLines);
  const last = wantedLines.at(-1) ?? number;
  if (typeof source !== 'string') {
    const parse = storedParser(source);
    for await (const { position, record } of source.read(JOURNAL_STREAM, { from: number })) {
      if (wanted.delete(position)) yield* readingIn(await parse(position, record));
      // Some may have been pruned.
      if (position >= last) return;
    }
    return;
  }
  const { directory = '', files = [] } = filesThere(source);
  const path = files.find((each) => basename(each) === file);
  // Some may have been pruned.
  if (path === undefined) return;
  for await (const lines of linesOf(path, { number, offset }))
    for (const line of lines) {
      if (!wanted.delete(line.number)) continue;
      yield* readingIn(withBlob(directory, parseOf(line)));
      if (wanted.size === 0) return;
    }
}

function* readingIn(parsed: ParsedLine): Generator<JournalReading> {
  const read = 'problem' in parsed ? parsed : withData(parsed);
  if ('reading' in read) yield read.reading;
}

/**
 * The files of a journal, one a day, the oldest first. There are none in a store, and where the journal does not exist yet.
 *
 * @example
 * ```ts
 * const newest = journalFiles('.hooks/journal').at(-1);
 * if (newest !== undefined) for await (const { record } of readJournal(newest)) console.log(record.type);
 * ```
 */
export function journalFiles(source: JournalSource): readonly string[] {
  return typeof source === 'string' ? (filesThere(source).files ?? []) : [];
}

/** The files of a journal; none where it is not there yet. */
function filesThere(path: string): Partial<ReturnType<typeof filesOf>> {
  try {
    return filesOf(path);
  } catch (error) {
    if (error instanceof JournalError && error.code === 'NOT_FOUND') return {};
    throw error;
  }
}
