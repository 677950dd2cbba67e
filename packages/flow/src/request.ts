import { isWritingVerb } from './defaults.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import type { InputSchema } from './schema.ts';
import type { Demand } from './sinks.ts';
import { parsedJson } from './sources.ts';
import { type Value, valuesIn, valuesOf } from './values/value.ts';
import { SECRETS, wordsOf } from './words.ts';

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
export function requestOf(input: readonly Leaf[], schema: InputSchema): Request {
  const leaves = input.flatMap(withJson);
  const links = leaves.flatMap(linksIn);
  const isUrl = leaves.some(
    (leaf) =>
      isNamedLink(leaf) ||
      (typeof leaf.value === 'string' && isOpened(leaf.value) && !isBareHost(leaf.value)),
  );
  const opened = new Set(links.map(({ argument }) => argument));
  const isPiece = ({ path }: Leaf): boolean => namesPartOf(path, URL_PARTS) && !opened.has(path);
  const pieces = leaves.filter((leaf) => isSent(leaf.value) && isPiece(leaf));
  const isSplit =
    pieces.length + links.length > 1 &&
    pieces.some(({ path }) => links.length > 0 || namesPartOf(path, HOSTS));
  const hasLink = links.length > 0 || isSplit || isUrl || leaves.some(isComputer);
  const writes = leaves.some((leaf) => asksToWrite(leaf, hasLink));
  // What looks like a file may be a host: `x.zip`.
  if (!hasLink && !leaves.some(({ value }) => typeof value === 'string' && isOpened(value, true)))
    return { sent: [], writes };
  const isPart = (leaf: Leaf): boolean =>
    namesSent(leaf.path) ||
    (hasLink &&
      (isPiece(leaf) ||
        isInBody(leaf.path) ||
        isSentBeside(leaf) ||
        namesPartOf(leaf.path, BEHIND) ||
        ((isUrl || isSplit) && namesPartOf(leaf.path, QUERIES)) ||
        (typeof leaf.value === 'string' && BEHIND_HOST.test(leaf.value))));
  const parts = leaves.filter((leaf) => !schema.lists(leaf.path, leaf.value) && isPart(leaf));
  const constants = parts.filter(isConstant);
  // Where the schema leaves names open, each is a leaf, too.
  const isItsName = ({ path, value }: Leaf): boolean =>
    constants.some((constant) => constant.path === `${path}.${String(value)}`);
  const free = [...constants, ...parts.filter(isItsName)];
  const isFree = (leaf: Leaf): boolean =>
    constants.length <= MOST_CONSTANTS && free.length <= 2 * constants.length && free.includes(leaf);
  const sent = parts
    .filter((leaf) => !isFree(leaf))
    .map(
      ({ path, value }): Demand => ({
        argument: path,
        // A server gets the names of headers and parameters, too, whatever stands under them.
        values: [...namesBehindPart(path, schema), ...(isSent(value) ? [value] : [])].flatMap(valuesOf),
        // What was read is what a page may ask for.
        enough: 'anyCase',
      }),
    )
    .filter(({ values }) => values.length > 0);
  return { sent: [...links, ...sent], writes };
}

/** A leaf, and what stands in it where it is JSON: some tools take their options as a text. */
function withJson(leaf: Leaf): readonly Leaf[] {
  const parsed = parsedJson(leaf.value);
  return parsed === leaf.value ? [leaf] : [leaf, ...leavesOf(parsed, leaf.path)];
}

/** Arguments that are sent beside a link, whatever it is. */
const SENT = new Set(
  `header headers cookie cookies param params parameter parameters variables auth authorization bearer token username
  password useragent referer referrer`.split(/\s+/),
);
/** The same in one word with others: `httpheaders`. */
const SENT_AT_END = /(?:headers?|cookies?|params?|parameters?|variables)$/;
/** The body of a request. What has one is no `GET`. */
const BODIES = new Set('body data json form payload multipart'.split(' '));
/** What stands behind the host of a URL. */
const BEHIND = new Set('fragment hash segments endpoint route querystring qs'.split(' '));
/** The same, but beside a host alone these are what is looked for. */
const QUERIES = new Set('query search q'.split(' '));
/** The parts of a URL as standards name them. Two of them are a URL in pieces. */
const URL_PARTS = new Set(
  'protocol scheme host hostname origin subdomain domain tld port path pathname'.split(' '),
);
const HOSTS = new Set('host hostname origin subdomain tld'.split(' '));
/** Arguments that are a link where what they have is a host in any form, and those that are one whatever they have. */
const LINKS = new Set('url urls uri uris href ip host hosts hostname domain domains website'.split(' '));
const URLS = new Set('url urls uri uris href ip'.split(' '));

