import { type KeyObject, verify } from 'node:crypto';
import { JournalError } from '../error.ts';
import type { ParsedRecord } from '../read/parse.ts';
import { type JournalSource, type Placed, portionsOf } from '../read/read-journal.ts';
import { canonicalJson, leafHash, sha256 } from '../record/line.ts';
import type { JournalRecord } from '../record/types.ts';
import { keyId } from './key.ts';
import { MerkleTree } from './merkle.ts';

/** What a journal is checked against. */
export interface VerifyOptions {
  /** The public key of the journal. Every checkpoint must be signed with it. Without it, signatures are not checked. */
  readonly key?: KeyObject;
  /** Hashes of checkpoints that were stored elsewhere. Each must be in the journal. */
  readonly expect?: readonly string[];
}

/** A problem of a journal. */
export interface IntegrityProblem {
  /**
   * - `malformed`: a line is cut off, or is no line of a journal
   * - `newer`: a line is of a newer version of the format
   * - `altered`: a record, or its data, is not what its hash was made of
   * - `chain`: a record is missing, doubled, or not where it was written
   * - `checkpoint`: a checkpoint contradicts the records before it, or is not signed with the key
   * - `missing`: an expected checkpoint is not in the journal
   */
  readonly code: 'malformed' | 'newer' | 'altered' | 'chain' | 'checkpoint' | 'missing';
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
  /** `open`: no problem was found, but a writer has no last checkpoint, so its last records may have been cut off. */
  readonly state: 'intact' | 'open' | 'broken';
  readonly records: number;
  readonly sessions: number;
  /** Records whose data was erased. */
  readonly erased: number;
  readonly writers: readonly VerifiedWriter[];
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
  const { key } = options;
  if (key !== undefined && (key.type === 'secret' || key.asymmetricKeyType !== 'ed25519'))
    throw new JournalError(
      'INVALID',
      'verifyJournal: `key` must be an Ed25519 public key (a KeyObject of node:crypto).',
    );
  const verifier = new Verifier(options);
  for await (const portion of portionsOf(source)) for (const placed of portion) verifier.take(placed);
  return verifier.end();
}

interface Chain {
  next: number;
  last: string | null;
}

interface Writer {
  readonly tree: MerkleTree;
  readonly chains: Map<string | undefined, Chain>;
  records: number;
  covered: number;
  closed: boolean;
  last: string;
  checkpoint: string | undefined;
  /** Its chain broke, so later records cannot be counted. */
  broken: boolean;
}

class Verifier {
  readonly #options: VerifyOptions;
  readonly #expected: Set<string>;
  readonly #writers = new Map<string, Writer>();
  readonly #sessions = new Set<string>();
  readonly #problems: IntegrityProblem[] = [];
  #records = 0;
  #erased = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#expected = new Set(options.expect);
  }

  take(placed: Placed): void {
    if ('problem' in placed) {
      const { code, place, message } = placed.problem;
      this.#problems.push({ code: code === 'NEWER_VERSION' ? 'newer' : 'malformed', place, message });
      return;
    }
    const { record, parts, place } = placed;
    const { hash } = parts;
    this.#records++;
    if (record.session !== undefined) this.#sessions.add(record.session);
    if (leafHash(parts.record) !== hash) {
      this.#find('altered', place, 'the record is not what its hash was made of');
      this.#writerOf(record.source).broken = true;
      return;
    }
    this.#checkData(placed);
    this.#follow(placed);
    this.#expected.delete(hash);
  }

  end(): Verification {
    for (const hash of this.#expected)
      this.#problems.push({
        code: 'missing',
        message: `the checkpoint ${hash} is not in the journal: it was cut off, or written anew`,
      });
    const writers = [...this.#writers].map(([source, { records, covered, closed, last, checkpoint }]) => ({
      source,
      records,
      uncovered: records - covered,
      closed,
      last,
      ...(checkpoint !== undefined && { checkpoint }),
    }));
    const isOpen = writers.some(({ closed }) => !closed);
    return {
      state: this.#problems.length > 0 ? 'broken' : isOpen ? 'open' : 'intact',
      records: this.#records,
      sessions: this.#sessions.size,
      erased: this.#erased,
      writers,
      problems: this.#problems,
    };
  }

  #find(code: IntegrityProblem['code'], place: string, what: string): void {
    this.#problems.push({ code, place, message: `${place}: ${what}` });
  }

  #checkData({ record: { commitment }, parts: { data }, place }: ParsedRecord): void {
    if (data === null && commitment !== undefined) this.#erased++;
    else if (data === undefined && commitment === undefined) return;
    else if (typeof data !== 'string' || sha256(data) !== commitment)
      this.#find('altered', place, 'the data is not what the record was written with');
  }

  #follow({ record, parts: { hash }, place }: ParsedRecord): void {
    const writer = this.#writerOf(record.source);
    const chain = writer.chains.get(record.session) ?? { next: 0, last: null };
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
    if (!writer.broken && (checkpoint.size !== writer.tree.size || checkpoint.root !== writer.tree.root())) {
      writer.broken = true;
      this.#find('checkpoint', place, 'the records before it are not those that this checkpoint was made of');
    }
    const { key } = this.#options;
    if (key !== undefined && !isSigned(record, key))
      this.#find('checkpoint', place, 'this checkpoint is not signed with the key');
    writer.covered = writer.tree.size + 1;
    writer.closed ||= checkpoint.final;
    writer.checkpoint = hash;
  }

  #writerOf(source: string): Writer {
    const known = this.#writers.get(source);
    if (known) return known;
    const writer: Writer = {
      tree: new MerkleTree(),
      chains: new Map(),
      records: 0,
      covered: 0,
      closed: false,
      last: '',
      checkpoint: undefined,
      broken: false,
    };
    this.#writers.set(source, writer);
    return writer;
  }
}

function isSigned(record: JournalRecord, key: KeyObject): boolean {
  const { checkpoint } = record;
  if (checkpoint?.signature === undefined || checkpoint.key !== keyId(key)) return false;
  const { signature, ...unsigned } = checkpoint;
  const text = Buffer.from(canonicalJson({ ...record, checkpoint: unsigned }));
  return verify(null, text, key, Buffer.from(signature, 'base64'));
}
