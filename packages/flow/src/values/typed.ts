/*
 * Values that have a form of their own, in a text: addresses, URLs, IBANs, telephone numbers. Each finder goes through the
 * text once, and looks at most a fixed number of characters to both sides.
 */

/** What a value is. Those without a form of their own are `text`. */
export type ValueKind = 'address' | 'url' | 'iban' | 'phone' | 'date' | 'number' | 'text';

/** A value in a text. */
export interface Found {
  readonly kind: 'address' | 'url' | 'iban' | 'phone';
  readonly start: number;
  readonly end: number;
  /** The same for all ways to write the value. */
  readonly key: string;
}

/** All values with a form of their own, in order, none within another. */
export function findTyped(text: string): readonly Found[] {
  const urls = findUrls(text);
  const found = [...urls, ...findAddresses(text), ...findIbans(text), ...findPhones(text)];
  // The longer of two that begin at one place, as a URL with an address in it.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const apart: Found[] = [];
  for (const one of found) if (one.start >= (apart.at(-1)?.end ?? 0)) apart.push(one);
  return apart;
}

/** The kind and key of a text that is one value as a whole. */
export function typedAs(text: string): Pick<Found, 'kind' | 'key'> | undefined {
  if (text.length > LONGEST_URL) return undefined;
  const iban = ibanKey(text);
  if (iban !== undefined) return { kind: 'iban', key: iban };
  const whole = findTyped(text).find(({ start, end }) => start === 0 && end === text.length);
  return whole && { kind: whole.kind, key: whole.key };
}

/** Lower case of what has no case. Of other scripts' letters, several have one lower case. */
export function lower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const ASCII = /^[\0-\x7f]*$/;

// Addresses