/** How a list of results is read on, and in which form. Who chooses among these says as little as who chooses among links. */
const PAGES = new Set('page per_page perPage page_size pageSize limit offset'.split(' '));
const SMALL = /^(?:\d|[1-9]\d|100)$/;
const FORMS = new Set('Accept accept Content-Type content-type'.split(' '));
const MEDIA_TYPE =
  /^(?:\*\/\*|application\/(?:json|xml|pdf|yaml)|text\/(?:html|plain|csv|markdown|xml))(?:; charset=utf-8)?$/;
/** Of more in one call, each may be a letter of something longer. */
const MOST_CONSTANTS = 2;

/** Whether a field behind `params` or `headers` is one of a short list, and has one of a short list: `page: 2`. */
function isConstant({ path, value }: Leaf): boolean {
  const [name, part, ...around] = path.split('.').reverse();
  if (name === undefined || part === undefined || !isSentName(part) || around.some(isSentName)) return false;
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return (
    (PAGES.has(name) && SMALL.test(String(value))) || (FORMS.has(name) && MEDIA_TYPE.test(String(value)))
  );
}

/** Whether a value is the address of a computer. By itself it carries nothing. */
function isComputer({ value }: Leaf): boolean {
  return typeof value === 'string' && /^\s*\d{1,3}(?:\.\d{1,3}){3}\s*$/.test(value);
}

/** Whether an argument says of itself that it is a link. A path of files has no host. */
function isNamedLink({ path, value }: Leaf): boolean {
  return isSent(value) && namesPartOf(path, URLS) && !/^\s*[~./]/.test(String(value));
}

/** Whether an argument is sent beside a link. A number beside a word such as `token` may be how many there are. */
function isSentBeside({ path, value }: Leaf): boolean {
  const [own = '', ...around] = path.split('.').reverse();
  return around.some(isSentName) || (typeof value === 'number' ? namesSent(own) : isSentName(own));
}

function namesSent(path: string): boolean {
  return path.split('.').some((field) => isNamed(field, SENT) || endsAsSent(field));
}

function isSentName(field: string): boolean {
  return namesSent(field) || wordsOf(field).some((word) => SENT.has(word) || SECRETS.has(word));
}

function endsAsSent(field: string): boolean {
  return SENT_AT_END.test(wordsOf(field).at(-1) ?? '');
}

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
  const part = fields.findIndex(
    (field) =>
      isSentName(field) ||
      isBody(field) ||
      [BEHIND, QUERIES, URL_PARTS].some((names) => isNamed(field, names)),
  );
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
  if (hasLink && isInBody(path) && (isSent(value) || isBelowBody(path))) return true;
  if (typeof value !== 'string') return false;
  if (isMutation(leaf)) return true;
  if (METHODS.has(wordsOf(path).at(-1) ?? ''))
    return wordsOf(value).some(isWritingVerb) || (hasLink && !READING_METHOD.test(value));
  // A longer text may be about such a word.
  if (!hasLink || value.trim().split(/\s+/).length > MOST_WORDS) return false;
  return WRITING_METHOD.test(value) || NAMED_METHOD.test(value);
}

function isInBody(path: string): boolean {
  return path.split('.').some(isBody);
}

/** Whether a field of the body stands there: its name is sent, whatever stands under it. */
function isBelowBody(path: string): boolean {
  return path.split('.').slice(0, -1).some(isBody);
}

/** `body_text`, `payloadBase64`. */
function isBody(field: string): boolean {
  return isNamed(field, BODIES) || wordsOf(field).some((word) => word === 'body' || word === 'payload');
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
  const isHost = namesPartOf(argument, LINKS);
  if (typeof value !== 'string' && !(isHost && typeof value === 'number')) return [];
  const text = String(value);
  const values = isOpened(text, isHost)
    ? valuesOf(value)
    : FILE.test(text)
      ? []
      : valuesIn(text).filter(isLink);
  return values.length > 0 ? [{ argument, values, enough: 'seen' }] : [];
}

/** Whether a text is one URL for programs, also without its scheme. `isHost`: also where it is nothing but a host. */
function isOpened(value: string, isHost = false): boolean {
  const text = value.replace(/^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/u, '');
  if (OPENED.has(URL.parse(text)?.protocol ?? '') || OF_GIT.test(text)) return true;
  const [, slashes = '', host = '', behind = ''] = /^([\\/]*)([^\\/?#]*)(.*)$/s.exec(text) ?? [];
  // A path has no host, and in prose there is a space before it.
  if (slashes.length === 1 || (slashes === '' && host.includes(' '))) return false;
  if (slashes === '' && !isHost && /^\??$/.test(behind)) return false;
  return /[^.]\.[^.]/.test(URL.parse(`https://${host}${behind}`)?.hostname ?? '');
}

/** `git@example.com:acme/web`. */
const OF_GIT = /^[^\s@/:]{1,64}@[^\s@/:]+:\S/;

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
