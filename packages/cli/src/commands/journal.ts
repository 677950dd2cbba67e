import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { visible } from '@hooks/config';
import {
  eraseSession,
  type JournalSource,
  journalLineText,
  pruneJournal,
  readJournal,
  toOtlpLogs,
  type Verification,
  type VerifiedWriter,
  verifyJournal,
} from '@hooks/journal';
import { counted } from '../counted.ts';
import { existing } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { inStore } from '../store.ts';

/** The location of a journal. */
export interface JournalOption {
  readonly store?: string;
}

/** Opens the journal that a command names, by an argument of this name. */
export async function withJournal<T>(
  name: string,
  path: string | undefined,
  { store: storePath }: JournalOption,
  program: Program,
  use: (source: JournalSource) => Promise<T>,
): Promise<T> {
  if (storePath === undefined) return use(journalPath(name, path, program));
  if (path !== undefined) throw new UserError(`give ${name} or --store, not both`);
  return inStore({ store: storePath }, program, use);
}

/** The path of a journal that is a directory. */
export function journalPath(name: string, path: string | undefined, program: Program): string {
  if (path === undefined) return resolve(program.cwd(), '.hooks/journal');
  return existing(name, path, program, 'the directory of a journal; for the address of a store, use --store');
}

/** Parses the start of a period: `7d`, `12h`, `30m`, or a date. */
export function sinceOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : dateOf('--since', text);
}

