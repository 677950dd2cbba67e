import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DIALECTS } from '../dialects/all.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { dockerAgentKeys } from '../dialects/docker-agent/file.ts';
import { partSchemas } from '../parts/schemas.ts';
import { distanceTo } from './suggest.ts';

/**
 * Detects a file's dialect by its place, its top-level keys, its event names and the fields of its hooks. If all of these fit
 * both Cursor and Copilot, the folder decides.
 */
export function detectDialect(value: Readonly<Record<string, unknown>>, file = ''): DialectName {
  const named = dialectNamedBy(file);
  if (named !== undefined) return named;
  // Only our own files have these. In another's they would be passed over.
  if ('flow' in value || 'principal' in value || 'journal' in value) return 'hooks';
  if (value['agents'] !== undefined || value['settings'] !== undefined) return 'docker-agent';
  const { hooks } = value;
  if (typeof hooks !== 'object' || hooks === null) return 'hooks';
  const names = Object.keys(hooks);
  const folder = folderOf(file);
  if (folder !== undefined) return folder;
  const scores = (Object.keys(DIALECTS) as DialectName[]).map((dialect) => ({
    dialect,
    score: names.filter((name) => has(dialect, name)).length,
  }));
  const top = Math.max(...scores.map(({ score }) => score));
  const best = scores.filter(({ score }) => score === top).map(({ dialect }) => dialect);
  // Cursor and Copilot share event names with other dialects, but only their files have a version.
  const versioned = best.filter((dialect) => dialect === 'cursor' || dialect === 'copilot');
  if (value['version'] !== undefined && versioned.length > 0) return byFields(hooks, versioned, file);
  return top === 0 ? byCase(names) : byFields(hooks, best, file);
}

/** The files that programs read. Whoever put a file there has named its dialect. */
const PLACES: Partial<Record<DialectName, RegExp>> = {
  'claude-code': /(?:^|[/\\])\.claude[/\\]settings(?:\.local)?\.json$/,
  codex: /(?:^|[/\\])\.codex[/\\]hooks\.json$|\.toml$/i,
  copilot: /(?:^|[/\\])\.github[/\\]hooks[/\\][^/\\]*\.json$/,
  cursor: /(?:^|[/\\])\.cursor[/\\]hooks\.json$/,
  gemini: /(?:^|[/\\])\.gemini[/\\]settings\.json$/,
};

/** The dialect that a file's name and folder say. */
export function dialectNamedBy(file: string): DialectName | undefined {
  return (Object.keys(PLACES) as DialectName[]).find((dialect) => PLACES[dialect]?.test(file));
}

/** The dialect of the program in whose folder a JSON file is, for those that the program does not read by name. */
function folderOf(file: string): DialectName | undefined {
  const name = /(?:^|[/\\])\.(claude|codex|cursor|gemini)[/\\][^/\\]*\.json$/.exec(file)?.[1];
  return name === 'claude' ? 'claude-code' : (name as 'codex' | 'cursor' | 'gemini' | undefined);
}

/** Dialects whose files list hooks directly under an event. */
const WITHOUT_GROUPS: readonly DialectName[] = ['ai4j', 'cursor', 'copilot'];

/** The dialect that a file may be of instead of the guessed one: the one with the most similar names. */
export function otherReading(value: Readonly<Record<string, unknown>>, guess: DialectName): DialectName {
  const names = Object.keys(Object(value['hooks']));
  const likeness = (dialect: DialectName): number => {
    const { events, neverFire } = DIALECTS[dialect];
    const known = [...Object.keys(events), ...neverFire];
    const keys = Object.keys(value).filter((key) => KEYS[dialect].includes(key)).length;
    // The same name in another case style is a little less alike.
    const alike = (name: string): number =>
      known.includes(name) ? 1.1 : Math.max(0, 1 - distanceTo(name, known) / name.length);
    return names.reduce((sum, name) => sum + alike(name), keys);
  };
  const inGroups = Object.values(Object(value['hooks']))
    .flat()
    .some((item) => Object.hasOwn(Object(item), 'hooks'));
  const others = (Object.keys(DIALECTS) as DialectName[]).filter(
    (dialect) => dialect !== guess && !(inGroups && WITHOUT_GROUPS.includes(dialect)),
  );
  return others.reduce((best, dialect) => (likeness(dialect) > likeness(best) ? dialect : best));
}

function has(dialect: DialectName, name: string): boolean {
  const { events, neverFire, unsupportedGates = [] } = DIALECTS[dialect];
  return Object.hasOwn(events, name) || [...neverFire, ...unsupportedGates].includes(name);
}

/** The keys at the top of a file that count here. */
export const KEYS: Readonly<Record<DialectName, readonly string[]>> = {
  hooks: ['hooks', ...Object.keys(partSchemas)],
  'docker-agent': [...dockerAgentKeys, 'agents', 'runtime', 'settings'],
  'claude-code': ['hooks', 'disableAllHooks', 'permissions'],
  ai4j: ['hooks'],
  cursor: ['hooks', 'version'],
  copilot: ['hooks', 'version', 'disableAllHooks'],
  gemini: ['hooks', 'hooksConfig'],
  codex: ['hooks', 'features'],
};

/** Fields that distinguish a dialect from those after it in the list. */
const ownFields: Partial<Record<DialectName, readonly string[]>> = {
  ai4j: ['match'],
  copilot: ['bash', 'powershell', 'exec', 'timeoutSec', 'url', 'cwd', 'env'],
  cursor: ['failClosed', 'loop_limit', 'matcher'],
};

