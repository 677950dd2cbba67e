import { SENSITIVE_KINDS, type SensitiveKind } from './list.ts';
import { normalizePath } from './normalize.ts';
import { baseName, meant, place } from './places.ts';

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
  if (ORDINARY.has(normalized)) return undefined;
  if (!ANY_KIND.test(normalized)) {
    if (ORDINARY.size === MOST_KEPT) ORDINARY.clear();
    if (normalized.length < 256) ORDINARY.add(normalized);
    return undefined;
  }
  return KINDS.find(({ pattern, end }) => {
    const at = normalized.search(pattern);
    return at !== -1 && end?.test(normalized) !== false && !isAllowed(normalized, at);
  });
}

/** Paths that are of no kind: each rule asks for the same path again. */
const ORDINARY = new Set<string>();
const MOST_KEPT = 1024;

/** The kind of a file that a program in `cwd` is given: by its name, or by a pattern that may be meant to find it. */
export function kindOf(path: string, cwd: string): SensitiveKind | undefined {
  const isText = /\(|^https?:/.test(path) || (/\s/.test(path.trim()) && !/^[/~]/.test(path));
  if (isText || !mayName(path, cwd)) return undefined;
  const target = place(path, cwd);
  const named = sensitiveKind(target) ?? sensitiveKind(target.replace(/(?<![*?])[*?]+$/, ''));
  // A pattern without letters is meant to find everything.
  return (
    named ??
    (/[a-z.]{2}/.test(baseName(target).replace(/\[[^\]]*\]/g, '?'))
      ? meant(target).map(sensitiveKind).find(Boolean)
      : undefined)
  );
}

/** Cheap, and true of every path that is of some kind. */
export function mayName(path: string, cwd: string): boolean {
  return cwd !== '.' || /[._/\\%*?[]|kubeconfig|[^\x20-\x7e]/i.test(path);
}

/**
 * Dependencies, tests and fixtures carry make-believe secrets. The folder has to come before what is sensitive:
 * `~/.ssh/test/id_rsa` is a real key.
 */
function isAllowed(normalized: string, at: number): boolean {
  return ALLOWED_FOLDER.test(`${normalized.slice(0, at)}/`) || ALLOWED_FILE.test(baseName(normalized));
}

const ALLOWED_FOLDER =
  /(?:^|\/)(?:node_modules|tests?|__tests__|spec|specs|e2e|(?:__)?fixtures?(?:__)?|testdata|test-data|__mocks__|mocks)\//;
const ALLOWED_FILE = /\.(?:test|spec)\.|^package-lock\.json$|.\.lock$/;

function reasonFor(kind: SensitiveKind): string {
  return `This path is ${kind.what}. Do not read, write or copy it; ask the user for the one value you need, or work with an example file.`;
}

const KINDS = SENSITIVE_KINDS.map((kind) => ({ ...kind, pattern: anyOf([kind]) }));
/** Most paths are of no kind, which one look at them says. */
const ANY_KIND = anyOf(SENSITIVE_KINDS);

function anyOf(kinds: readonly SensitiveKind[]): RegExp {
  const names = kinds.flatMap((kind) => kind.names ?? []).join('|');
  const paths = kinds.flatMap((kind) => kind.paths ?? []);
  return new RegExp([...(names === '' ? [] : [`(?:^|/)(?:${names})`]), ...paths].join('|'));
}
