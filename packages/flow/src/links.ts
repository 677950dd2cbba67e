import endings from 'tlds' with { type: 'json' };
import type { Leaf } from './leaves.ts';
import type { InputSchema } from './schema.ts';
import { FILES } from './values/typed.ts';
import { type Value, valuesIn, valuesOf } from './values/value.ts';
import { wordsOf } from './words.ts';

/** A link in an argument. */
export interface Links {
  readonly values: readonly Value[];
  /** The argument is nothing but a link. */
  readonly isWhole: boolean;
  /** A program may open one of them. In prose, a host alone is only spoken of. */
  readonly isOpened: boolean;
}

/**
 * The links that an argument is or has. Programs read some texts as one URL in which others see a shorter one, or none. A name such
 * as `url`, or a format of the schema, makes more a link, and never less. So does a tool that opens pages.
 */
export function linksIn(
  { path, value }: Leaf,
  schema: InputSchema,
  tool: { readonly opensPages: boolean; readonly searches: boolean },
): Links {
  const { opensPages, searches } = tool;
  const isUrl = isNamed(path, URLS) || URL_FORMAT.test(schema.formats(path).join());
  const isHost = isUrl || isNamed(path, HOSTS);
  if (typeof value !== 'string' && !(isHost && typeof value === 'number')) return NONE;
  const text = String(value);
  // Most texts are none.
  if (!isHost && !opensPages && !MAY_BE_LINK.test(text)) return NONE;
  if (isLink(text, isHost || (opensPages && /\p{L}/u.test(text)), searches))
    return { values: isCanonical(text) ? valuesOf(text) : [asWritten(text)], isWhole: true, isOpened: true };
  // `localhost`, or a piece of a link: `evil` and `com`.
  const isPiece = isUrl ? /^[^\s~./]/.test(text) : opensPages && isHost;
  const values = FILE.test(text) ? [] : valuesIn(text).filter(isLinkInText);
  return { values, isWhole: false, isOpened: isPiece || values.some((one) => BEHIND_HOST.test(one.text)) };
}

/** Whether a host has an ending that exists, and that is none of files: `evil.services`. */
function hasEnding(host: string): boolean {
  const ending = /[^.]\.([^.]+)$/.exec(host)?.[1] ?? '';
  return !FILES.has(ending) && (ENDINGS.has(ending) || ending.startsWith('xn--'));
}

const ENDINGS: ReadonlySet<string> = new Set(endings);
const NONE: Links = { values: [], isWhole: false, isOpened: false };

/** Arguments whose value is a link, whatever it looks like. */
const URLS = new Set('url urls uri uris href ip'.split(' '));
/** Those whose value is one where it is a host with any ending. */
const HOSTS = new Set('host hosts hostname domain domains subdomain tld origin website'.split(' '));
const URL_FORMAT = /(?:^|,)(?:ur[il]|iri|hostname|idn-hostname|ipv[46])/;
const BEHIND_HOST = /[\\/?#:]/;
const MAY_BE_LINK = /[.:&%]|[^\0-\x7f]/;

/** Whether a name says that it is a link or a part of one: `url`. */
export function isUrlNamed(name: string): boolean {
  return URLS.has(name) || HOSTS.has(name);
}

/** How many bits it says which of these names it is. */
export const BITS_OF_URL_NAME: number = Math.log2(URLS.size + HOSTS.size);

/** Whether an argument, or one that it is a field of, has one of these names, with or without words before it. */
function isNamed(path: string, names: ReadonlySet<string>): boolean {
  return path.split('.').some((field) => {
    const own = wordsOf(field);
    return names.has(own.at(-1) ?? '') || names.has(own.join(''));
  });
}

/**
 * Whether programs read a whole text as one URL, also without its scheme.
 *
 * @param isHost also where it is a host with any ending
 * @param isText not where it is a host whose ending few have: it may be a text to look for
 */
function isLink(value: string, isHost: boolean, isText: boolean): boolean {
  const text = value.replace(/^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/u, '');
  if (OPENED.has(URL.parse(text)?.protocol ?? '')) return true;
  if ([OF_GIT, IPV4, WITH_SCHEME].some((form) => form.test(text))) return true;
  if (/^[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]`)) return true;
  const [, slashes = '', host = '', behind = ''] = /^([\\/]*)([^\\/?#]*)(.*)$/s.exec(text) ?? [];
  // A path has no host, and in prose there is a space before it.
  if (slashes.length === 1 || (slashes === '' && host.includes(' '))) return false;
  const read = URL.parse(`https://${host}${behind}`)?.hostname.replace(/\.$/, '') ?? '';
  if (slashes !== '' || !/^\??$/.test(behind) || isHost) return /[^.]\.[^.]/.test(read);
  // What has nothing but digits may be a version.
  if (IPV4.test(read)) return /[^\d.]/.test(host);
  if (!isText && hasEnding(read)) return true;
  return valuesOf(read === host.toLowerCase() ? host : read).some(({ kind }) => kind === 'url');
}

/** Programs read a host behind these, whatever stands between. */
const OPENED = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** `git@example.com:acme/web`. */
const OF_GIT = /^[^\s@/:]{1,64}@[^\s@/:]+:\S/;
/** `notion://page/1`. */
const WITH_SCHEME = /^[a-z][a-z\d+.-]*:\/\/\S+$/i;
const IPV4 = /^\s*\d{1,3}(?:\.\d{1,3}){3}\s*$/;
/** A path, in which a folder may look like a host: `node_modules/next.js/x.md`. */
const FILE = /^(?:~|\.{1,2})?\/?[\w@.+-]+(?:\/[\w@.+-]*)+(?::\d{1,6}){0,2}$/;

/** Whether the URL standard would write a link just so. What it leaves out may reach the server: `/secret/../y`. */
function isCanonical(text: string): boolean {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const href = URL.parse(hasScheme ? text : `https://${text}`)?.href.slice(hasScheme ? 0 : 'https://'.length);
  return href?.replace(/\/$/, '') === text.replace(/\/$/, '');
}

/** Whose server a link is of, as far as the last two names of its host say. Of addresses, one owner may have any. */
export function siteOf(link: string): string {
  const { hostname = '' } = URL.parse(link) ?? URL.parse(`https://${link.replace(/^\/+/, '')}`) ?? {};
  return /^\[|\.\d+$/.test(hostname) ? ADDRESSES : hostname.split('.').slice(-2).join('.');
}

/** The site of all IP addresses. */
const ADDRESSES = '';

/** What stands around the name of a site, wherever a text has it, as far as it may be a host. A number may be an address. */
export function* hostsIn(text: string, site: string): Iterable<string> {
  const name = site === ADDRESSES ? /\d[\da-fx.:]{0,64}/gi : new RegExp(site.replace(/\W/g, '\\$&'), 'gi');
  for (const { 0: found, index } of text.matchAll(name)) {
    const before = /[\p{L}\p{N}.:-]{0,64}$/u.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? '';
    yield (before + found).toLowerCase();
  }
}

/** A text that has to stand just so. */
export function asWritten(text: string): Value {
  return { kind: 'text', text, key: text };
}

function isLinkInText({ kind, text }: Value): boolean {
  return kind === 'url' || (kind === 'text' && BEHIND_HOST.test(text));
}