const NOT_IN_ADDRESS = /[\ufdd0\s<>()[\]{},;:"“”„«»\\|@`\p{Cf}\p{Cc}]/u;
const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 255;

function findAddresses(text: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start <= LONGEST_LOCAL && !NOT_IN_ADDRESS.test(text.charAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && end - at <= LONGEST_DOMAIN && /[\p{L}\p{M}\p{N}.-]/u.test(text.charAt(end)))
      end++;
    while (end > at && /[.-]/.test(text.charAt(end - 1))) end--;
    // A quotation mark around it, or an apostrophe in it.
    while (start < at && /['‘’*_]/.test(text.charAt(start))) start++;
    // Something invisible, or more of a name.
    if (/[\p{L}\p{M}\p{N}\p{Cf}@_/%+]/u.test(text.charAt(end))) continue;
    if (start === at || at - start > LONGEST_LOCAL || !text.slice(at + 1, end).includes('.')) continue;
    found.push({ kind: 'address', start, end, key: lower(text.slice(start, end)) });
  }
  return found;
}

// URLs

const LONGEST_URL = 4096;
const URL_START =
  /https?:\/\/|(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,20}:\/\/|(?<![\p{L}\p{N}@.-])(?:www\.|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[a-z]{2,24}(?![\p{Script=Latin}\p{N}_@-]|\.[\p{L}\p{N}])|\d{1,3}(?:\.\d{1,3}){3}(?=[:/]))/giu;

/** Ends of names that are hosts also where nothing else says so. */
const GENERIC = new Set(
  `com org net edu gov mil int info biz name pro app dev page site online store shop tech blog cloud xyz top club live
  news link click space website digital agency email media world today life wiki zone fun icu vip work art design ai io`.split(
    /\s+/,
  ),
);
/** Ends of names that are more often those of files or of code. */
export const FILES: ReadonlySet<string> = new Set(
  `ai app cab call cc cs data docs dot foo go js map md mm mov name next open pl properties ps pub py rb rs run sh so tab test
  ts vb zip`.split(/\s+/),
);

function findUrls(text: string): Found[] {
  const found: Found[] = [];
  URL_START.lastIndex = 0;
  for (const match of text.matchAll(URL_START)) {
    const start = match.index;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    // Scripts without spaces go on behind a host: `acme.com吧`.
    const host = start + match[0].length;
    const isHostOnly = /\.[a-z]+$/i.test(match[0]) && /^\p{L}/u.test(text.slice(host, host + 2));
    const end = isHostOnly ? host : sentenceEnd(text, start, endOfUrl(text, start));
    const written = text.slice(start, end);
    const key = urlKey(written);
    if (key === undefined || !isHost(match[0], written)) continue;
    found.push({ kind: 'url', start, end, key });
  }
  return found;
}

function isHost(begin: string, written: string): boolean {
  if (begin.endsWith('://') || /^www\./i.test(begin) || /^\d/.test(begin)) return true;
  const top = /\.([a-z]+)$/i.exec(begin)?.[1] ?? '';
  if (/[/?#:]/.test(written.slice(begin.length))) return top.length > 1;
  if (top !== top.toLowerCase() && top !== top.toUpperCase()) return false;
  const lowered = top.toLowerCase();
  return GENERIC.has(lowered) || (lowered.length === 2 && !FILES.has(lowered));
}

/** What ends no URL. */
const PLAIN = /[\w./?&=#%~+-]{1,4000}/y;

/** Where a URL ends: at a space or a quotation mark, without the punctuation of the sentence around it. */
function endOfUrl(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_URL);
  let open = 0;
  PLAIN.lastIndex = start;
  let end = PLAIN.test(text) ? PLAIN.lastIndex : start;
  while (end < limit && !/[\ufdd0\s<>"“”„«»`|\\^{}\p{Cc}]/u.test(text.charAt(end))) {
    const character = text.charAt(end);
    if (character === '(') open++;
    if (character === ')' && --open < 0) break;
    end++;
  }
  while (end > start && /[.,;:!?'’)\]*_…]/.test(text.charAt(end - 1))) {
    if (text.charAt(end - 1) === ')' && text.slice(start, end).includes('(')) break;
    end--;
  }
  return end;
}

/** Behind a host, a sentence, a possessive or what is behind a dash. Nothing in them may be a part of a longer host. */
const HOST_IN_SENTENCE =
  /^(?:[a-z]+:\/\/)?(?:[a-z\d-]+\.)+[a-z]{2,24}(?=(?:\.[A-Z][a-z]*|['’]s|[—–]\p{L}*)$)/u;

/** A host ends where a sentence goes on without a space before it: `www.example.com.They`, `example.com's`. */
function sentenceEnd(text: string, start: number, end: number): number {
  const host = HOST_IN_SENTENCE.exec(text.slice(start, end));
  return host ? start + host[0].length : end;
}

/**
 * A URL in the one form that the URL standard gives it. Without a scheme it begins with `//`. Undefined where programs
 * disagree about the host: with a backslash, a name and password, or an encoded character in it.
 */
function urlKey(written: string): string | undefined {
  // Most are a host as the standard writes it.
  if (PLAIN_HOST.test(written)) return `//${written}/`;
  const scheme = /^[a-z][a-z\d+.-]*:(?=\/\/)/i.exec(written)?.[0] ?? '';
  const rest = written.slice(scheme.length).replace(/^\/\//, '');
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(written) || /^[^/?#]*[%@]/.test(rest)) return `${lower(scheme)}//${rest}`;
  const parsed = URL.parse(`${scheme || 'https:'}//${rest}`);
  if (parsed === null) return undefined;
  return scheme === '' ? parsed.href.slice('https:'.length) : parsed.href;
}

const PLAIN_HOST = /^(?!xn--|.*\.xn--)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,24}$/;

/** Whether a URL in a trusted text is the one that an argument has. The text may leave out the scheme. */
export function isSameUrl(trusted: string, argument: string): boolean {
  if (trusted === argument) return true;
  const bare = (url: string): string => url.replace(/^https?:(?=\/\/)/, '');
  return (trusted.startsWith('//') || argument.startsWith('//')) && bare(trusted) === bare(argument);
}

// IBANs

/** As one word, or in groups of four. */
const IBAN =
  /(?<![\p{L}\p{N}])(?:[A-Z]{2}\d{2}[A-Z\d]{11,30}|[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?|[a-z]{2}\d{2}[a-z]{0,4}\d{10,26})(?![\p{L}\p{N}])/gu;

function findIbans(text: string): Found[] {
  return [...text.matchAll(IBAN)].map((match) => {
    const written = withoutAmount(match[0]);
    return {
      kind: 'iban',
      start: match.index,
      end: match.index + written.length,
      key: written.replaceAll(' ', '').toUpperCase(),
    };
  });
}

/** What is behind an IBAN in groups may look like one more: `BE68 5390 0754 7034 500 EUR`. Its check digits say where it ends. */
function withoutAmount(written: string): string {
  if (!written.includes(' ') || isIban(written)) return written;
  for (let end = written.lastIndexOf(' '); end > 0; end = written.lastIndexOf(' ', end - 1))
    if (isIban(written.slice(0, end))) return written.slice(0, end);
  return written;
}

/** Whether the check digits of an IBAN are right (ISO 7064, mod 97-10). */
export function isIban(written: string): boolean {
  const letters = written.replaceAll(' ', '').toUpperCase();
  if (letters.length < 15) return false;
  let rest = 0;
  for (const letter of letters.slice(4) + letters.slice(0, 4))
    for (const digit of String(Number.parseInt(letter, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/** Those that only people write so: with dashes, dots, slashes or underscores, with spaces anywhere, or in mixed case. */
export function findIbansInProse(text: string): Found[] {
  const groups =
    /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:(?:[-./_][A-Z\d]{4}){2,7}(?:[-./_][A-Z\d]{1,3})?|[A-Z]{0,4}\d{10,26})(?![\p{L}\p{N}])/giu;
  const found = [...text.matchAll(groups)].map((match) => ({ start: match.index, written: match[0] }));
  // With spaces anywhere: its check digits tell it from other words.
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])[A-Z]{2} ?\d{2}(?: ?[A-Z\d]){11,40}(?![\p{L}\p{N}])/giu,
  )) {
    const written = withoutAmount(match[0]);
    if (isIban(written)) found.push({ start: match.index, written });
  }
  return found.map(({ start, written }) => ({
    kind: 'iban',
    start,
    end: start + written.length,
    key: written.replace(/[-./_ ]/g, '').toUpperCase(),
  }));
}

function ibanKey(text: string): string | undefined {
  return /^[a-z]{2}\d{2}(?:[a-z\d]{11,30}|(?: [a-z\d]{4}){2,7}(?: [a-z\d]{1,3})?)$/i.test(text) &&
    /\d{6}/.test(text.replaceAll(' ', ''))
    ? text.replaceAll(' ', '').toUpperCase()
    : undefined;
}

// Telephone numbers

function findPhones(text: string): Found[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}])\+\d(?:[ ()./-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu)].map(
    (match) => ({
      kind: 'phone',
      start: match.index,
      end: match.index + match[0].length,
      // A zero in brackets is dialled within the country only.
      key: `+${match[0].replace('(0)', '').replace(/\D/g, '')}`,
    }),
  );
}

/** Letters that every text has in which a value stands, in lower case. Empty where that cannot be said. */
export function lettersOf({ kind, key }: Pick<Found, 'kind' | 'key'>): string {
  if (kind === 'address') return key;
  if (kind === 'iban') return lower(key.slice(0, 4));
  if (kind === 'phone') return '+';
  const host = /^[^/]*\/\/([^/?#:]*)/.exec(key)?.[1] ?? '';
  // Other letters, and numbers, have several forms.
  return /^[a-z\d.-]*[a-z][a-z\d.-]*$/.test(host) && !host.includes('xn--') ? host : '';
}
