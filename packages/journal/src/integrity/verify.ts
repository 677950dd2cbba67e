import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { basename } from 'node:path';
import { JournalError } from '../error.ts';
import type { ParsedRecord, ReadProblem } from '../read/parse.ts';
import { beginningOf, type JournalSource, type Placed, portionsOf } from '../read/read-journal.ts';
import { erasedTorn, TornNames } from '../read/torn-names.ts';
import { canonicalJson, leafHash, sha256, tornLine } from '../record/line.ts';
import { journalRecordSchema, OWN_TYPES } from '../record/schema.ts';
import type { JournalRecord, PrunedWriter, Pruning, TornLine } from '../record/types.ts';
import { keyId } from './key.ts';
import { MerkleTree } from './merkle.ts';

/** What a journal is checked against. */
export interface VerifyOptions {
  /**
   * The public key of the journal, or several, where it was changed. Every record must be under a checkpoint that is signed with one of
   * them, or with one that they name as the next. Without a key, signatures are not checked.
   */
  readonly key?: KeyObject | readonly KeyObject[];
  /** Hashes of checkpoints that were stored elsewhere. Each must be in the journal. */
  readonly expect?: readonly string[];
}

/** A problem of a journal. */
export interface IntegrityProblem {
  /**
   * - `malformed`: a line is neither a record nor a torn line that a record names; in a store, the position of a record in the log is wrong
   * - `newer`: a line is of a newer version of the format
   * - `altered`: a record, or its data, is not what its hash was made of
   * - `chain`: a record is missing, doubled, or not where it was written
   * - `checkpoint`: a checkpoint contradicts the records before it, or is signed with another key
   * - `erased`: data was removed, and no record says who has erased it; or a record says so, and it is still there
   * - `missing`: an expected checkpoint is not in the journal
   */
  readonly code: 'malformed' | 'newer' | 'altered' | 'chain' | 'checkpoint' | 'erased' | 'missing';
  /** Where it is. Absent if something is missing. */
  readonly place?: string;
  readonly message: string;
}

/** The state of one process that wrote to a journal. */
export interface VerifiedWriter {
  readonly source: string;
  readonly records: number;
  /** Records after its last checkpoint. If some of them were cut off, that cannot be seen. */
  readonly uncovered: number;
  /** Records that are not under a checkpoint whose signature was checked. All of them, where there is no key to check with. */
  readonly unsigned: number;
  /**
   * Whether it ended with a last checkpoint. If not, it still writes, was killed, or the end of the journal was cut
   * off.
   */
  readonly closed: boolean;
  /** The place of its last record. */
  readonly last: string;
  /** The hash of its last checkpoint. Store it elsewhere, and pass it to `expect`. */
  readonly checkpoint?: string;
}

/** The result of a verification. */
export interface Verification {
  /**
   * The worst of what was found:
   *
   * - `broken`: there are problems
   * - `gap`: the journal says itself that records were lost
   * - `unsigned`: a key was given, and records are not under a checkpoint that is signed with it
   * - `open`: a writer has no last checkpoint, or was killed in the middle of a line (`cutOff`), so its last records may have been cut off
   * - `intact`: none of these
   */
  readonly state: 'intact' | 'open' | 'unsigned' | 'gap' | 'broken';
  /** Whether there was a key to check signatures with. */
  readonly signatures: 'checked' | 'not checked';
  /** How many records were lost, as the journal says. */
  readonly lost: number;
  /** How many records of the oldest days were removed, as the journal says. */
  readonly pruned: number;
  readonly records: number;
  readonly sessions: number;
  /** Records whose data was erased. */
  readonly erased: number;
  readonly writers: readonly VerifiedWriter[];
  /** The places of lines that a process did not end: it was killed, or the disk was full. Nothing is known of what they were to hold. */
  readonly cutOff: readonly string[];
  /** In the order of the journal. Only the first break of each writer's chain. */
  readonly problems: readonly IntegrityProblem[];
}

/**
 * Checks that a journal is unchanged: the hash of each record, each chain, each checkpoint. Holds one portion of it in
 * memory.
 *
 * @throws JournalError `NOT_FOUND`, `INVALID`
 * @example
 * ```ts
 * const { state, problems } = await verifyJournal('.hooks/journal', { key: publicKey });
 * if (state === 'broken') console.error(problems[0]?.message);
 * ```
 */
