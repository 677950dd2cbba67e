import { createHash } from 'node:crypto';
import {
  followJournal,
  type JournalFollower,
  type JournalPosition,
  type JournalReading,
  type JournalRecord,
  type JournalSource,
  OWN_TYPES,
  readPart,
} from '@hooks/journal';
import type { Policy, RunDetail, RunEvent, RunSummary } from '../api.ts';
import { Summary } from './summary.ts';

/** A run, and the positions of its records. */
interface Run {
  readonly summary: Summary;
  /** The framework's id, once an event has it. */
  run: string | undefined;
  /** The positions of its records: those that are close to each other in one part. */
  readonly parts: { readonly file: string; readonly offset: number; readonly lines: number[] }[];
}

/** A part is read from its first line to its last. What waits overnight for a person may have a gigabyte of others in between. */
const CLOSE = 200;

/**
 * Follows a journal and summarizes its runs. Keeps a summary of each run and the positions of its records, and reads the
 * records again when a run is opened.
 */
export class RunIndex {
  readonly #source: JournalSource;
  readonly #follower: JournalFollower;
  readonly #runs = new Map<string, Run>();
  /** The current run of each session. */
  readonly #current = new Map<string, Run>();
  /** Runs by session and the framework's id. */
  readonly #named = new Map<string, Run>();
  readonly #policies = new Map<string, Policy>();
  readonly #changed = new Set<Run>();
  #reading: Promise<void> | undefined;
  records = 0;
  /** How many times the data of sessions was erased. */
  erasures = 0;
  loaded = false;

  constructor(source: JournalSource) {
    this.#source = source;
    this.#follower = followJournal(source);
  }

  /** Reads the records written since the last time. Concurrent calls share one read. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** All runs, in the order in which they began. */
  get summaries(): readonly RunSummary[] {
    return [...this.#runs.values()].map(({ summary }) => summary.view);
  }

  /** The runs that changed since the last call. */
  takeChanged(): readonly RunSummary[] {
    const changed = [...this.#changed].map(({ summary }) => summary.view);
    this.#changed.clear();
    return changed;
  }

  policy(digest: string): Policy | undefined {
    return this.#policies.get(digest);
  }

  /** The run of each record, by the record's position. */
  places(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [id, { parts }] of this.#runs)
      for (const { file, lines } of parts)
        for (const line of lines) found.set(placeOf(this.#source, file, line), id);
    return found;
  }

  /** Reads the records of a run. Undefined where there are none, as after a pruning. */
  async detail(id: string): Promise<RunDetail | undefined> {
    const run = this.#runs.get(id);
    if (run === undefined) return undefined;
    const events: RunEvent[] = [];
    // What is about the journal itself stands in the place of a day that was pruned.
    for (const part of run.parts)
      for await (const { record, data, hash, place } of readPart(this.#source, part))
        if (record.session !== undefined)
          events.push({ record, hash, place, ...(data !== undefined && { data }) });
    if (events.length === 0) return undefined;
    return { summary: run.summary.view, events };
  }

  async #read(): Promise<void> {
    for await (const reading of this.#follower.read()) this.#add(reading);
    this.loaded = true;
  }

  #add(reading: JournalReading & { readonly position: JournalPosition }): void {
    const { record, position } = reading;
    this.records++;
    if (record.type === OWN_TYPES.policy && record.policy !== undefined)
      this.#policies.set(record.policy, { digest: record.policy, hooks: record.registered ?? [] });
    if (record.erasure) this.#forget(record.erasure.sessions);
    if (record.session === undefined) return;
    const run = this.#runOf(record);
    run.summary.add(reading);
    const { file, line, offset } = position;
    const part = run.parts.at(-1);
    if (part?.file === file && line - (part.lines.at(-1) ?? 0) <= CLOSE) part.lines.push(line);
    else run.parts.push({ file, offset, lines: [line] });
    this.#changed.add(run);
  }

  /** What was erased is not shown from memory, either. */
  #forget(sessions: readonly string[]): void {
    this.erasures++;
    const erased = new Set(sessions);
    for (const run of this.#runs.values()) {
      if (!erased.has(run.summary.session)) continue;
      run.summary.forget();
      this.#changed.add(run);
    }
  }

  /** The run of a record. Records of a sub-agent belong to its parent's run. */
  #runOf(record: JournalRecord): Run {
    const { session = '', parentSession, run: id } = record;
    const current = this.#current.get(session);
    if (parentSession !== undefined) {
      const parent = current ?? this.#current.get(parentSession);
      if (parent) return this.#enter(session, parent);
    }
    if (current && !begins(record, current)) {
      if (id === undefined || current.run === id) return current;
      // Records of the session before its first run belong to that run.
      if (current.run === undefined) return this.#name(session, id, current);
    }
    const known = id === undefined ? undefined : this.#named.get(nameOf(session, id));
    return this.#enter(session, known ?? this.#begin(record));
  }

  #enter(session: string, run: Run): Run {
    this.#current.set(session, run);
    return run;
  }

  #name(session: string, id: string, run: Run): Run {
    run.run = id;
    this.#named.set(nameOf(session, id), run);
    return run;
  }

  #begin({ session = '', run: id, source, id: first }: JournalRecord): Run {
    const key = createHash('sha256').update(nameOf(source, first)).digest('hex').slice(0, 16);
    const made: Run = { summary: new Summary(key, session), run: undefined, parts: [] };
    this.#runs.set(key, made);
    return id === undefined ? made : this.#name(session, id, made);
  }
}

/** A position in the format of `JournalReading`. */
function placeOf(source: JournalSource, file: string, line: number): string {
  return typeof source === 'string' ? `${file}:${line}` : `record ${line} of the log in ${source.name}`;
}

/** Whether a session reopens after a run has ended. */
function begins({ type }: JournalRecord, { summary }: Run): boolean {
  return type === 'hooks.session_start' && summary.isOver;
}

function nameOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