/** Among dialects with equally many known events, the one whose fields the hooks have; else the first. */
function byFields(hooks: object, best: readonly DialectName[], file: string): DialectName {
  const [first = 'hooks'] = best;
  // In our own dialect, docker-agent and Claude Code, events also hold groups of hooks, with their own fields.
  if (best.length === 1 || !Object.hasOwn(ownFields, first)) return first;
  const fields = new Set(
    Object.values(hooks)
      .flat()
      .flatMap((hook) => Object.keys(Object(hook))),
  );
  const [own] = (Object.keys(ownFields) as DialectName[]).filter(
    (dialect) => best.includes(dialect) && ownFields[dialect]?.some((field) => fields.has(field)),
  );
  return own ?? (best.includes('copilot') && /[/\\]\.github[/\\]/.test(file) ? 'copilot' : first);
}

/** The fallback without a known event, so that the error is about the intended dialect. */
function byCase([name = '']: readonly string[]): DialectName {
  if (/^[A-Z]/.test(name)) return 'claude-code';
  return /[A-Z]/.test(name) ? 'ai4j' : 'hooks';
}

/** Why a file could be of two programs, whose hooks would run on other calls. */
export function whyAmbiguous(value: Readonly<Record<string, unknown>>, file: string): string | undefined {
  if (value['version'] !== undefined || dialectNamedBy(file) !== undefined) return undefined;
  const { hooks } = value;
  if (typeof hooks !== 'object' || hooks === null || detectDialect(value, file) !== 'cursor')
    return undefined;
  if (!Object.keys(hooks).every((name) => has('ai4j', name))) return undefined;
  const fields = Object.values(hooks)
    .flat()
    .flatMap((hook) => Object.keys(Object(hook)));
  if (!fields.includes('matcher') || fields.includes('failClosed') || fields.includes('loop_limit'))
    return undefined;
  return 'it could be a file of ai4j, whose field is "match" instead of "matcher", or of cursor, whose files have "version": 1; correct it, or name the dialect';
}

/** A program whose files no dialect reads. */
interface Unsupported {
  readonly name: string;
  readonly folder: RegExp;
  readonly event?: RegExp;
  readonly advice: string;
}

const LIKE_CLAUDE_CODE =
  'its format resembles Claude Code’s; compare its events and tool names, then name the dialect: --dialect claude-code';

const unsupported: readonly Unsupported[] = [
  { name: 'Factory', folder: /(?:^|[/\\])\.factory[/\\]/, advice: LIKE_CLAUDE_CODE },
  { name: 'Grok', folder: /(?:^|[/\\])\.grok[/\\]/, advice: LIKE_CLAUDE_CODE },
  { name: 'Qwen Code', folder: /(?:^|[/\\])\.qwen[/\\]/, advice: LIKE_CLAUDE_CODE },
  { name: 'Augment', folder: /(?:^|[/\\])\.augment[/\\]/, advice: LIKE_CLAUDE_CODE },
  {
    name: 'Kiro',
    folder: /(?:^|[/\\])\.(?:kiro|amazonq)[/\\]/,
    event: /^agentSpawn$/,
    advice:
      'write its hooks in our own dialect: preToolUse is before_tool_call, with the matcher "shell" for execute_bash and "write|edit" for fs_write',
  },
  {
    name: 'Windsurf',
    folder: /(?:^|[/\\])\.?(?:windsurf|codeium)[/\\]/,
    event:
      /^(?:(?:pre|post)_(?:read_code|write_code|run_command|mcp_tool_use)|pre_user_prompt|post_cascade_response.*|post_setup_worktree)$/,
    advice:
      'write its hooks in our own dialect: pre_run_command is before_tool_call with the matcher "shell", pre_write_code with "write|edit", pre_user_prompt is user_prompt_submit',
  },
];

/** Why a file cannot be read: its program has no dialect here, or its folder is that of an unknown program. */
export function whyUnsupported(value: Readonly<Record<string, unknown>>, file: string): string | undefined {
  const names = Object.keys(Object(value['hooks']));
  const found = unsupported.find(
    ({ folder, event }) => folder.test(file) || names.some((name) => event?.test(name)),
  );
  if (found) return `a file of ${found.name}, which has no dialect here; ${found.advice}`;
  const folder = unknownFolder(file);
  if (folder === undefined || isInCheckout(file, folder)) return undefined;
  const dialect = detectDialect(value, file);
  if (dialect === 'hooks' || dialect === 'docker-agent') return undefined;
  return `it looks like a file of ${dialect}, but is in ${folder}, the folder of another program, whose tools may have other names; compare them, then name the dialect: --dialect ${dialect}`;
}

/** The innermost hidden folder around a file, if it is that of a program which is none of those with a dialect. */
function unknownFolder(file: string): string | undefined {
  const [, path] = /.*(?:^|[/\\])(\.[a-z].*)[/\\]/is.exec(file) ?? [];
  const [folder = '', program] = path?.split(/[/\\]/) ?? [];
  if (folder === '.config')
    return program === undefined || program === 'hooks' ? undefined : `.config/${program}`;
  return folder === '' || KNOWN_FOLDERS.has(folder) ? undefined : folder;
}

/** Whether a checkout in that folder has the file, as `.worktrees` has them: the folder is not that of a program. */
function isInCheckout(file: string, folder: string): boolean {
  let at = dirname(resolve(file));
  while (at !== dirname(at) && basename(at) !== basename(folder)) {
    if (existsSync(join(at, '.git'))) return true;
    at = dirname(at);
  }
  return false;
}

/** Those of programs with a dialect, and ours. */
const KNOWN_FOLDERS: ReadonlySet<string> = new Set(
  '.claude .codex .cursor .gemini .github .hooks'.split(' '),
);
