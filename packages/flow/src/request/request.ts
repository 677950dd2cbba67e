import { isWritingVerb } from '../defaults.ts';
import { type Leaf, leavesOf } from '../leaves.ts';
import type { InputSchema } from '../schema.ts';
import type { Demand } from '../sinks.ts';
import { parsedJson } from '../sources.ts';
import { valuesOf } from '../values/value.ts';
import { wordsOf } from '../words.ts';
import {
  BEHIND_HOST,
  HOST_PARTS,
  hasName,
  isBody,
  isFieldOfBody,
  isInBody,
  isPartOf,
  isSentPart,
  QUERIES,
  saysSent,
  URL_PARTS,
  URLS,
} from './argument-names.ts';
import { isBareHost, isIpAddress, isLinkAsWhole, linksIn } from './links.ts';

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
  const target = targetOf(leaves);
  const writes = leaves.some((leaf) => asksToWrite(leaf, target.isLink));
  if (!target.isLink && !leaves.some(mayBeLink)) return { sent: [], writes };
  const parts = leaves.filter((leaf) => !schema.lists(leaf.path, leaf.value) && isSentTo(target, leaf));
  const harmless = constantsAmong(parts);
  const sent = parts
    .filter((leaf) => !harmless.includes(leaf))
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
  return { sent: [...target.links, ...sent], writes };
}

/** A leaf, and what stands in it where it is JSON: some tools take their options as a text. */
function withJson(leaf: Leaf): readonly Leaf[] {
  const parsed = parsedJson(leaf.value);
  return parsed === leaf.value ? [leaf] : [leaf, ...leavesOf(parsed, leaf.path)];
}

/** Where a request goes. */
interface Target {
  readonly links: readonly Demand[];
  /** Whether any argument is a link, as a whole or in pieces. */
  readonly isLink: boolean;
  /** Whether it is more than a host, in which a tool may look for something. */
  readonly isUrl: boolean;
  /** Whether an argument is a piece of a URL. */
  isPiece(leaf: Leaf): boolean;
}

function targetOf(leaves: readonly Leaf[]): Target {
  const links = leaves.flatMap(linksIn);
  const wholes = new Set(links.map(({ argument }) => argument));
  const isPiece = ({ path }: Leaf): boolean => isPartOf(path, URL_PARTS) && !wholes.has(path);
  const pieces = leaves.filter((leaf) => isSent(leaf.value) && isPiece(leaf));
  const isSplit =
    pieces.length + links.length > 1 &&
    pieces.some(({ path }) => links.length > 0 || isPartOf(path, HOST_PARTS));
  const isUrl = isSplit || leaves.some(isWholeUrl);
  return { links, isLink: links.length > 0 || isUrl || leaves.some(isIpAddress), isUrl, isPiece };
}

/** Whether a value may be a link without an argument that says so. What looks like a file may be a host: `x.zip`. */
function mayBeLink({ value }: Leaf): boolean {
  return typeof value === 'string' && isLinkAsWhole(value, true);
}

/** Whether an argument is a URL by its name or its value. A path of files has no host. */
function isWholeUrl({ path, value }: Leaf): boolean {
  if (isSent(value) && isPartOf(path, URLS) && !/^\s*[~./]/.test(String(value))) return true;
  return typeof value === 'string' && isLinkAsWhole(value) && !isBareHost(value);
}

/** Whether a server gets an argument. */
function isSentTo({ isLink, isUrl, isPiece }: Target, leaf: Leaf): boolean {
  const { path, value } = leaf;
  if (isSentPart(path)) return true;
  if (!isLink) return false;
  return (
    isPiece(leaf) ||
    isInBody(path) ||
    isSentBeside(leaf) ||
    isPartOf(path, BEHIND_HOST) ||
    (isUrl && isPartOf(path, QUERIES)) ||
    (typeof value === 'string' && STANDS_BEHIND_HOST.test(value))
  );
}

/** `/path`, `?query`, `name=value`. */
const STANDS_BEHIND_HOST = /^\s*(?:[\\/?&]|[\w.~-]{1,100}=)/;

/** Whether an argument is sent beside a link. A number beside a word such as `token` may be how many there are. */
function isSentBeside({ path, value }: Leaf): boolean {
  const [own = '', ...around] = path.split('.').reverse();
  return around.some(saysSent) || (typeof value === 'number' ? isSentPart(own) : saysSent(own));
}

/** The names of fields behind `params` or `headers` that the tool's schema does not have. */
function namesBehindPart(path: string, schema: InputSchema): readonly string[] {
  const fields = path.split('.');
  const part = fields.findIndex(
    (field) =>
      saysSent(field) ||
      isBody(field) ||
      [BEHIND_HOST, QUERIES, URL_PARTS].some((names) => hasName(field, names)),
  );
  return part === -1 ? [] : fields.slice(part + 1).filter((field) => !schema.hasName(field));
}

/** Whether a value says anything to a server. A switch says one bit. */
function isSent(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || value instanceof Date;
}

/** How a list of results is read on, and in which form. Who chooses among these says as little as who chooses among links. */
const PAGES = new Set('page per_page perPage page_size pageSize limit offset'.split(' '));
const SMALL = /^(?:\d|[1-9]\d|100)$/;
const FORMS = new Set('Accept accept Content-Type content-type'.split(' '));
const MEDIA_TYPE =
  /^(?:\*\/\*|application\/(?:json|xml|pdf|yaml)|text\/(?:html|plain|csv|markdown|xml))(?:; charset=utf-8)?$/;
/** Of more in one call, each may be a letter of something longer. */
const MOST_CONSTANTS = 2;

/** Those of the parts that say nothing to a server, as `page: 2` does. */
function constantsAmong(parts: readonly Leaf[]): readonly Leaf[] {
  const constants = parts.filter(isConstant);
  // Where the schema leaves names open, each is a leaf, too.
  const isItsName = ({ path, value }: Leaf): boolean =>
    constants.some((constant) => constant.path === `${path}.${String(value)}`);
  const all = [...constants, ...parts.filter(isItsName)];
  return constants.length <= MOST_CONSTANTS && all.length <= 2 * constants.length ? all : [];
}

/** Whether a field behind `params` or `headers` is one of a short list, and has one of a short list: `page: 2`. */
function isConstant({ path, value }: Leaf): boolean {
  const [name, part, ...around] = path.split('.').reverse();
  if (name === undefined || part === undefined || !saysSent(part) || around.some(saysSent)) return false;
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return (
    (PAGES.has(name) && SMALL.test(String(value))) || (FORMS.has(name) && MEDIA_TYPE.test(String(value)))
  );
}

/** Whether a value makes a call one that writes, whatever its tool is called. Without a link, `post` may be what to look for. */
function asksToWrite(leaf: Leaf, hasLink: boolean): boolean {
  const { path, value } = leaf;
  if (hasLink && path.split('.').some((field) => WRITING_METHOD.test(field))) return true;
  if (hasLink && isInBody(path) && (isSent(value) || isFieldOfBody(path))) return true;
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
