import { createPublicKey, type KeyObject } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { JournalError } from '../error.ts';
import { checkPrivateKey, keyId } from '../integrity/key.ts';
import { nextKey, rotationsIn } from '../integrity/verify.ts';
import { filesOf, type JournalSource, portionsOf } from '../read/read-journal.ts';
import { lineOf } from '../record/line.ts';
import type { JournalRecord } from '../record/types.ts';
import { Appender, type Vouch } from '../write/append.ts';
import type { Content } from '../write/entry.ts';
import { fileSink } from '../write/file-sink.ts';
import type { JournalSink, SinkLine } from '../write/sink.ts';
import { storeSink } from '../write/store-sink.ts';
import { notedLines, Writer } from '../write/writer.ts';

/**
 * Refuses a key that another has replaced, or that has signed nothing in a signed journal and does not replace one that has. What it
 * signed could not be removed again, and whoever verifies the journal would find it broken from then on. Resolves to the records of new
 * keys in the journal.
 *
 * @throws JournalError `INVALID`, `NOT_FOUND`
 */
export async function checkSigningKey(
  what: string,
  source: JournalSource,
  key: KeyObject | undefined,
): Promise<readonly JournalRecord[]> {
  checkPrivateKey(`${what}: \`key\``, key);
  if (key === undefined) return [];
  const rotations: JournalRecord[] = [];
  const own = keyId(key);
  const publicKey = createPublicKey(key);
  let isKnown = false;
  let signer: string | undefined;
  let successor: string | undefined;
  for await (const portion of portionsOf(source))
    for (const placed of portion) {
      if (!('record' in placed)) continue;
      const { checkpoint, pruning } = placed.record;
      isKnown ||= checkpoint?.key === own;
      signer = checkpoint?.key ?? signer;
      for (const record of pruning ? rotationsIn(pruning) : [placed.record]) {
        const { rotation } = record;
        if (rotation) rotations.push(record);
        isKnown ||= rotation?.key === own;
        // A key may come back.
        if (rotation?.key === own) successor = undefined;
        else if (rotation?.by === own && nextKey(record, publicKey)) successor = rotation.key;
      }
    }
  if (successor !== undefined)
    throw new JournalError(
      'INVALID',
      `${what}: another key (${successor}) has replaced this one, so nothing was changed. Give that key.`,
    );
  if (!isKnown && signer !== undefined)
    throw new JournalError(
      'INVALID',
      `${what}: the journal is signed with another key (${signer}), so nothing was changed. Give that key, or one that replaces it.`,
    );
  return rotations;
}

/** Does what changes a journal. What the file system refuses is said as an error of the journal. */
export async function changing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new JournalError('WRITE_FAILED', `${what}: the journal could not be changed: ${cause.message}`, {
      cause,
    });
  }
}

/** Appends a record about the journal itself, as a writer of its own, with its checkpoint. Resolves to its source. */
export async function note(
  source: JournalSource | JournalSink,
  content: Omit<Content, 'time'>,
  key: KeyObject | undefined,
): Promise<string> {
  const sink = sinkOf(source);
  let failure: JournalError | undefined;
  const writer = new Writer({
    sink,
    key,
    immediate: false,
    onError(error) {
      failure = error;
    },
  });
  writer.add({ content: { ...content, time: new Date().toISOString() }, data: {} });
  await writer.close();
  await sink.close?.();
  if (failure) throw failure;
  return writer.source;
}

function sinkOf(source: JournalSource | JournalSink): JournalSink {
  if (typeof source !== 'string') return 'write' in source ? source : storeSink(source);
  if (statSync(source).isDirectory()) {
    const newest = filesOf(source).files.at(-1) ?? '';
    // It stands behind all that there is, whatever this machine's clock says.
    return basename(newest, '.jsonl') > new Date().toISOString().slice(0, 10)
      ? sinkOf(newest)
      : fileSink(source);
  }
  // One file of a journal, or an exported one.
  return {
    name: `the journal in ${source}`,
    write: (lines, vouch) => appendTo(source, lines, vouch),
  };
}

/** Ends the last line of a file, if its process could not, with a record that names what is left. */
export function endLastLine(path: string, key: KeyObject | undefined): void {
  appendTo(path, [], (torn) => notedLines(torn, key));
}

function appendTo(path: string, lines: readonly SinkLine[], vouch: Vouch | undefined): void {
  const file = openSync(path, 'a+', 0o600);
  try {
    const appender = new Appender();
    let texts = lines.map((line) => Buffer.from(`${lineOf(line)}\n`));
    do texts = texts.slice(appender.append(file, texts, vouch));
    while (texts.length > 0);
    appender.settle(file, vouch);
  } finally {
    closeSync(file);
  }
}
