/**
 * One spelling for the many ways to write a path, so that a list of patterns sees through them: lower case, `/`
 * between the parts, `.` and `..` resolved, a home directory as `~`, no drive, no share, no quotes, percent
 * encoding and full-width letters decoded, invisible characters removed, cut at a NUL. It looks at text only;
 * symbolic links are the caller's. A relative path stays relative and keeps the `..` that lead
 * out of it, unless they lead to `etc`, a home or the like: then they were meant to reach the root.
 */
export function normalizePath(path: string): string {
  let normal = NORMAL.get(path);
  if (normal === undefined) {
    normal = normalized(path.slice(-MAX_LENGTH));
    if (NORMAL.size === MOST_KEPT) NORMAL.clear();
    if (path.length < 256) NORMAL.set(path, normal);
  }
  return normal;
}

/** Each rule asks for the same path again. */
const NORMAL = new Map<string, string>();
const MOST_KEPT = 1024;

function normalized(path: string): string {
  const unquoted = visible(decodePercent(path))
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const slashed = withoutPrefix(unquoted.replaceAll('\\', '/'));
  return withHome(resolveDots(aboveHome(slashed))).toLowerCase();
}

/** Longer than any path that a system opens; of what is longer the end is what names the file. */
const MAX_LENGTH = 8192;

/** What is encoded may be encoded again. */
function decodePercent(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++)
    decoded = decoded.replace(/%u([0-9a-f]{4})|(?:%[0-9a-f]{2})+/gi, (encoded, code?: string) =>
      code === undefined ? decodeBytes(encoded) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return decoded;
}

function decodeBytes(encoded: string): string {
  const bytes = encoded.slice(1).split('%');
  return UTF_8.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a reader sees: compatibility forms folded (`．` is `.`), format and control characters gone. */
function visible(text: string): string {
  const [cut = ''] = text.split('\0', 1);
  return /^[\x20-\x7e]*$/.test(cut) ? cut : cut.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Mn}]/gu, '');
}

/** Without `file://host` (and the query and fragment of such an address), `\\?\`, `\\server\share` and a drive letter: what is left starts at the root. */
function withoutPrefix(path: string): string {
  return path
    .replace(/^file:(?:\/\/[^/]*(?=\/))?([^?#]*).*/is, '$1')
    .replace(/^\/\/[?.]\/(?:unc\/[^/]+\/[^/]+)?/i, '/')
    .replace(/^\/\/[^/]+\/[^/]+(?=\/)/, '')
    .replace(/^\/?[a-z]:(?=\/|$)/i, '');
}

/** `~/..` is where the homes are, and what is above that the root. */
function aboveHome(path: string): string {
  return path.replace(/^~[^/]*\/+\.\.(\/+\.\.)?(?=\/|$)/, (_, further) => (further ? '/' : '/home'));
}

/** A path without empty parts, `.` and, as far as they stay inside of it, `..`. */
export function resolveDots(path: string): string {
  if (!TO_RESOLVE.test(path)) return path;
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const raw of path.split('/')) {
    const part = withoutWindowsTail(raw);
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  return (absolute ? '/' : '') + parts.join('/');
}

/** An empty part, one that ends like `.` or `..`, or a tail that Windows ignores. */
const TO_RESOLVE = /\/(?:\/|$)|[. ](?:\/|$)|::\$/;

/** Windows opens `.env.`, `.env ` and `.env::$DATA` as `.env`. */
function withoutWindowsTail(part: string): string {
  return /^\.*$/.test(part) ? part : part.replace(/::\$.*$/s, '').replace(/(?<![. ])[. ]+$/, '');
}

function withHome(path: string): string {
  return path
    .replace(/^(?:\.\.\/){2,}(?=(?:etc|proc|root|home|users|private)\/)/i, '/')
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/(?:root(?=\/)|cwd\/)/i, '')
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root$/i, '/')
    .replace(/^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/i, '')
    .replace(HOME, '~');
}

const HOME =
  /^(?:\$home|\$\{home\}|%home%|%userprofile%|\$env:(?:home|userprofile)|\/home\/[^/]+|\/users\/[^/]+|\/root|~[^/]*)(?=\/|$)/i;
