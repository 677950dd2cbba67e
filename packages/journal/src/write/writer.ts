import { createPublicKey, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { JournalError } from '../error.ts';
import { keyId } from '../integrity/key.ts';
import { MerkleTree } from '../integrity/merkle.ts';
import { canonicalJson, leafHash, objectOf, sha256 } from '../record/line.ts';
import { DATA_SCHEMA, OWN_TYPES } from '../record/schema.ts';
import type { Checkpoint, JournalRecord, KeyRotation, TornLine } from '../record/types.ts';
import type { Content, JournalEntry } from './entry.ts';
import { plainJson } from './plain-json.ts';
import type { JournalSink, SinkLine } from './sink.ts';

/** How many records may be written before the next checkpoint. */
const CHECKPOINT_EVERY = 256;
/** How long a record may wait for one, in milliseconds. */
const CHECKPOINT_MS = 60_000;
/** How many records may be buffered, and for how many milliseconds. */
const BATCH = 64;
const BATCH_MS = 100;
/** How many records are kept while writing fails, and after how many milliseconds it is tried again. */
const KEPT = 10_000;
/** How many characters of them. */
const KEPT_LENGTH = 64_000_000;
const RETRY_MS = 1_000;

/** Data of this size or larger gets its own file, so that a journal stays quick to read. In characters. */
const LARGE = 65_536;

interface Chain {
  length: number;
  last: string | null;
}

/** Options of a {@link Writer}. */
export interface WriterOptions {
  readonly sink: JournalSink;
  readonly key?: KeyObject | undefined;
  /** The private key before `key`, which says that `key` comes next. */
  readonly replaces?: KeyObject | undefined;
  /** Milliseconds until a record is under a checkpoint. */
  readonly checkpointMs?: number | undefined;
  /** Whether to write each record at once. */
  readonly immediate: boolean;
  onError(error: JournalError): void;
}

/** Adds chains and checkpoints to records, and writes them in batches. */
export class Writer {
  readonly source: string = `urn:uuid:${randomUUID()}`;
  readonly #options: WriterOptions;
  readonly #tree = new MerkleTree();
  readonly #chains = new Map<string | undefined, Chain>();
  #covered = 0;
  #waiting: SinkLine[] = [];
  /** How long they are together. */
  #waitingLength = 0;
  #writing: Promise<void> | undefined;
  /** The write after it, for all that ask for one meanwhile. */
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checkpointTimer: NodeJS.Timeout | undefined;
  /** What could not be kept since the last record of a gap. */
  #lost = 0;
  #lostSince = '';
  #lostUntil = '';
  #complained = false;
  /** Why the last write failed. Undefined after a successful one. */
  failure: JournalError | undefined;
  closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    const { key, replaces } = options;
    if (key === undefined || replaces === undefined) return;
    this.#rotate(key, replaces);
    // The next process no longer says what this key replaces, so it is on record from the beginning.
    this.#checkpoint(false);
    void this.flush();
  }

  /** Adds a record. It is written with the next batch, or at once if `immediate` is set. */
  add(entry: JournalEntry): void {
    if (this.closed || this.#isFull) {
      this.#lose(entry);
      return;
    }
    // After an outage, what was lost is on record before anything else.
    this.#recordGap();
    this.#append(entry);
    if (this.#tree.size - this.#covered >= CHECKPOINT_EVERY) this.#checkpoint(false);
    else
      this.#checkpointTimer ??= setTimeout(() => {
        this.#checkpointTimer = undefined;
        if (this.closed || this.#tree.size === this.#covered) return;
        this.#checkpoint(false);
        void this.flush();
      }, this.#options.checkpointMs ?? CHECKPOINT_MS).unref();
    const isFull = this.#waiting.length >= BATCH && this.failure === undefined;
    if (this.#options.immediate || isFull) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS).unref();
  }

  get #isFull(): boolean {
    if (this.#waiting.length >= KEPT) return true;
    return this.failure !== undefined && this.#waitingLength >= KEPT_LENGTH;
  }

  /** Writes what is buffered. Synchronous if the sink is. Never rejects; see `failure`. */
  flush(): void | Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing) {
      this.#next ??= this.#writing.then(() => {
        this.#next = undefined;
        return this.flush();
      });
      return this.#next;
    }
    if (this.#waiting.length === 0) return;
    // More may be buffered meanwhile.
    const lines = [...this.#waiting];
    const written = (): void => {
      this.#waiting = this.#waiting.slice(lines.length);
      for (const line of lines) this.#waitingLength -= lengthOf(line);
      this.failure = undefined;
      if (this.closed || this.#lost === 0) return;
      this.#recordGap();
      this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS).unref();
    };
    const failed = (cause: unknown): void => {
      this.failure = this.#error('could not be written', cause);
      this.#options.onError(this.failure);
      // Nothing may happen any more that would write it with the next records.
      this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS).unref();
    };
    try {
      const writing = this.#options.sink.write(lines, (torn) => notedLines(torn, this.#options.key));
      if (writing === undefined) return written();
      this.#writing = writing.then(written, failed).finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    } catch (cause) {
      failed(cause);
    }
  }

  /** Ends the journal of this process with a last checkpoint. If that could not be written, closing again tries once more. */
  close(): void | Promise<void> {
    if (this.closed) return this.flush();
    this.#recordGap();
    this.#checkpoint(true);
    this.closed = true;
    return this.flush();
  }

  #append({ content, data }: JournalEntry): void {
    const chain = this.#chainOf(content.session);
    const { texts, omitted } = plainJson(data, this.#options.sink.maxLength);
    const text = texts.size === 0 ? undefined : objectOf(texts.set('salt', `"${salt()}"`));
    const record: JournalRecord = {
      ...this.#place(content, chain),
      ...(omitted.length > 0 && { omitted: [...omitted] }),
      ...(text !== undefined && {
        commitment: sha256(text),
        ...(text.length >= LARGE && { blob: true as const }),
      }),
    };
    this.#push(record, chain, text);
    // A session that goes on after its end has a new chain: so nothing is kept for one that does not.
    if (content.type === 'hooks.session_end') this.#chains.delete(content.session);
  }

  #recordGap(): void {
    if (this.#lost === 0) return;
    const gap = { lost: this.#lost, since: this.#lostSince, until: this.#lostUntil };
    this.#lost = 0;
    this.#complained = false;
    this.#append({ content: { type: OWN_TYPES.gap, time: new Date().toISOString(), gap }, data: {} });
  }

  #rotate(key: KeyObject, replaces: KeyObject): void {
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
    const rotation: KeyRotation = { key: keyId(key), publicKey, by: keyId(replaces) };
    const content: Content = { type: OWN_TYPES.rotation, time: new Date().toISOString(), rotation };
    const chain = this.#chainOf(undefined);
    const record = this.#place(content, chain);
    const signature = sign(null, Buffer.from(canonicalJson(record)), replaces).toString('base64');
    this.#push({ ...record, rotation: { ...rotation, signature } }, chain, undefined);
  }

  #checkpoint(final: boolean): void {
    const { key } = this.#options;
    const chain = this.#chainOf(undefined);
    const checkpoint: Checkpoint = {
      size: this.#tree.size,
      root: this.#tree.root(),
      final,
      ...(key && { key: keyId(key) }),
    };
    const content: Content = { type: OWN_TYPES.checkpoint, time: new Date().toISOString(), checkpoint };
    const record = this.#place(content, chain);
    const signature = key && sign(null, Buffer.from(canonicalJson(record)), key).toString('base64');
    this.#push(
      signature === undefined ? record : { ...record, checkpoint: { ...checkpoint, signature } },
      chain,
      undefined,
    );
    this.#covered = this.#tree.size;
  }

  #place(content: Content, chain: Chain): JournalRecord {
    return {
      ...content,
      specversion: '1.0',
      id: String(this.#tree.size),
      source: this.source,
      dataschema: DATA_SCHEMA,
      sequence: chain.length,
      previous: chain.last,
    };
  }

  #push(record: JournalRecord, chain: Chain, data: string | undefined): void {
    const text = canonicalJson(record);
    const hash = leafHash(text);
    chain.length++;
    chain.last = hash;
    this.#tree.add(hash);
    const line = { about: record, record: text, hash, ...(data !== undefined && { data }) };
    this.#waiting.push(line);
    this.#waitingLength += lengthOf(line);
  }

  #chainOf(session: string | undefined): Chain {
    const known = this.#chains.get(session);
    if (known) return known;
    const chain: Chain = { length: 0, last: null };
    this.#chains.set(session, chain);
    return chain;
  }

  #lose({ content: { time } }: JournalEntry): void {
    if (this.#lost === 0) this.#lostSince = time;
    this.#lostUntil = time;
    this.#lost++;
    if (this.#complained) return;
    this.#complained = true;
    const why = this.closed ? 'is closed' : 'cannot be written to, and too many records wait';
    this.#options.onError(this.#error(`${why}; what happens from here on is not recorded`));
  }

  #error(what: string, cause?: unknown): JournalError {
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    const name = this.#options.sink.name;
    return new JournalError('WRITE_FAILED', `${name[0]?.toUpperCase()}${name.slice(1)} ${what}${detail}.`, {
      cause,
    });
  }
}

function lengthOf({ record, data }: SinkLine): number {
  return record.length + (data?.length ?? 0);
}

/** The lines of a record that names torn lines, as a writer of its own: so they can stand in front of lines whose chain is made. */
export function notedLines(torn: readonly TornLine[], key: KeyObject | undefined): readonly SinkLine[] {
  const lines: SinkLine[] = [];
  const sink: JournalSink = { name: 'memory', write: (all) => void lines.push(...all) };
  const writer = new Writer({ sink, key, immediate: false, onError: () => {} });
  writer.add({ content: { type: OWN_TYPES.torn, time: new Date().toISOString() }, data: { torn } });
  void writer.close();
  return lines;
}

/** 132 random bits. Many are asked for and written as text at a time: that costs more than they do. */
function salt(): string {
  if (unused.length < SALT_LENGTH) unused = randomBytes(SALT_LENGTH * 192).toString('base64url');
  const own = unused.slice(0, SALT_LENGTH);
  unused = unused.slice(SALT_LENGTH);
  return own;
}

const SALT_LENGTH = 22;

let unused = '';
