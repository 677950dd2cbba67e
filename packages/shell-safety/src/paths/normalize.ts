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
    normal = normalized(path);
    if (NORMAL.size === MOST_KEPT) NORMAL.clear();
    if (path.length < 256) NORMAL.set(path, normal);
  }
  return normal;
}

/** Each rule asks for the same path again. */
const NORMAL = new Map<string, string>();
const MOST_KEPT = 1024;

function normalized(path: string): string {
  const end = path.length > MAX_LENGTH ? path.slice(-MAX_LENGTH) : path;
  if (ORDINARY.test(end)) return withHome(end.startsWith('./') ? end.slice(2) : end).toLowerCase();
  const text = visible(decodePercent(end));
  const slashed = aboveHome(withoutPrefix(unquote(text.trim()).replaceAll('\\', '/')));
  return withHome(resolveDots(slashed)).toLowerCase();
}

/** Of plain letters, without empty or dotted parts: in its normal form but for its case, its home and a leading `./`. */
const ORDINARY = /^(?:~?\/|\.\/)?\.?[\w*-]+(?:\.[\w*-]+)*(?:\/\.?[\w*-]+(?:\.[\w*-]+)*)*$/;

/** Longer than any path that a system opens; of what is longer the end is what names the file. */
const MAX_LENGTH = 8192;

function decodePercent(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && ENCODED.test(decoded); round++) {
    decoded = decoded
      .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/(?:%[0-9a-f]{2})+/gi, decodeBytes);
  }
  return decoded;
}

const ENCODED = /%(?:u[0-9a-f]{4}|[0-9a-f]{2})/i;

/** As UTF-8; what is none, byte by byte. A decoder that throws would take most of the time for a text of such. */
function decodeBytes(encoded: string): string {
  const bytes = Array.from({ length: encoded.length / 3 }, (_, i) =>
    Number.parseInt(encoded.slice(i * 3 + 1, i * 3 + 3), 16),
  );
  const text =
    bytes.length > 1 && bytes.some((byte) => byte > 127) ? UTF_8.decode(Uint8Array.from(bytes)) : undefined;
  return text === undefined || text.includes('\ufffd')
    ? bytes.map((byte) => String.fromCharCode(byte)).join('')
    : text;
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a reader sees: compatibility forms folded (`．` is `.`), format and control characters gone. */
function visible(text: string): string {
  const end = text.indexOf('\0');
  const cut = end === -1 ? text : text.slice(0, end);
  return PLAIN.test(cut) ? cut : cut.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Mn}]/gu, '');
}

const PLAIN = /^[\x20-\x7e]*$/;

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

const PREFIX = /^(?:file:|\/\/|\/?[a-z]:)/i;

/** Without `file://host` (and the query and fragment of such an address), `\\?\`, `\\server\share` and a drive letter: what is left starts at the root. */
function withoutPrefix(path: string): string {
  if (!PREFIX.test(path)) return path;
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

function resolveDots(path: string): string {
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

/** Windows opens `.env.`, `.env ` and `.env::$DATA` as `.env`. */
function withoutWindowsTail(part: string): string {
  if (/^\.*$/.test(part)) return part;
  const stream = part.indexOf('::$');
  const end = stream === -1 ? part.length : stream;
  let last = end;
  while (last > 0 && (part[last - 1] === '.' || part[last - 1] === ' ')) last--;
  return part.slice(0, last);
}

function withHome(path: string): string {
  if (!FAR.test(path)) return path;
  return path
    .replace(/^(?:\.\.\/){2,}(?=(?:etc|proc|root|home|users|private)\/)/i, '/')
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/(?:root(?=\/)|cwd\/)/i, '')
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root$/i, '/')
    .replace(/^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/i, '')
    .replace(HOME, '~');
}

/** What leads out of the working folder in one of the ways that {@link withHome} knows. */
const FAR = /^(?:\.\.\/\.\.|[~$%]|\/(?:proc|private|home|users|root))/i;

const HOME =
  /^(?:\$home|\$\{home\}|%home%|%userprofile%|\$env:(?:home|userprofile)|\/home\/[^/]+|\/users\/[^/]+|\/root|~[^/]*)(?=\/|$)/i;
