import { countrySpecs, isValidIBAN } from 'ibantools';

/** A kind of personal data that {@link findPii} finds. */
export type PiiKind = 'email' | 'phone' | 'card' | 'iban' | 'ip';

/** How to find a kind, and how to mask it. */
export interface PiiRule {
  readonly kind: PiiKind;
  /** Global. Every quantifier is bounded. */
  readonly pattern: RegExp;
  /** The valid part of a match, or undefined. */
  readonly accept: (match: string) => string | undefined;
  /** The masked value, still recognizable for a person. */
  readonly mask: (value: string) => string;
}

const maskDigits = (value: string, left: number): string => {
  let digits = value.replace(/\D/g, '').length;
  return value.replace(/\d/g, (digit) => (digits-- > left ? '*' : digit));
};

/** Letters of the scripts that are written with spaces: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, those of India. */
const SPACED = '\\u00c0-\\u024f\\u0370-\\u0dff\\u1e00-\\u1fff';
/** Letters of those without: Thai, Lao, Japanese, Chinese, and Korean, whose particles stand behind a name. */
const UNSPACED = '\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af';

const LOCAL = `\\w.+%${SPACED}-`;
const LABEL = `[a-z\\d${SPACED}${UNSPACED}]`;

/** Also as a URL has it, and one in a URL. */
const AT = '(?:@|%(?:25){0,2}40)';

/**
 * An address ends where its last label does, whatever comes then (`ann@acme.dev_old`). In front of it, letters of a script
 * without spaces are prose, unless the whole name is of such letters.
 */
const EMAIL = new RegExp(
  `(?:(?<![${LOCAL}])[${LOCAL}]{1,64}|(?<![${UNSPACED}])[${UNSPACED}]{1,64})${AT}` +
    `(?:${LABEL}(?:[a-z\\d${SPACED}${UNSPACED}-]{0,61}${LABEL})?\\.){1,8}` +
    `(?:[a-z]{2,24}(?![a-z])|[${SPACED}${UNSPACED}][a-z${SPACED}${UNSPACED}]{1,23})`,
  'gi',
);

/** In the order of matching: a card number is not a phone number. */
export const PII_RULES: readonly PiiRule[] = [
  {
    kind: 'email',
    pattern: EMAIL,
    // Not email addresses: the `git@` account of git hosts, and images for dense screens like `logo@2x.png`.
    accept: (match) =>
      /^git(?:@|%40)|\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i.test(match) ? undefined : match,
    mask: (value) => value.replace(/^(.).*?(@|%(?:25){0,2}40)(?!.*@)/su, '$1***$2'),
  },
  {
    kind: 'iban',
    pattern: /(?<![A-Z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}/gi,
    accept: ibanIn,
    mask: (value) => `${value.slice(0, 2)}** **** ${value.replaceAll(' ', '').slice(-4)}`,
  },
  {
    kind: 'card',
    // In one piece, or in groups with a space (also one that does not break), a hyphen or a dot between them. Hashes and
    // UUIDs contain such numbers by chance. There, hexadecimal letters and more digits are next to them.
    pattern:
      /(?<![\d.]|\d-|\d[a-f]{1,8}-?)(?:\d{4}([ \u00a0\u202f.-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \u00a0\u202f.-])\d{6}\2\d{4,5}|\d{13,19})(?![.-]?\d|[a-f]{1,8}-?\d)/gi,
    accept: (match) => (isCard(match.replace(/\D/g, '')) ? match : undefined),
    mask: (value) => maskDigits(value, 4),
  },
  {
    kind: 'ip',
    // A colon before it may end a label, as in `addr:203.0.113.7`; a hyphen after it may be that of a range.
    pattern:
      /(?:(?<![a-z\d.]|[a-z\d]_{1,2})\d{1,3}(?:\.\d{1,3}){3}(?!\.?[a-z\d]|_{1,2}[a-z\d]|-(?!\d{1,3}(?:\.\d{1,3}){3})\w)|(?<![a-z\d.]|[a-z\d]_{1,2}|(?<![g-z]):)[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![a-z\d:]|_{1,2}[a-z\d]))/gi,
    accept: addressIn,
    mask: (value) => value.replace(/^([\da-f]*[.:]).*$/i, '$1***'),
  },
  {
    kind: 'phone',
    pattern:
      // The coordinates of an SVG path, `M 100 300 400 2000`, are next to other numbers. A number with a country code may
      // follow another one directly.
      /(?:(?<![A-Za-z\d+.-]|[A-Za-z\d]_{1,2})|(?=\+)(?<=(?:\d[ ().-]{0,2}){7}))(?:\+[1-9](?:[ ().-]{0,2}\d){6,14}|\([2-9]\d\d\) ?[2-9]\d\d[-. ]\d{4}|(?<!(?<!\d{3})\d[ ,])[2-9]\d\d[-.][2-9]\d\d[-.]\d{4}|(?<!\d[ ,])[2-9]\d\d[-. ][2-9]\d\d[-. ]\d{4}(?![ ,]-?\.?\d))(?![A-Za-z\d-]|_{1,2}[A-Za-z\d]|\.\d)/g,
    accept: (match) => match,
    mask: (value) => maskDigits(value, 2),
  },
];

/** Whether the rule of a placeholder is a kind of personal data. */
export function isPiiKind(rule: string): boolean {
  return PII_RULES.some(({ kind }) => kind === rule);
}

/** ISO 13616: the length for the country, and a valid checksum. Excludes following words. */
function ibanIn(match: string): string | undefined {
  const length = countrySpecs[match.slice(0, 2).toUpperCase()]?.chars;
  if (length === undefined || length === null) return undefined;
  let end = 0;
  for (let count = 0; count < length; end++) {
    if (end === match.length) return undefined;
    if (match[end] !== ' ') count++;
  }
  const value = match.slice(0, end);
  const iban = value.toUpperCase();
  // A hash may begin like one.
  if (value !== iban && /[a-z\d]/i.test(match.charAt(end))) return undefined;
  return isValidIBAN(iban.replaceAll(' ', '')) ? value : undefined;
}

/** ISO 7812: a known brand and a valid Luhn checksum. */
function isCard(digits: string): boolean {
  if (!BRANDS.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i)) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay, Maestro. */
const BRANDS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:5018|5020|5038|6304|6759|676[1-3])\d{8,15})$/;

/** An IP address, without the colon of a text that goes on after it. */
function addressIn(match: string): string | undefined {
  const text = match.replace(/(?<!:):$/, '');
  return isAddress(text) ? text : undefined;
}

/** An IP address that is neither a version number nor this machine. */
function isAddress(text: string): boolean {
  if (PRIVATE.test(text)) return false;
  return IP_V4.test(text) || (text.split(':').length > 3 && URL.canParse(`http://[${text}]`));
}

/** This machine, the link and private networks: such an address names no person. */
const PRIVATE =
  /^(?:127\.|0\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|255\.255\.255\.255$|::1?$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/i;
const IP_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