export async function verifyJournal(
  source: JournalSource,
  options: VerifyOptions = {},
): Promise<Verification> {
  for (;;) {
    const beginning = await beginningOf(source);
    const [verifying] = await Promise.allSettled([verifyOnce(source, options)]);
    // Verify again if the oldest records were pruned meanwhile.
    if ((await beginningOf(source)) !== beginning) continue;
    if (verifying.status === 'rejected') throw verifying.reason;
    return verifying.value;
  }
}

async function verifyOnce(source: JournalSource, options: VerifyOptions): Promise<Verification> {
  const verifier = new Verifier(options);
  for await (const portion of portionsOf(source)) for (const placed of portion) verifier.take(placed);
  const verification = verifier.end();
  const { records, problems, cutOff } = verification;
  // Another store, or a journal of which nothing is left: that nothing was changed cannot be said.
  if (records + problems.length + cutOff.length > 0) return verification;
  const where = typeof source === 'string' ? source : source.name;
  throw new JournalError('NOT_FOUND', `There is no record of a journal in ${where}.`);
}

interface Chain {
  next: number;
  last: string | null;
}

interface Writer {
  readonly tree: MerkleTree;
  /** Of a writer whose first records were pruned: where a session's chain had come to is not known. */
  readonly isPruned: boolean;
  readonly chains: Map<string | undefined, Chain>;
  records: number;
  /** The sizes of the tree up to which checkpoints and signed ones go. */
  covered: number;
  signed: number;
  closed: boolean;
  last: string;
  checkpoint: string | undefined;
  /** Its chain broke, so later records cannot be counted. */
  broken: boolean;
}

/** A record that has its data. */
interface WithData {
  readonly file: string;
  readonly time: string;
  readonly place: string;
  readonly source: string;
  /** The first of its writer in this file. */
  readonly id: number;
}

/** Takes the records of a journal, one after the other. */
export class Verifier {
  /** By their ids. Undefined where signatures are not checked. */
  readonly #keys: Map<string, KeyObject> | undefined;
  readonly #expected: Set<string>;
  readonly #writers = new Map<string, Writer>();
  readonly #sessions = new Set<string>();
  readonly #problems: IntegrityProblem[] = [];
  /** What can only be said when all was read, and how many problems there were before it. */
  readonly #undecided: { readonly problems: number; decide(): IntegrityProblem | undefined }[] = [];
  readonly #named = new TornNames();
  /** What is left of lines. */
  readonly #torn: TornLine[] = [];
  /** The hashes of the records without their names of such lines. */
  readonly #nameless = new Set<string>();
  readonly #cutOff: string[] = [];
  /** The files whose names are older than what they hold. */
  readonly #misdated = new Set<string>();
  #records = 0;
  #erased = 0;
  #lost = 0;
  #pruned = 0;
  /** Whether only prunings were read so far. */
  #isBeginning = true;
  /** The first day that prunings have kept, and the writers that go on behind them. */
  #before = '';
  readonly #goingOn = new Set<string>();
  /** The writers behind the records that are checked, by the day of their last checkpoint. */
  readonly #later = new Map<string, string>();
  /** The records without their data, by session, until it is known who erased it. */
  readonly #dataless = new Map<string | undefined, { readonly time: string; readonly place: string }[]>();
  /** The records of new keys, in their order. */
  readonly #rotations: JournalRecord[] = [];
  /** When the data of a session was last erased. */
  readonly #erasures = new Map<string, string>();
  /** The records of each session that have their data: of each file the oldest. */
  readonly #withData = new Map<string, readonly WithData[]>();

  constructor(options: VerifyOptions) {
    this.#keys = options.key && keysOf(options.key);
    this.#expected = new Set(options.expect);
  }

  take(placed: Placed): void {
    if ('problem' in placed) {
      const { problem, line } = placed;
      if (problem.code === 'CUT_OFF' && line) this.#takeTorn(tornLine(line.raw), problem.place, true);
      else this.#unread(problem);
      return;
    }
    const { record, parts, place, torn } = placed;
    const { hash } = parts;
    if (torn) this.#takeTorn(torn, place, false);
    this.#records++;
    if (record.session !== undefined) this.#sessions.add(record.session);
    if (leafHash(parts.record) !== hash) {
      this.#find('altered', place, 'the record is not what its hash was made of');
      this.#writerOf(record.source).broken = true;
      return;
    }
    this.#checkDay(placed);
    this.#checkData(placed);
    this.#named.note(placed);
    this.#follow(placed);
    this.#expected.delete(hash);
  }