function dateOf(flag: string, text: string): Date {
  const [, count, unit] = /^(\d+)([dhm])$/.exec(text) ?? [];
  const date =
    count === undefined
      ? new Date(text)
      : new Date(Date.now() - Number(count) * (UNITS[unit ?? ''] ?? Number.NaN));
  if (Number.isNaN(date.getTime()))
    throw new UserError(`${flag}: expected 7d, 12h, 30m, or a date such as 2026-11-16`);
  return date;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** States of a journal that `--allow` lets pass, and what `--require` asks for. */
const ALLOWED = ['open', 'unsigned', 'gap'] as const;
const REQUIRED = ['closed', 'signed'] as const;

/** Options of `journal verify`. */
export interface VerifyCommandOptions extends JournalOption {
  readonly key?: readonly string[];
  readonly expect?: readonly string[];
  readonly allow?: string;
  readonly require?: string;
  readonly json?: boolean;
}

/** Checks whether a journal is unchanged. */
export async function verify(
  path: string | undefined,
  { key: keys = [], expect, json, allow, require, ...options }: VerifyCommandOptions,
  program: Program,
): Promise<number> {
  // The journal says of a checkpoint that is missing which one it is.
  if (expect?.some((hash) => !/^[\da-f]{64}$/.test(hash)))
    throw new UserError(
      '--expect: expected checkpoints as "hooks journal verify" shows them, of 64 hex digits',
    );
  const allowed = listIn('--allow', allow, ALLOWED);
  const required = listIn('--require', require, REQUIRED);
  const verification = await withJournal('[path]', path, options, program, (source) =>
    verifyJournal(source, {
      ...(keys.length > 0 && { key: keys.map((key) => publicKeyAt(key, program)) }),
      ...(expect && { expect }),
    }),
  );
  const failures = failuresOf(verification, allowed, required);
  if (json) program.stdout.write(`${JSON.stringify(verification, undefined, 2)}\n`);
  else program.stdout.write(describe(verification));
  for (const failure of failures) program.stderr.write(`hooks: ${failure}\n`);
  return failures.length > 0 ? 1 : 0;
}

function listIn<T extends string>(
  flag: string,
  text: string | undefined,
  known: readonly T[],
): ReadonlySet<T> {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  const isKnown = (name: string): name is T => known.some((each) => each === name);
  return new Set(
    names.map((name) => {
      if (!isKnown(name))
        throw new UserError(
          `${flag}: one of its parts is none of ${known.join(', ')}; separate several with commas`,
        );
      return name;
    }),
  );
}

/** Why the command fails. */
function failuresOf(
  { problems, lost, writers, cutOff, signatures }: Verification,
  allowed: ReadonlySet<(typeof ALLOWED)[number]>,
  required: ReadonlySet<(typeof REQUIRED)[number]>,
): readonly string[] {
  const hasKey = signatures === 'checked';
  const failures: string[] = [];
  if (problems.length > 0) failures.push('the journal is broken');
  if (lost > 0 && !allowed.has('gap')) failures.push('records were lost (to accept that: --allow gap)');
  if (!hasKey && required.has('signed')) failures.push('signatures can be checked only with --key');
  if (hasKey && !allowed.has('unsigned') && writers.some(({ unsigned }) => unsigned > 0))
    failures.push('records are not under a signed checkpoint (to accept that: --allow unsigned)');
  // With a key nothing is taken on trust: an end that is missing may have been cut off.
  const isOpen = cutOff.length > 0 || writers.some(({ closed }) => !closed);
  if ((hasKey || required.has('closed')) && !allowed.has('open') && isOpen)
    failures.push('a writer has not closed the journal (while it runs: --allow open)');
  return failures;
}

/** Reads a public key. */
export function publicKeyAt(given: string, program: Program): KeyObject {
  return keyAt(given, program, 'a public key as PEM', createPublicKey);
}

/** Reads a private key. */
function privateKeyAt(given: string, program: Program): KeyObject {
  return keyAt(given, program, 'a private key as PEM', createPrivateKey);
}

function keyAt(
  given: string,
  program: Program,
  expected: string,
  create: (pem: Buffer) => KeyObject,
): KeyObject {
  const path = existing('--key', given, program, `the path of a file with ${expected}`);
  const pem = readFileSync(path);
  try {
    return create(pem);
  } catch {
    // The message of the error may repeat what the file holds.
    throw new UserError(`--key: ${path} does not hold ${expected}`);
  }
}

function describe(found: Verification): string {
  const { state, records, sessions, erased, lost, pruned, signatures, writers, cutOff, problems } = found;
  const gone = erased === 0 ? '' : `, the data of ${erased} erased`;
  const before = pruned === 0 ? '' : `, ${counted(pruned, 'older record')} pruned`;
  const missing = lost === 0 ? '' : `, ${lost} lost`;
  const lines = [
    `${state}: ${counted(records, 'record')} of ${counted(sessions, 'session')}${gone}${before}${missing}`,
    signatures === 'checked' ? 'signatures: checked' : 'signatures: not checked, which needs --key',
  ];
  for (const { message } of problems) lines.push(`  ${visible(message)}`);
  for (const place of cutOff)
    lines.push(
      `  ${visible(place)} is cut off: its process was killed, or the disk was full, in the middle of the line`,
    );
  for (const writer of writers) if (!writer.closed) lines.push(`  ${openWriter(writer)}`);
  for (const { checkpoint, source } of writers)
    if (checkpoint !== undefined) lines.push(`checkpoint of ${source}: ${checkpoint}`);
  return `${lines.join('\n')}\n`;
}

function openWriter({ source, uncovered, last }: VerifiedWriter): string {
  return `${source} has no last checkpoint (its last record is ${last}, ${uncovered} are after the last checkpoint): it is still running, was killed, or its end was cut off`;
}

/** Writes a journal to stdout. */
export async function exportJournal(
  path: string | undefined,
  {
    format,
    since,
    session,
    ...options
  }: JournalOption & {
    readonly format: 'jsonl' | 'otlp';
    readonly since?: string;
    readonly session?: string;
  },
  program: Program,
): Promise<number> {
  let unread = 0;
  await withJournal('[path]', path, options, program, async (source) => {
    const readings = readJournal(source, {
      since: sinceOf(since),
      session,
      onProblem: ({ code, message }) => {
        // Of a line that is cut off there is nothing to write.
        if (code !== 'CUT_OFF') unread++;
        program.stderr.write(`hooks: ${visible(message)}\n`);
      },
    });
    if (format === 'otlp') {
      for await (const request of toOtlpLogs(readings)) program.stdout.write(`${JSON.stringify(request)}\n`);
      return;
    }
    for await (const reading of readings) program.stdout.write(`${journalLineText(reading)}\n`);
  });
  return unread > 0 ? 1 : 0;
}

/** Who removes something, and why. */
export interface ResponsibleOptions {
  readonly by?: string;
  readonly why?: string;
  /** The path of a private key. */
  readonly key?: string;
}

function responsibleOf({ by, why, key }: ResponsibleOptions, program: Program) {
  const name = by ?? program.env['USER'];
  return {
    ...(name !== undefined && { by: name }),
    ...(why !== undefined && { why }),
    ...(key !== undefined && { key: privateKeyAt(key, program) }),
  };
}

/** Erases the data of a session. */
export async function erase(
  path: string | undefined,
  options: JournalOption & ResponsibleOptions & { readonly session: string },
  program: Program,
): Promise<number> {
  const { session } = options;
  const responsible = responsibleOf(options, program);
  const { sessions, records, unread } = await withJournal('[path]', path, options, program, (source) =>
    eraseSession(source, session, responsible),
  );
  const others = sessions.length - 1;
  const helpers = others === 0 ? '' : ` and ${counted(others, 'sub-agent')} of it`;
  // A text that names no session may be anything.
  const named = records === 0 ? 'the session' : `session ${visible(session)}`;
  program.stdout.write(`erased the data of ${counted(records, 'record')}, of ${named}${helpers}\n`);
  for (const place of unread)
    program.stderr.write(
      `hooks: ${visible(place)} is no record and was left as it is: it may hold data of the session\n`,
    );
  return unread.length > 0 ? 1 : 0;
}

/** Removes the oldest days of a journal. */
export async function prune(
  path: string | undefined,
  options: JournalOption & ResponsibleOptions & { readonly before: string },
  program: Program,
): Promise<number> {
  const before = dateOf('--before', options.before);
  const responsible = responsibleOf(options, program);
  const { days, records, ahead } = await withJournal('[path]', path, options, program, (source) =>
    pruneJournal(source, { before, ...responsible }),
  );
  const [first] = days;
  program.stdout.write(
    first === undefined
      ? 'nothing is as old as that\n'
      : `removed ${counted(records, 'record')} of ${counted(days.length, 'day')}, from ${first} to ${days.at(-1)}\n`,
  );
  for (const day of ahead)
    program.stderr.write(
      `hooks: ${day} has not come, since a clock was ahead; it stays until you remove ${day}.jsonl, when no process writes to it any more\n`,
    );
  return 0;
}
