import { ANY_KIND } from './any-kind.ts';
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
  return SENSITIVE_KINDS.find(({ pattern }) => {
    const at = normalized.search(pattern);
    return at !== -1 && !isAllowed(normalized, at);
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