  /** Takes only what a pruning has to know of a record that it keeps. */
  takeLater(placed: Placed): void {
    if (!('record' in placed)) return;
    const { record } = placed;
    this.#noteErasure(record, fileOf(placed));
    if (leafHash(placed.parts.record) === placed.parts.hash) this.#named.note(placed);
    if (!record.checkpoint || this.#writers.has(record.source) || this.#later.has(record.source)) return;
    this.#later.set(record.source, dayOf(record));
  }

  /** The records of new keys. */
  get rotations(): readonly JournalRecord[] {
    return this.#rotations;
  }

  /** The writers that go on behind a pruning, as its record has them. */
  goingOn(before: string): readonly PrunedWriter[] {
    // Processes write at the same time, so one that ended before midnight may stand behind another one's records of the next day.
    const late = [...this.#later].filter(
      ([source, day]) => day < before && (day >= this.#before || this.#goingOn.has(source)),
    );
    const begun = [...this.#writers].flatMap(([source, { tree, closed, checkpoint }]) =>
      closed
        ? []
        : [
            {
              source,
              size: tree.size,
              roots: tree.roots,
              ...(checkpoint !== undefined && { checkpoint }),
            },
          ],
    );
    return [...begun, ...late.map(([source]) => ({ source, size: 0, roots: [] }))];
  }

  end(): Verification {
    this.#decide();
    for (const [session, records] of this.#dataless)
      for (const { time, place } of records) {
        const erased = session === undefined ? undefined : this.#erasures.get(session);
        if (erased === undefined || erased < time)
          this.#find('erased', place, 'its data was removed, and no record of an erasure says so');
      }
    for (const hash of this.#expected)
      this.#problems.push({
        code: 'missing',
        message: `the checkpoint ${hash} is not in the journal: it was cut off, or written anew${this.#before && `, or removed with the days before ${this.#before}`}`,
      });
    const writers = [...this.#writers].map(
      ([source, { tree, records, covered, signed, closed, last, checkpoint }]) => ({
        source,
        records,
        uncovered: Math.min(records, tree.size - covered),
        unsigned: Math.min(records, tree.size - signed),
        closed,
        last,
        ...(checkpoint !== undefined && { checkpoint }),
      }),
    );
    return {
      state: this.#stateOf(writers),
      signatures: this.#keys === undefined ? 'not checked' : 'checked',
      lost: this.#lost,
      pruned: this.#pruned,
      records: this.#records,
      sessions: this.#sessions.size,
      erased: this.#erased,
      writers,
      cutOff: this.#cutOff,
      problems: this.#problems,
    };
  }

  #stateOf(writers: readonly VerifiedWriter[]): Verification['state'] {
    if (this.#problems.length > 0) return 'broken';
    if (this.#lost > 0) return 'gap';
    if (this.#keys !== undefined && writers.some(({ unsigned }) => unsigned > 0)) return 'unsigned';
    return this.#cutOff.length === 0 && writers.every(({ closed }) => closed) ? 'intact' : 'open';
  }

  #unread({ code, place, message }: ReadProblem): void {
    this.#problems.push({ code: code === 'NEWER_VERSION' ? 'newer' : 'malformed', place, message });
  }

  /** Takes text that is no record and may be a torn line. */
  #takeTorn(line: TornLine, place: string, isLast: boolean): void {
    this.#torn.push(line);
    this.#postpone(() => {
      const name = this.#named.take(line);
      if (name === undefined && !isLast && this.#named.has(tornLine(erasedTorn(line)))) {
        const message = `${place} begins with what is left of a line that is cut off, though a record says that it was erased: erase it again, unless that is under way`;
        return { code: 'erased', place, message };
      }
      if (name === undefined && !isLast) {
        const message = `${place} begins with something that is no record, and no record says that a process was killed in it`;
        return { code: 'malformed', place, message };
      }
      if (!name?.again) this.#cutOff.push(place);
      return undefined;
    });
  }

  #postpone(decide: () => IntegrityProblem | undefined): void {
    this.#undecided.push({ problems: this.#problems.length, decide });
  }

