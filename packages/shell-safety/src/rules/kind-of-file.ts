import { sensitiveKind } from '../paths/check.ts';
import type { SensitiveKind } from '../paths/list.ts';
import { normalizePath } from '../paths/normalize.ts';
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
const WELL_KNOWN =
  '/etc/shadow /etc/passwd /etc/sudoers /etc/gshadow /proc/1/environ ~/.ssh/id_rsa ~/.ssh/id_ed25519 .ssh/id_rsa ~/.aws/credentials ~/.netrc .env ~/.bash_history ~/.kube/config ~/.git-credentials ~/.npmrc'.split(
    ' ',
  );

/** Names that say enough wherever they are: `find / -name 'id_rsa*'`. */
const BY_NAME = 'id_rsa id_ed25519 id_ecdsa .env .netrc .pgpass .git-credentials .bash_history'.split(' ');

/** Kinds that are ordinary project files too: here only what shows or copies the content counts. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  'environment certificate shell-profile infrastructure kubernetes docker secret'.split(' '),
);

/**
 * Whether a word is surely no file with secrets, seen from where the command starts, and no such file stands in it behind
 * an option, a marker or a host (`--file=x`, `@x`, `web:x`). It knows plain text and plain paths, and of whatever else
 * says no.
 */
export function isOrdinaryWord(word: string): boolean {
  if (TEXT.test(word)) return word.length < 10 || !KUBECONFIG.test(word);
  if (PATH.test(word)) return isOrdinaryPath(word);
  if (URL.test(word)) return isOrdinaryPath(word.slice(word.indexOf(':') + 1));
  return COMPOUND.test(word) ? isOrdinaryCompound(word.toLowerCase()) : PROSE.test(word);
}

/** Marks, and no letter that all names of such files have, but one. A round bracket may be code. */
const TEXT = /^[a-zA-Z0-9\s!"#$&',:;<=>@^`{|}~+\ue000-\ue007-]*$/;
const KUBECONFIG = /kubeconfig/i;
/** Nothing that has to be read twice: no patterns, no escapes, no empty parts. */
const PATH = /^(?:\.\.?|(?:~?\/|(?:\.\.?\/)+)?\.?\w[\w+-]*(?:\.[\w+-]+)*(?:\/\.?[\w+-]+(?:\.[\w+-]+)*)*\/?)$/;
const URL = /^https?:\/\/\w[\w.:-]*(?:\/[\w.+-]+)*\/?$/;
const COMPOUND = /^(?:--?\w[\w-]*=)?\w[\w+-]*(?:[./:=@,][\w+-]+)*\/?$/;
/** Words of which none is taken for a path: no marker stands before a slash. */
const PROSE =
  /^(?!include\s|source\s)[a-z][\w-]*(?:[,.]|:(?!\s[~/]))?\s(?:[\w\s.,;!|&#$+*~/-]|:(?!\s?[~/]))*$/i;

function isOrdinaryPath(path: string): boolean {
  return sensitiveKind(normalizePath(path)) === undefined;
}

/** Some names count in the working folder only, so that what stands in front of them matters. */
function isOrdinaryCompound(word: string): boolean {
  const parts = word.split(/[=:@]/);
  return [word, parts.join('/'), ...parts.slice(1)].every((path) => sensitiveKind(path) === undefined);
}
