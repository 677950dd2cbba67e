import { sensitiveKind } from '../paths/check.ts';
import type { SensitiveKind } from '../paths/list.ts';
import { place } from '../paths/places.ts';
import { globMatches } from '../shell/glob.ts';
import { CONTENT } from '../shell/marks.ts';

/** The kind of secret that the file of this name holds, as far as its name tells. */
export function kindOf(path: string, cwd: string): SensitiveKind | undefined {
  if (
    !mayName(path, cwd) ||
    path.length > 1024 ||
    /\(/.test(path) ||
    (/\s/.test(path.trim()) && !/^[/~]/.test(path))
  )
    return undefined;
  if (path.startsWith(CONTENT) || /^https?:/.test(path)) return undefined;
  const target = place(path, cwd);
  const kind = sensitiveKind(target) ?? sensitiveKind(target.replace(/[*?]+$/, ''));
  if (kind || !/[*?[]/.test(target) || !/[a-z.]{2}/.test(target.slice(target.lastIndexOf('/') + 1)))
    return kind;
  const meant =
    WELL_KNOWN.find((known) => globMatches(target, known)) ??
    BY_NAME.find((known) => globMatches(target.slice(target.lastIndexOf('/') + 1), known));
  return meant === undefined ? undefined : sensitiveKind(meant);
}

/** Cheap, and true of every path that is of some kind. */
export function mayName(path: string, cwd: string): boolean {
  return cwd !== '.' || HINT.test(path);
}

/** Every kind has one of these in it. */
const HINT = /[._/\\%*?[]|kubeconfig|[^\x20-\x7e]/i;

/** Files that a pattern such as `/etc/sh?dow` may be meant to find. */
const WELL_KNOWN = [
  ...[
    '/etc/shadow',
    '/etc/passwd',
    '/etc/sudoers',
    '/etc/gshadow',
    '/proc/1/environ',
    '~/.ssh/id_rsa',
    '~/.ssh/id_ed25519',
    '.ssh/id_rsa',
  ],
  ...[
    '~/.aws/credentials',
    '~/.netrc',
    '.env',
    '~/.bash_history',
    '~/.kube/config',
    '~/.git-credentials',
    '~/.npmrc',
  ],
];

/** Names that say enough wherever they are: `find / -name 'id_rsa*'`. */
const BY_NAME = [
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  '.env',
  '.netrc',
  '.pgpass',
  '.git-credentials',
  '.bash_history',
];