  #decide(): void {
    // Of processes that write at the same time one may use a key before another has written that it comes next.
    for (let known = 0; known < (this.#keys?.size ?? 0); ) {
      known = this.#keys?.size ?? 0;
      for (const record of this.#rotations) {
        const { key = '', by = '' } = record.rotation ?? {};
        const before = this.#keys?.get(by);
        if (before !== undefined && !this.#keys?.has(key)) this.#trustNext(record, before);
      }
    }
    let found = 0;
    for (const { problems, decide } of this.#undecided.splice(0)) {
      const problem = decide();
      if (problem) this.#problems.splice(problems + found++, 0, problem);
    }
  }

  #find(code: IntegrityProblem['code'], place: string, what: string): void {
    this.#problems.push({ code, place, message: `${place}: ${what}` });
  }

  /**
   * A record is written on the day on which it began, or later: one in the file of an older day would be removed with it, and not be read
   * where newer ones are asked for. A clock that is set back may make a difference of a day. Only what is about a file stands in that of an
   * older day: the record of a pruning, and what names its last line.
   */
  #checkDay(placed: Placed & ParsedRecord): void {
    const { record, place } = placed;
    const file = fileOf(placed);
    if (!IS_OF_DAY.test(file) || this.#misdated.has(file) || ABOUT_FILES.has(record.type)) return;
    if (Date.parse(record.time) < Date.parse(file.slice(0, 10)) + 2 * DAY_MS) return;
    this.#misdated.add(file);
    this.#find(
      'chain',
      place,
      `the record is of ${dayOf(record)}, so this is not the name that the file had`,
    );
  }

  #checkData(parsed: Placed & ParsedRecord): void {
    const { record, parts, place } = parsed;
    const { commitment, session, time } = record;
    const { data } = parts;
    if (data === undefined && commitment === undefined) return;
    if (record.type === OWN_TYPES.torn) this.#checkNames(parsed);
    else if (data === null && commitment !== undefined) {
      this.#erased++;
      const known = this.#dataless.get(session);
      if (known) known.push({ time, place });
      else this.#dataless.set(session, [{ time, place }]);
    } else if (typeof data !== 'string' || sha256(data) !== commitment)
      this.#find('altered', place, 'the data is not what the record was written with');
    else if (session !== undefined) {
      const { source, id } = record;
      this.#noteData(session, { file: fileOf(parsed), time, place, source, id: Number(id) });
    }
  }

  #noteData(session: string, found: WithData): void {
    const known = this.#withData.get(session) ?? [];
    const first = known.findLast(({ file, source }) => file === found.file && source === found.source);
    if (first === undefined) this.#withData.set(session, [...known, found]);
    else if (found.time < first.time)
      this.#withData.set(
        session,
        known.map((one) => (one === first ? { ...found, id: first.id } : one)),
      );
  }

  /** The names of torn lines are of no session, so an erasure says of which record it has removed them. */
  #checkNames({ record: { commitment }, parts: { data, hash }, place }: ParsedRecord): void {
    if (data === null) {
      this.#erased++;
      this.#nameless.add(hash);
    }
    const isWhole = typeof data === 'string' && sha256(data) === commitment;
    this.#postpone(() => {
      const isReplaced = this.#named.isReplaced(hash);
      if (data === null ? isReplaced : isWhole && !isReplaced) return undefined;
      if (isReplaced) {
        const message = `${place}: its data is still there, though a record says that it was erased: erase it again, unless that is under way`;
        return { code: 'erased', place, message };
      }
      if (data === null) {
        const message = `${place}: its data was removed, and no record of an erasure says so`;
        return { code: 'erased', place, message };
      }
      const message = `${place}: the data is not what the record was written with`;
      return { code: 'altered', place, message };
    });
  }

  #follow(placed: Placed & ParsedRecord): void {
    const {
      record,
      parts: { hash },
      place,
    } = placed;
    const file = fileOf(placed);
    const writer = this.#writerOf(record.source);
    const known = writer.chains.get(record.session);
    const isUnknown = known === undefined && writer.isPruned && record.sequence > 0;
    const chain =
      known ?? (isUnknown ? { next: record.sequence, last: record.previous } : { next: 0, last: null });
    writer.chains.set(record.session, chain);
    if (!writer.broken) {
      const wrong = this.#misplaced(record, writer, chain);
      if (wrong !== undefined) {
        writer.broken = true;
        this.#find('chain', place, wrong);
      }
    }
    if (record.checkpoint) this.#checkCheckpoint(record, writer, hash, place);
    chain.next = record.sequence + 1;
    chain.last = hash;
    writer.tree.add(hash);
    writer.records++;
    writer.last = place;
    if (record.type === 'hooks.session_end') writer.chains.delete(record.session);
    this.#note(record, place, file);
  }

  /** Takes what a record says about the journal itself. */
  #note(
    { type, time, gap, erasure, pruning, rotation, ...rest }: JournalRecord,
    place: string,
    file: string,
  ): void {
    if (type === OWN_TYPES.gap && gap) this.#lost += gap.lost;
    if (erasure) this.#noteErasure({ type, time, erasure, ...rest }, file);
    if (type === OWN_TYPES.rotation && rotation) {
      const record = { type, time, rotation, ...rest };
      this.#rotations.push(record);
      const before = this.#keys?.get(rotation.by);
      if (before !== undefined && !this.#trustNext(record, before))
        this.#find('checkpoint', place, 'the new key is not signed with the one before it');
    }
    if (type === OWN_TYPES.pruning && pruning) {
      // It counts what earlier ones have removed.
      this.#pruned = pruning.records;
      const removed = rotationsIn(pruning);
      this.#rotations.push(...removed);
      // They may stand in any order: several processes write.
      for (const _ of removed)
        for (const record of removed) {
          const before = this.#keys?.get(record.rotation?.by ?? '');
          if (before !== undefined) this.#trustNext(record, before);
        }
      // What it removed is not read, so that it covers nothing that is there.
      if (!this.#isBeginning) {
        this.#find('chain', place, 'what was pruned is not what stands before it');
        return;
      }
      if (pruning.before > this.#before) this.#before = pruning.before;
      // An earlier one says nothing about those that a later one has removed.
      this.#goingOn.clear();
      this.#goingOn.add(rest.source);
      for (const [source, { records }] of this.#writers) if (records === 0) this.#writers.delete(source);
      for (const writer of pruning.writers) this.#begin(writer, place);
    } else if (type !== OWN_TYPES.checkpoint) this.#isBeginning = false;
  }

  /** Trusts the key that a record names as the next, if the one before it has signed that. */
  #trustNext(record: JournalRecord, before: KeyObject): boolean {
    const next = nextKey(record, before);
    if (next) this.#keys?.set(keyId(next), next);
    return next !== undefined;
  }

  #noteErasure({ type, time, erasure }: JournalRecord, file: string): void {
    if (type !== OWN_TYPES.erasure || !erasure) return;
    const last = new Map(erasure.last?.map(({ source, id }) => [source, id]));
    for (const session of erasure.sessions) {
      // It covers all that stands before it, and what was made before it and written afterwards.
      this.#dataless.delete(session);
      // While the clock was ahead, it was written to the file of a day that had not come. The session may have gone on in an older one.
      const isLater = ({ id, source, ...found }: WithData): boolean =>
        found.file < file && (found.time >= time || id > (last.get(source) ?? Number.POSITIVE_INFINITY));
      const known = this.#withData.get(session) ?? [];
      this.#withData.set(session, known.filter(isLater));
      const left = known.find((found) => !isLater(found));
      if (left)
        this.#find(
          'erased',
          left.place,
          `its data is still there, though a record says that session ${session} was erased: erase it again, unless that is under way`,
        );
      const before = this.#erasures.get(session);
      if (before === undefined || before < time) this.#erasures.set(session, time);
    }
  }

  /** A writer whose first records were removed. */
  #begin({ source, size, roots, checkpoint }: PrunedWriter, place: string): void {
    if (checkpoint !== undefined) this.#expected.delete(checkpoint);
    this.#goingOn.add(source);
    if (size === 0) return;
    const tree = new MerkleTree({ size, roots });
    this.#writers.set(source, {
      ...newWriter(tree, true),
      last: place,
      ...(checkpoint !== undefined && { checkpoint }),
    });
  }

  #misplaced(
    { id, sequence, previous, session }: JournalRecord,
    writer: Writer,
    chain: Chain,
  ): string | undefined {
    if (writer.closed) return 'its writer had closed the journal before';
    const [found, due] = [Number(id), writer.tree.size];
    if (found > due) return `${found - due} of the records before it are missing`;
    if (found < due) return 'it stands behind records that were written after it, or twice';
    if (sequence === chain.next && previous === chain.last) return undefined;
    return `it does not follow the record before it${session === undefined ? '' : ` in session ${session}`}`;
  }

  #checkCheckpoint(record: JournalRecord, writer: Writer, hash: string, place: string): void {
    const { checkpoint } = record;
    if (checkpoint === undefined) return;
    if (dayOf(record) < this.#before && !this.#goingOn.has(record.source))
      this.#find('chain', place, `it was removed with the days before ${this.#before}, and put back`);
    if (!writer.broken && (checkpoint.size !== writer.tree.size || checkpoint.root !== writer.tree.root())) {
      writer.broken = true;
      this.#find('checkpoint', place, 'the records before it are not those that this checkpoint was made of');
    }
    const { signature, key } = checkpoint;
    const isSigned = this.#keys !== undefined && isSignedBy(record, this.#keys.get(key ?? ''));
    const wrong = {
      code: 'checkpoint',
      place,
      message: `${place}: this checkpoint is signed with another key, or was changed`,
    } as const;
    // One that does not fit the records proves nothing.
    const size = writer.broken ? 0 : writer.tree.size + 1;
    if (isSigned) writer.signed = Math.max(writer.signed, size);
    else if (this.#keys !== undefined && signature !== undefined)
      this.#postpone(() => {
        if (!isSignedBy(record, this.#keys?.get(key ?? ''))) return wrong;
        writer.signed = Math.max(writer.signed, size);
        return undefined;
      });
    writer.covered = writer.tree.size + 1;
    writer.closed ||= checkpoint.final;
    writer.checkpoint = hash;
  }

  #writerOf(source: string): Writer {
    const known = this.#writers.get(source);
    if (known) return known;
    const writer = newWriter(new MerkleTree(), false);
    this.#writers.set(source, writer);
    return writer;
  }
}

