import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { visible } from '@hooks/config';
import {
  eraseSession,
  type JournalSource,
  readJournal,
  toOtlpLogs,
  type Verification,
  type VerifiedWriter,
  verifyJournal,
} from '@hooks/journal';
import { messageOf, type Program, UserError } from '../program.ts';
import { inStore } from '../store.ts';

/** The location of a journal. */
export interface JournalOption {
  readonly store?: string;
}

/** Opens the journal that a command names. */
export async function withJournal<T>(
  path: string | undefined,
  { store: storePath }: JournalOption,
  program: Program,
  use: (source: JournalSource) => Promise<T>,
): Promise<T> {
  if (storePath === undefined) return use(resolve(program.cwd(), path ?? '.hooks/journal'));
  if (path !== undefined) throw new UserError('give a path or --store, not both');
  return inStore({ store: storePath }, program, use);
}

/** Parses the start of a period: `7d`, `12h`, `30m`, or a date. */
export function sinceOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([dhm])$/.exec(text) ?? [];
  const date =
    count === undefined
      ? new Date(text)
      : new Date(Date.now() - Number(count) * (UNITS[unit ?? ''] ?? Number.NaN));
  if (Number.isNaN(date.getTime()))
    throw new UserError(`--since ${text}: expected 7d, 12h, 30m, or a date such as 2026-11-16`);
  return date;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** Checks whether a journal is unchanged. */
export async function verify(
  path: string | undefined,
  {
    key,
    expect,
    json,
    ...options
  }: JournalOption & { readonly key?: string; readonly expect?: readonly string[]; readonly json?: boolean },
  program: Program,
): Promise<number> {
  const verification = await withJournal(path, options, program, (source) =>
    verifyJournal(source, {
      ...(key !== undefined && { key: publicKeyAt(resolve(program.cwd(), key)) }),
      ...(expect && { expect }),
    }),
  );
  if (json) program.stdout.write(`${JSON.stringify(verification, undefined, 2)}\n`);
  else program.stdout.write(describe(verification));
  return verification.state === 'broken' ? 1 : 0;
}

/** Reads a public key. */
export function publicKeyAt(path: string): KeyObject {
  try {
    return createPublicKey(readFileSync(path));
  } catch (error) {
    throw new UserError(`--key ${path}: expected a public key as PEM: ${messageOf(error)}`);
  }
}

function describe({ state, records, sessions, erased, writers, problems }: Verification): string {
  const gone = erased === 0 ? '' : `, the data of ${erased} erased`;
  const lines = [`${state}: ${records} records of ${sessions} sessions${gone}`];
  for (const { message } of problems) lines.push(`  ${visible(message)}`);
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
  await withJournal(path, options, program, async (source) => {
    const readings = readJournal(source, {
      since: sinceOf(since),
      session,
      onProblem: ({ message }) => {
        unread++;
        program.stderr.write(`hooks: ${visible(message)}\n`);
      },
    });
    if (format === 'otlp') {
      for await (const request of toOtlpLogs(readings)) program.stdout.write(`${JSON.stringify(request)}\n`);
      return;
    }
    for await (const { place: _, ...line } of readings) program.stdout.write(`${JSON.stringify(line)}\n`);
  });
  return unread > 0 ? 1 : 0;
}

/** Erases the data of a session. */
export async function erase(
  path: string | undefined,
  { session, ...options }: JournalOption & { readonly session: string },
  program: Program,
): Promise<number> {
  const { sessions, records } = await withJournal(path, options, program, (source) =>
    eraseSession(source, session),
  );
  const others = sessions.length - 1;
  const helpers = others === 0 ? '' : ` and ${others} of its sub-agents`;
  program.stdout.write(`erased the data of ${records} records, of session ${visible(session)}${helpers}\n`);
  return 0;
}
