import { isWritingVerb } from './defaults.ts';
import type { Leaf } from './leaves.ts';
import type { InputSchema } from './schema.ts';
import type { Demand } from './sinks.ts';
import { type Value, valuesIn, valuesOf } from './values/value.ts';
import { wordsOf } from './words.ts';

/** What a tool that only reads sends, and whether it writes with that. */
export interface Request {
  readonly sent: readonly Demand[];
  readonly writes: boolean;
}

/**
 * Reads the arguments of a tool that only reads as a request. The tool may open the links that stand in what was read. What it sends
 * with them, in a path, a query, a header or a cookie, has to be the user's. A request that has a body, a method that writes or a
 * mutation does not only read.
 */
export function requestOf(leaves: readonly Leaf[], schema: InputSchema): Request {
  const links = leaves.flatMap(linksIn);
  const isUrl = leaves.some(
    ({ value }) => typeof value === 'string' && isOpened(value) && !isBareHost(value),
  );
  const opened = new Set(links.map(({ argument }) => argument));
  const isPiece = ({ path, value }: Leaf): boolean =>
    isSent(value) && namesPartOf(path, URL_PARTS) && !opened.has(path);
  const pieces = leaves.filter(isPiece);
  const isSplit =
    pieces.length + links.length > 1 &&
    pieces.some(({ path }) => links.length > 0 || namesPartOf(path, HOSTS));
  const hasLink = links.length > 0 || isSplit;
  const writes = leaves.some((leaf) => asksToWrite(leaf, hasLink));
  if (!hasLink) return { sent: [], writes };
  const isPart = (leaf: Leaf): boolean =>
    isPiece(leaf) ||
    namesPartOf(leaf.path, SENT) ||
    ((isUrl || isSplit) && namesPartOf(leaf.path, BEHIND)) ||
    (typeof leaf.value === 'string' && BEHIND_HOST.test(leaf.value));
  const sent = leaves
    .filter((leaf) => isSent(leaf.value) && !schema.lists(leaf.path, leaf.value) && isPart(leaf))
    .map(
      ({ path, value }): Demand => ({
        argument: path,
        // A server gets the names of headers and parameters, too.
        values: [...namesBehindPart(path, schema), value].flatMap(valuesOf),
        // What was read is what a page may ask for.
        enough: 'anyCase',
      }),
    );
  return { sent: [...links, ...sent], writes };
}

/** Arguments that are sent beside a link, whatever it is. */
const SENT = new Set(
  `header headers cookie cookies param params parameter parameters variables auth authorization token username password
  useragent referer referrer`.split(/\s+/),
);
/** The body of a request. What has one is no `GET`. */
const BODIES = new Set('body data json form payload multipart'.split(' '));
/** What stands behind the host of a URL. A query beside a host alone is what is looked for. */
const BEHIND = new Set('query search querystring q qs fragment hash segments endpoint route'.split(' '));
/** The parts of a URL as standards name them. Two of them are a URL in pieces. */
const URL_PARTS = new Set(
  'protocol scheme host hostname origin subdomain domain tld port path pathname'.split(' '),
);
const HOSTS = new Set('host hostname origin subdomain tld'.split(' '));

/** Whether an argument, or what it is a field of, is called so: `queryParams`, `options.headers.accept`. */
function namesPartOf(path: string, names: ReadonlySet<string>): boolean {
  return path.split('.').some((field) => isNamed(field, names));
}

function isNamed(field: string, names: ReadonlySet<string>): boolean {
  const words = wordsOf(field);
  return names.has(words.at(-1) ?? '') || names.has(words.join(''));
}

/** The names of fields behind `params` or `headers` that the tool's schema does not have. */
function namesBehindPart(path: string, schema: InputSchema): readonly string[] {
  const fields = path.split('.');
  const part = fields.findIndex((field) => isNamed(field, SENT) || isNamed(field, BEHIND));
  return part === -1 ? [] : fields.slice(part + 1).filter((field) => !schema.hasName(field));
}