/** The name of a file of one day. */
const IS_OF_DAY = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
const ABOUT_FILES: ReadonlySet<string> = new Set([OWN_TYPES.pruning, OWN_TYPES.torn, OWN_TYPES.checkpoint]);
const DAY_MS = 24 * 60 * 60_000;

/** The name of the file; empty in a store. */
function fileOf({ line }: Placed): string {
  return basename(line?.file ?? '');
}

function dayOf({ time }: JournalRecord): string {
  return time.slice(0, 10);
}

function newWriter(tree: MerkleTree, isPruned: boolean): Writer {
  return {
    tree,
    isPruned,
    chains: new Map(),
    records: 0,
    covered: tree.size,
    signed: tree.size,
    closed: false,
    last: '',
    checkpoint: undefined,
    broken: false,
  };
}

function keysOf(given: KeyObject | readonly KeyObject[]): Map<string, KeyObject> {
  const keys = Array.isArray(given) ? (given as readonly KeyObject[]) : [given as KeyObject];
  for (const key of keys)
    if (key.type === 'secret' || key.asymmetricKeyType !== 'ed25519')
      throw new JournalError(
        'INVALID',
        'verifyJournal: `key` must be an Ed25519 public key (a KeyObject of node:crypto), or several.',
      );
  return new Map(keys.map((key) => [keyId(key), key]));
}

