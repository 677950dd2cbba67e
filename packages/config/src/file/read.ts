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
import { partSchemas } from '../parts/schemas.ts';
import { advise } from './advice.ts';
import { detectDialect, whyAmbiguous, whyUnsupported } from './detect.ts';
import { parseText } from './document.ts';
import type { ConfigIssue } from './error.ts';
import { FileReader } from './reader.ts';

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
  const reader = new FileReader(parsed);
  const value = reader.map(parsed.value ?? {}, []) ?? {};
  const name = dialect ?? detectDialect(value, file);
  for (const part of foreignParts(name, value))
    reader.issue(
      [part],
      `only files of the dialect "hooks" have it, and this one is read as "${name}"`,
      'key',
    );
  const foreign =
    dialect === undefined ? (whyUnsupported(value, file) ?? whyAmbiguous(value, file)) : undefined;
  if (foreign !== undefined) reader.issue(['hooks'], foreign, 'key');
  const entries = reader.issues.length > 0 ? [] : readers[name](value, reader);
  const notices = [...reader.notices, ...advise(entries)];
  return { path: file, dialect: DIALECTS[name], entries, issues: reader.issues, notices };
}

/** Parts of our own files in another's, where they would be passed over. */
function foreignParts(dialect: DialectName, value: Readonly<Record<string, unknown>>): readonly string[] {
  if (dialect === 'hooks') return [];
  // The settings of these programs have fields of these names.
  const own = dialect === 'claude-code' || dialect === 'gemini' ? ['sandbox', 'telemetry'] : [];
  return Object.keys(partSchemas).filter((part) => part in value && !own.includes(part));
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
