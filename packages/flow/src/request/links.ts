import type { Leaf } from '../leaves.ts';
import type { Demand } from '../sinks.ts';
import { type Value, valuesIn, valuesOf } from '../values/value.ts';
import { isPartOf, LINKS } from './argument-names.ts';

/** The links that a text has, or is. Programs read some texts as one URL in which others see a shorter one, or none. */
export function linksIn({ path: argument, value }: Leaf): readonly Demand[] {
  const isHost = isPartOf(argument, LINKS);
  if (typeof value !== 'string' && !(isHost && typeof value === 'number')) return [];
  const text = String(value);
  const values = isLinkAsWhole(text, isHost)
    ? valuesOf(value)
    : FILE.test(text)
      ? []
      : valuesIn(text).filter(isLink);
  return values.length > 0 ? [{ argument, values, enough: 'seen' }] : [];
}

/** Whether programs read a whole text as one URL, also without its scheme. `isHost`: also where it is nothing but a host. */
export function isLinkAsWhole(value: string, isHost = false): boolean {
  const text = value.replace(/^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/u, '');
  if (OPENED.has(URL.parse(text)?.protocol ?? '') || OF_GIT.test(text)) return true;
  const [, slashes = '', host = '', behind = ''] = /^([\\/]*)([^\\/?#]*)(.*)$/s.exec(text) ?? [];
  // A path has no host, and in prose there is a space before it.
  if (slashes.length === 1 || (slashes === '' && host.includes(' '))) return false;
  if (slashes === '' && !isHost && /^\??$/.test(behind)) return false;
  return /[^.]\.[^.]/.test(URL.parse(`https://${host}${behind}`)?.hostname ?? '');
}

/** Whether a URL has no scheme, and nothing behind its host. */
export function isBareHost(url: string): boolean {
  return !/[\\/?#:]/.test(url.trim());
}

/** Whether a value is the address of a computer. By itself it carries nothing. */
export function isIpAddress({ value }: Leaf): boolean {
  return typeof value === 'string' && /^\s*\d{1,3}(?:\.\d{1,3}){3}\s*$/.test(value);
}

/** Programs read a host behind these, whatever stands between. */
const OPENED = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** `git@example.com:acme/web`. */
const OF_GIT = /^[^\s@/:]{1,64}@[^\s@/:]+:\S/;
/** A path, in which a folder may look like a host: `node_modules/next.js/x.md`. */
const FILE = /^(?:~|\.{1,2})?\/?[\w@.+-]+(?:\/[\w@.+-]*)+(?::\d{1,6}){0,2}$/;

/** Whether a value is a link. A bare host or address carries nothing. */
function isLink({ kind, text }: Value): boolean {
  return kind === 'url' || (kind === 'text' && /[\\/:?#]/.test(text));
}
