import { SENSITIVE_KINDS, type SensitiveKind } from './list.ts';
import { normalizePath } from './normalize.ts';

/** Why a path is off limits. */
export interface PathVerdict {
  /** Stable id, `sensitive-path/<kind>`. */
  readonly rule: string;
  /** The path as it was understood, normalised. */
  readonly path: string;
  /** Written for a model to act on. */
  readonly reason: string;
}

/**
 * Says whether a path names a sensitive file, however it is written (see {@link normalizePath}). Looks at the text
 * only and never throws.
 *
 * @example
 * ```ts
 * checkPath('node_modules/../.ssh/id_rsa')?.rule; // 'sensitive-path/ssh-key'
 * checkPath('test/fixtures/id_rsa'); // undefined
 * ```
 */
export function checkPath(path: string): PathVerdict | undefined {
  const normalized = normalizePath(path);
  const kind = sensitiveKind(normalized);
  return kind && { rule: `sensitive-path/${kind.id}`, path: normalized, reason: reasonFor(kind) };
}

/** The kind of a normalised path, or nothing where it is ordinary or allow-listed. */
export function sensitiveKind(normalized: string): SensitiveKind | undefined {
  if (!ANY_KIND.test(normalized)) return undefined;
  return SENSITIVE_KINDS.find(({ pattern, end }) => {
    const at = normalized.search(pattern);
    return at !== -1 && end?.test(normalized) !== false && !isAllowed(normalized, at);
  });
}

/**
 * Dependencies, tests and fixtures carry make-believe secrets. The folder has to come before what is sensitive:
 * `~/.ssh/test/id_rsa` is a real key.
 */
function isAllowed(normalized: string, at: number): boolean {
  return ALLOWED_FOLDER.test(`${normalized.slice(0, at)}/`) || ALLOWED_FILE.test(normalized);
}

const ALLOWED_FOLDER =
  /(?:^|\/)(?:node_modules|tests?|__tests__|spec|specs|e2e|(?:__)?fixtures?(?:__)?|testdata|test-data|__mocks__|mocks)\//;
const ALLOWED_FILE = /\.(?:test|spec)\.[^/]*$|(?:^|\/)(?:package-lock\.json|[^/]+\.lock)$/;

function reasonFor(kind: SensitiveKind): string {
  return `This path is ${kind.what}. Do not read, write or copy it; ask the user for the one value you need, or work with an example file.`;
}

/** What a pattern begins with that looks for a name: at the start of a path, or behind a slash. */
const NAME_START = String.raw`(?:^|\/)`;
/** An escape, a class, or one character. */
const TOKEN = /\\.|\[(?:\\.|[^\]])*\]|./gs;

/** Matches where some kind does. What looks for a name is tried once a name, not at every character. */
const ANY_KIND: RegExp = anyOf(SENSITIVE_KINDS.flatMap(({ pattern }) => alternatives(pattern.source)));

function anyOf(sources: readonly string[]): RegExp {
  const names = sources.filter((source) => source.startsWith(NAME_START));
  const others = sources.filter((source) => !source.startsWith(NAME_START));
  const named = names.map((source) => source.slice(NAME_START.length));
  return new RegExp(`${NAME_START}(?:${named.join('|')})|${others.join('|')}`);
}

/** `a|b(?:c|d)|e` as `a`, `b(?:c|d)` and `e`. */
function alternatives(source: string): readonly string[] {
  const pieces = [''];
  let depth = 0;
  for (const token of source.match(TOKEN) ?? []) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    if (token === '|' && depth === 0) pieces.push('');
    else pieces[pieces.length - 1] += token;
  }
  return pieces;
}
