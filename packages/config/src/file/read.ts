import { readAi4j } from '../dialects/ai4j/file.ts';
import { DIALECTS } from '../dialects/all.ts';
import { readClaudeCode } from '../dialects/claude-code/file.ts';
import { readCodex } from '../dialects/codex/file.ts';
import { readCopilot } from '../dialects/copilot/file.ts';
import { readCursor } from '../dialects/cursor/file.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { readDockerAgent } from '../dialects/docker-agent/file.ts';
import { readGemini } from '../dialects/gemini/file.ts';
import { readHooks } from '../dialects/hooks/file.ts';
import type { HookEntry } from '../entry.ts';
import { advise } from './advice.ts';
import { detectDialect, dialectNamedBy, KEYS, otherReading, whyAmbiguous, whyUnsupported } from './detect.ts';
import { type Path, parseText } from './document.ts';
import type { ConfigIssue } from './error.ts';
import { isForPeople } from './hook.ts';
import { FileReader } from './reader.ts';
import { misspelt, suggest } from './suggest.ts';

/** The hooks of one file. */
export interface HookFile {
  /** The file's name, as given. */
  readonly path: string;
  readonly dialect: Dialect;
  readonly entries: readonly HookEntry[];
  /** Problems that keep the file from being used. If there are any, ignore the entries. */
  readonly issues: readonly ConfigIssue[];
  /** Notices: events that never fire, ignored matchers. */
  readonly notices: readonly ConfigIssue[];
}

/** Reads the text of a hook file. Returns problems as data; `loadHooks` throws them. */
export function readHookFile(text: string, file: string, dialect?: DialectName): HookFile {
  const parsed = parseText(text, file);
  const shape: Readonly<Record<string, unknown>> = Object(parsed.value);
  const name = dialect ?? detectDialect(shape, file);
  const isGuess = (dialect ?? dialectNamedBy(file)) === undefined;
  const reader = new FileReader(parsed, {
    dialect: name,
    ...(isGuess && { other: () => otherReading(shape, name) }),
  });
  const value = reader.map(parsed.value ?? {}, []) ?? {};
  for (const path of prototypesIn(shape)) reader.issue(path, 'it cannot be a name here', 'key');
  const unsupported = dialect === undefined ? whyUnsupported(value, file) : undefined;
  // The fields of another program's file say nothing about its mistakes.
  if (unsupported === undefined) checkKeys(name, value, reader, isGuess);
  const foreign = unsupported ?? (dialect === undefined ? whyAmbiguous(value, file) : undefined);
  if (foreign !== undefined) reader.issue(['hooks'], foreign, 'key');
  const entries = reader.issues.length > 0 ? [] : readers[name](value, reader);
  const notices = [...reader.notices, ...advise(entries)];
  return { path: file, dialect: DIALECTS[name], entries, issues: reader.issues, notices };
}

/** Where a value has the key `__proto__`, which records leave out. */
function prototypesIn(value: unknown, path: Path = [], seen: Set<object> = new Set()): readonly Path[] {
  // An alias may name what it is a part of.
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, entry]) => [
    ...(key === '__proto__' ? [[...path, key]] : []),
    ...prototypesIn(entry, [...path, Array.isArray(value) ? Number(key) : key], seen),
  ]);
}

/** Fields of a program's own files with the name of a field that counts in another dialect. */
const OWN_KEYS: Readonly<Partial<Record<DialectName, readonly string[]>>> = {
  'claude-code': ['sandbox', 'telemetry'],
  gemini: ['sandbox', 'telemetry'],
  'docker-agent': ['version'],
};

/** Refuses keys at the top that were meant to count: misspelt ones, and those of another dialect. */
function checkKeys(
  dialect: DialectName,
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
  isGuess: boolean,
): void {
  // Its schema is strict.
  if (dialect === 'hooks') return;
  const known = KEYS[dialect];
  const own = OWN_KEYS[dialect] ?? [];
  const elsewhere = Object.values(KEYS).flat();
  // Files of Cursor and Copilot hold nothing but hooks.
  const isOnlyHooks = known.includes('version');
  for (const key of Object.keys(value)) {
    if (known.includes(key) || own.includes(key) || isForPeople(key)) continue;
    if (KEYS.hooks.includes(key)) {
      reader.issue(
        [key],
        `only files of the dialect "hooks" have it, and this one is read as "${dialect}"`,
        'key',
      );
    } else if (misspelt(key, known) !== undefined)
      reader.issue([key], `unknown field; ${suggest(key, known)}`, 'key');
    else if (isOnlyHooks || (isGuess && elsewhere.includes(key)))
      reader.ignored([key], 'unknown field', `expected one of: ${known.join(', ')}`);
  }
}

const readers: Readonly<
  Record<DialectName, (value: Readonly<Record<string, unknown>>, reader: FileReader) => readonly HookEntry[]>
> = {
  hooks: readHooks,
  'docker-agent': readDockerAgent,
  'claude-code': readClaudeCode,
  ai4j: readAi4j,
  cursor: readCursor,
  copilot: readCopilot,
  gemini: readGemini,
  codex: readCodex,
};