/** Whether a value says anything to a server. A switch says one bit. */
function isSent(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || value instanceof Date;
}

/** Whether a value makes a call one that writes, whatever its tool is called. Without a link, `post` may be what to look for. */
function asksToWrite(leaf: Leaf, hasLink: boolean): boolean {
  const { path, value } = leaf;
  if (hasLink && path.split('.').some((field) => WRITING_METHOD.test(field))) return true;
  if (hasLink && isSent(value) && namesPartOf(path, BODIES)) return true;
  if (typeof value !== 'string') return false;
  if (isMutation(leaf)) return true;
  if (METHODS.has(wordsOf(path).at(-1) ?? ''))
    return wordsOf(value).some(isWritingVerb) || (hasLink && !READING_METHOD.test(value));
  // A longer text may be about such a word.
  if (!hasLink || value.trim().split(/\s+/).length > MOST_WORDS) return false;
  return WRITING_METHOD.test(value) || NAMED_METHOD.test(value);
}

/** Names of arguments that say what is done. */
const METHODS = new Set(['method', 'verb', 'operation', 'op', 'action']);
const READING_METHOD = /^\s*(?:get|head|options|trace|propfind|report|search|query)?\s*$/i;
const WRITING_METHOD = /^\s*(?:post|put|patch|delete)\s*$/i;
/** `GET,POST`, `-X POST`. */
const NAMED_METHOD = /(?<![\p{L}\p{N}])(?:POST|PUT|PATCH|DELETE)(?![\p{L}\p{N}])/u;
const MOST_WORDS = 5;
/** Whether a value is what GraphQL calls an operation that writes. Comments may stand before its bracket. */
export function isMutation({ value }: Leaf): boolean {
  if (typeof value !== 'string') return false;
  const at = value.search(/(?<![\p{L}\p{N}_])mutation(?![\p{L}\p{N}_])/u);
  return at !== -1 && value.includes('{', at);
}

/** The links that a text has, or is. Programs read some texts as one URL in which others see a shorter one, or none. */
function linksIn({ path: argument, value }: Leaf): readonly Demand[] {
  if (typeof value !== 'string') return [];
  const values = isOpened(value) ? valuesOf(value) : FILE.test(value) ? [] : valuesIn(value).filter(isLink);
  return values.length > 0 ? [{ argument, values, enough: 'seen' }] : [];
}

/** Whether a text is one URL for programs, also without its scheme. */
function isOpened(value: string): boolean {
  const text = value.replace(/^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/u, '');
  if (OPENED.has(URL.parse(text)?.protocol ?? '')) return true;
  const [, slashes = '', host = '', behind = ''] = /^([\\/]*)([^\\/?#]*)(.*)$/s.exec(text) ?? [];
  // A path has no host, and in prose there is a space before it.
  if (slashes.length === 1 || (slashes === '' && (host.includes(' ') || /^\??$/.test(behind)))) return false;
  return /[^.]\.[^.]/.test(URL.parse(`https://${host}${behind}`)?.hostname ?? '');
}

/** Whether a URL has no scheme, and nothing behind its host. */
function isBareHost(url: string): boolean {
  return !/[\\/?#:]/.test(url.trim());
}

/** Of these, programs read a host behind anything. */
const OPENED = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** A path, in which a folder may look like a host: `node_modules/next.js/x.md`. */
const FILE = /^(?:~|\.{1,2})?\/?[\w@.+-]+(?:\/[\w@.+-]*)+(?::\d{1,6}){0,2}$/;
const BEHIND_HOST = /^\s*(?:[\\/?&]|[\w.~-]{1,100}=)/;

/** Whether a value is a link. A bare host or address carries nothing. */
function isLink({ kind, text }: Value): boolean {
  return kind === 'url' || (kind === 'text' && /[\\/:?#]/.test(text));
}