function isSignedBy(record: JournalRecord, key: KeyObject | undefined): boolean {
  const { checkpoint } = record;
  if (key === undefined || checkpoint?.signature === undefined) return false;
  const { signature, ...unsigned } = checkpoint;
  const text = Buffer.from(canonicalJson({ ...record, checkpoint: unsigned }));
  return verify(null, text, key, Buffer.from(signature, 'base64'));
}

/** The records of new keys that a pruning has removed. */
export function rotationsIn({ rotations = [] }: Pruning): readonly JournalRecord[] {
  return rotations.flatMap((text) => {
    try {
      const { data } = journalRecordSchema.safeParse(JSON.parse(text));
      return data?.rotation ? [data] : [];
    } catch {
      return [];
    }
  });
}

/** The key that a record names as the next, if the one before it has signed that. */
export function nextKey(record: JournalRecord, before: KeyObject): KeyObject | undefined {
  const { signature = '', ...unsigned } = record.rotation ?? { key: '', publicKey: '', by: '' };
  const text = Buffer.from(canonicalJson({ ...record, rotation: unsigned }));
  if (!verify(null, text, before, Buffer.from(signature, 'base64'))) return undefined;
  try {
    const next = createPublicKey({
      key: Buffer.from(unsigned.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return next.asymmetricKeyType === 'ed25519' && keyId(next) === unsigned.key ? next : undefined;
  } catch {
    return undefined;
  }
}
