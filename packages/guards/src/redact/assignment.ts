import { kindOfName, type NamedKind } from './name.ts';
import { PLACEHOLDER_LIKE } from './own-placeholder.ts';
import { looksMade, madeIn } from './placeholder.ts';
import { looksRandom } from './randomness.ts';
import type { FindSecretsOptions } from './rule.ts';
import { runEnds, runOf } from './run.ts';
import { HOLE, lookThrough, TEMPLATE, withoutHoles, withoutTemplates } from './template.ts';
import { isSecret, type NamedValue, ODD } from './value.ts';

/** A secret that only its name reveals: `api_key = …`. */
export interface Named extends Span {
  readonly id: NamedKind['id'];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface ReadValue extends NamedValue, Span {}

interface TextAt {
  readonly text: string;
  readonly start: number;
}

/** Stems of the relevant names, found in one pass over the text. */
const STEM = /pass|pwd|secret|token|key|auth|cred|psk|bearer|jwt|salt|(?<![a-z])pat(?![a-z])/gi;

const NAME_CHAR = /[\w.$-]/;
const LONGEST_NAME = 80;

/**
 * Limit of values that begin inside one another (`key=key=key=…`). Beyond it, the rest counts as a secret without a
 * check, because each check reads the rest again. Only a malicious text has more.
 */
const MOST_NESTED = 6;

/** Every value in the text that has a secret's name and looks like a secret. */
export function namedSecrets(text: string, options: FindSecretsOptions = {}): readonly Named[] {
  const found: Named[] = [];
  const valueAfter = valuesOf(text);
  let phrased = 0;
  STEM.lastIndex = 0;
  let end = 0;
  let reach = 0;
  let nested = 0;
  for (let hit = STEM.exec(text); hit !== null; hit = STEM.exec(text)) {
    const from = STEM.lastIndex;
    if (hit.index < end) continue;
    let start = hit.index;
    while (start > 0 && hit.index - start < LONGEST_NAME && NAME_CHAR.test(text.charAt(start - 1))) start--;
    end = from;
    while (end < text.length && end - from < LONGEST_NAME && NAME_CHAR.test(text.charAt(end))) end++;
    STEM.lastIndex = end;
    const name = text.slice(start, end);
    const kind = kindOfName(name, wordBefore(text, start));
    if (!kind) continue;
    const join = joinAfter(text, end);
    if (join === undefined) continue;
    const phrase = start < phrased ? undefined : phraseAfter(text, join);
    if (phrase !== undefined) {
      phrased = phrase.start + phrase.text.length;
      found.push(...wordsIn(kind, phrase, options));
    }
    const wrapped = wrappedAfter(text, name, join);
    if (wrapped !== undefined && isSecret(kind, wrapped, options)) found.push({ id: kind.id, ...wrapped });
    const value = valueAfter(name, end, join);
    if (value === undefined) continue;
    nested = value.start < reach ? nested + 1 : 0;
    reach = Math.max(reach, value.end);
    const tooMany = nested > MOST_NESTED;
    for (const span of secretsIn(kind, value, options, tooMany)) found.push({ id: kind.id, ...span });
    if (tooMany) STEM.lastIndex = end = reach;
  }
  return found;
}

function secretsIn(
  kind: NamedKind,
  value: ReadValue,
  options: FindSecretsOptions,
  always: boolean,
): readonly Span[] {
  const { text, start, end } = value;
  if (always || !text.includes(HOLE)) return always || isSecret(kind, value, options) ? [{ start, end }] : [];
  return partsAround(kind, value, options);
}

/** The words of a phrase that look like secrets. */
function wordsIn(
  kind: NamedKind,
  { text: phrase, start }: TextAt,
  options: FindSecretsOptions,
): readonly Named[] {
  return Array.from(phrase.matchAll(WORD), ({ 0: text, index }) => ({ text, at: start + index }))
    .filter(
      ({ text }) => looksRandom(text) && isSecret(kind, { text, quoted: true, joined: 'sign' }, options),
    )
    .map(({ text, at }) => ({ id: kind.id, start: at, end: at + text.length }));
}

const WORD = /(?<!\\)[\w+/=-]{16,}/g;

/** Each hole in a value, and each secret beside one. Judged by itself, since more often it is a part of a name. */
function partsAround(
  kind: NamedKind,
  value: NamedValue & Pick<Span, 'start'>,
  options: FindSecretsOptions,
): readonly Span[] {
  return Array.from(value.text.matchAll(PARTS), ({ 0: text, index }) => ({
    text,
    start: value.start + index,
    end: value.start + index + text.length,
  })).filter(({ text }) => text === HOLE || (looksMade(text) && isSecret(kind, { ...value, text }, options)));
}

const PARTS = new RegExp(`${HOLE}|[^${HOLE}]+`, 'g');

/** The kind of secret that `value` is in a field called `name`, or undefined. The same check for objects. */
export function kindOfNamed(
  name: string,
  value: string,
  options: FindSecretsOptions = {},
): Named['id'] | undefined {
  if (value.length > LONGEST_VALUE) return undefined;
  const kind = kindOfName(name);
  if (kind === undefined) return undefined;
  const as = { quoted: true, joined: 'sign' } as const;
  if (!NO_VALUE.test(value) && isSecret(kind, { ...as, text: value }, options)) return kind.id;
  const isBeside = lookThrough(withoutHoles(value)).some(
    ({ text, partsOf }) =>
      !NO_VALUE.test(text) &&
      partsAround(kind, { ...as, text, start: 0 }, options).some(({ start, end }) =>
        partsOf(start, end).some((part) => madeIn(part).length > 0),
      ),
  );
  return isBeside ? kind.id : undefined;
}

/** The words that are secrets in a field called `name`, whose value has spaces in it. */
export function wordsOfNamed(name: string, value: string, options: FindSecretsOptions): readonly Named[] {
  const kind = value.length > LONGEST_VALUE ? undefined : kindOfName(name);
  return kind === undefined ? [] : wordsIn(kind, { text: value, start: 0 }, options);
}

function wordBefore(text: string, start: number): string {
  return matchAt(WORD_BEFORE, text, start)?.[1] ?? '';
}

const WORD_BEFORE = /(?<=([A-Za-z]{2,20}) )/y;

/** A quote, even in JSON within JSON within JSON. Each level doubles the backslashes and adds one. */
const QUOTE = '\\\\{0,7}["\'`]';
const TYPE =
  "(?:(?:[ \\t]{0,3}:)?[ \\t]{0,3}[A-Za-z&][\\w.<>|?&' ]{0,24}(?=[ \\t]{1,3}:?=[ \\t]|[ \\t]{0,3}:?=[ \\t]{0,3}[\"'`]))?";
const OPERATOR = '=>|::?=|\\?=|\\|\\|=?|\\||={1,3}|:|>|\\(|,';
/** `process.env.X ?? `, `os.environ.get("X", `. */
const FALLBACK =
  '(?:[\\w.$[\\]()"\'-]{1,80}[ \\t]{1,3}(?:\\?\\?|\\|\\||or)[ \\t]{1,3}|[\\w.:$]{1,60}\\(["\'`]?[\\w.-]{1,80}["\'`]?,[ \\t]{0,3})?';
/** A value in its own field: `name: X, value: …`, `{ "x": { "value": … } }`, `variable "x" { default = … }`. */
const FIELD = `\\s{0,40}(?:[:,]\\s{0,20})?(?:\\{\\s{0,40})?(?:${QUOTE})?(?:value|default|string)(?:${QUOTE})?[ \\t]{0,3}[:=][ \\t]{0,3}`;
/** A block scalar of YAML: `|`, a new line and its indentation. */
const BLOCK = '[ \\t]{1,4}[|>][-+\\d]{0,2}[ \\t]{0,4}\\r?\\n[ \\t]{1,40}';
const PLIST = '</key>\\s{0,40}<string>';
const PROSE = '[ \\t]{1,4}(?:(?:for|of|to) [\\w.@-]{1,40}(?: ?:| (?:is|was)[ :])|(?:is|was)[ :])[ \\t]{0,4}';

/**
 * The separators of a name and its value: `=`, `: `, `:=`, `=>`, `" : "`, `': string = '`, `>`, `("`, ` is `, a
 * separate field, or a space (then the value has to be longer).
 */
const JOIN = new RegExp(
  `(?:${QUOTE})?\\]?(?:${FIELD}|${PLIST}|${TYPE}[ \\t]{0,40}(?<operator>${OPERATOR})` +
    `(?:${BLOCK}|\\s{0,40}(?=(?:[bBrRuUfF@$]{1,2})?${QUOTE})|[ \\t]{0,20}${FALLBACK}(?=${QUOTE})|(?<=>)\\s{0,40}|[ \\t]{0,20})|(?<words>${PROSE})|(?<space>[ \\t]{1,4}))`,
  'y',
);
const SCHEME =
  '(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Kk]ey|SSWS|Api-Token|ApiKey|apikey|Digest|Negotiate) {1,4})?';
const SCHEMED = new RegExp(SCHEME, 'y');
const OPENED = new RegExp(`(?:[bBrRuUfF@$]{1,2})?(${QUOTE})(${QUOTE})?`, 'y');
const CLOSED = new RegExp(QUOTE, 'y');

/** Chinese and Japanese have no spaces: their characters end a value. */
const PROSE_CHARS =
  '\\u2e80-\\u2fdf\\u3000-\\u30ff\\u3100-\\u318f\\u31a0-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60\\ud840-\\ud88f';
/** So do the quotes of typography: with them, the same value elsewhere would be another one. */
const ENDS = `${PROSE_CHARS}\\u00ab\\u00bb\\u2018-\\u201f\\u2039\\u203a`;
const PROSE_BEGINS = new RegExp(`[${ENDS}]`);
const NO_VALUE = new RegExp(`[\\s${PROSE_CHARS}]`);
const QUOTED = `[^\\s"'\`\\\\${ENDS}]`;
const BARE = `[^\\s"'\`,;&<>(){}[\\]|\\\\${ENDS}]`;
/** `{a,b}` inside a value that may be a password. */
const BRACED = '\\{(?!(?:S?SHA\\d*|S?MD5|CRYPT)\\})\\{?[^{}\\s"\'`]{1,80}\\}{1,2}';

const QUOTED_RUN = runOf(QUOTED, '(?!)');
const BARE_RUN = runOf(BARE, `(?:${PLACEHOLDER_LIKE}|${BRACED})`);
/** The rest of a line, without spaces and quotes. */
const REST_OF_LINE = /[^\s"'`\\]{6,256}(?![^\r\n])/y;
const HAS_PLACEHOLDER = new RegExp(PLACEHOLDER_LIKE);
const BARE_END = new RegExp(`^[\\s"'\`,;&<>)}\\]|\\\\${ENDS}]?$`);
const BRACKETS = /[<>(){}[\]|]+/;
const BRACKET_IN = /^(?!<\/)[<>(){}[\]|][^\s"'`,;&\\]/;
/** `self._lib.X509_get(`: a program. */
const METHOD = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[([]/;
const FIELD_CHAR = `[^\\s"'\`,;&\\\\${ENDS}]`;
/** Up to where a text or a field ends, but for the hash of a password. */
const WITH_BRACKETS = new RegExp(
  `(?!\\{(?:S?SHA\\d*|S?MD5|CRYPT)\\})${FIELD_CHAR}{12,100}(?!${FIELD_CHAR})`,
  'y',
);
const SHORTEST_VALUE = 6;
const LONGEST_VALUE = 1024;

/** What separates a name and its value, and where the value begins. */
interface Join {
  readonly operator: string;
  readonly words: string | undefined;
  readonly space: string | undefined;
  readonly at: number;
}

function joinAfter(text: string, nameEnd: number): Join | undefined {
  const join = matchAt(JOIN, text, nameEnd);
  if (join === null) return undefined;
  const { operator = '', words, space } = join.groups ?? {};
  return { operator, words, space, at: JOIN.lastIndex };
}

/** Reads the values of a text. Reads each run of characters once, however many names share its end. */
function valuesOf(text: string): (name: string, end: number, join: Join) => ReadValue | undefined {
  const quotedEnd = runEnds(QUOTED_RUN, text);
  const bareEnd = runEnds(BARE_RUN, text);
  return (name, nameEnd, { operator, words, space, at }) => {
    const flag = name.startsWith('--');
    const joined =
      space !== undefined && !flag
        ? 'space'
        : words !== undefined || /^[,|]$/.test(operator)
          ? 'words'
          : 'sign';
    if (matchAt(OPENED, text, at)) {
      const start = afterScheme(text, OPENED.lastIndex);
      const end = quotedEnd(start);
      const value = text.slice(start, end);
      if (isLongEnough(value) && (matchAt(CLOSED, text, end) !== null || PROSE_BEGINS.test(text.charAt(end))))
        return { text: value, start, end, quoted: true, joined };
    }
    if (/^(?:\(|,|\|\|=?|={2,3})$/.test(operator)) return undefined;
    const start = afterScheme(text, at);
    const end = bareEnd(start);
    // If the text continues, it is an expression like `get(…`, or longer than any token, or has a bracket in it.
    const isWhole = isLongEnough(text.slice(start, end)) && BARE_END.test(text.charAt(end));
    if (!isWhole || BRACKET_IN.test(text.slice(end, end + 2))) {
      const value =
        operator === '=' && at === nameEnd + 1 && /^[A-Z][A-Z\d_]*$/.test(name)
          ? matchAt(REST_OF_LINE, text, start)?.[0]
          : undefined;
      if (value !== undefined && looksRandom(value))
        return { text: value, start, end: start + value.length, quoted: true, joined };
      const broken =
        BRACKETS.test(text.charAt(end)) && !isInTemplate(text, nameEnd - name.length)
          ? withBrackets(text, start)
          : undefined;
      if (broken !== undefined && start + broken.length > end)
        return { text: broken, start, end: start + broken.length, quoted: true, joined };
      if (!isWhole) return undefined;
    }
    const value = text.slice(start, end).replace(/(?<![.:?])[.:?]+$/, '');
    // No expression of a program has a placeholder in it.
    const quoted = value.includes(HOLE) || HAS_PLACEHOLDER.test(value);
    return { text: value, start, end: start + value.length, quoted, joined };
  };
}

/** Up to the quote that closes what this one opens. Strings in JSON in JSON are read by themselves. */
const PHRASES: { readonly [quote: string]: RegExp } = {
  '"': /(?:[^"\\]|\\[\s\S]){1,300}(?=")/y,
  "'": /(?:[^'\\]|\\[\s\S]){1,300}(?=')/y,
  '`': /(?:[^`\\]|\\[\s\S]){1,300}(?=`)/y,
};
/** The text of an element of XML. */
const ELEMENT = /[^<]{1,300}(?=<\/)/y;
/** The rest of a line that begins like a template. If the template ends in it, the rest is no part of the value. */
const UNCLOSED = /(?:\{[{%]|[$#%@]\{|\$[([]|#\[|<[%?])[^\r\n"'`]{1,300}/y;

/** A value with spaces in it, or with what else ends another value. Each of its words is judged by itself. */
function phraseAfter(text: string, { operator, space, at }: Join): TextAt | undefined {
  if (space !== undefined) return undefined;
  const isElement = operator === '>';
  const [, quote, again] = (!isElement && matchAt(OPENED, text, at)) || [];
  // `""` has closed.
  if (quote !== undefined && quote === again) return undefined;
  const start = afterScheme(text, quote === undefined ? at : OPENED.lastIndex);
  const pattern = quote === undefined ? (isElement ? ELEMENT : UNCLOSED) : PHRASES[quote];
  const phrase = pattern && matchAt(pattern, text, start)?.[0];
  if (phrase === undefined || (pattern === UNCLOSED && withoutTemplates(phrase) !== phrase)) return undefined;
  return { text: phrase, start };
}

/** What may stand in front of a value and is none itself: quotes, brackets, escapes, and what separates fields. */
const SIGNS = `[bBrRuUfF@$]{0,2}["'\`]{1,3}|\\\\(?:[nrtbf]|u[\\da-fA-F]{4})?|<!\\[CDATA\\[|@(?![\\w.-]{1,80}/)|[(){}[\\]<>,;&|*_~^=+:!#%/?.$-]|[^\\0-\\x7f\\s]`;
const AROUND = [`(?:${SIGNS}){1,12}`, `(?:${TEMPLATE}|${PLACEHOLDER_LIKE}|${SIGNS}){1,12}`].map(
  (source) => new RegExp(source, 'y'),
);
/** A value up to what ends one of any form. */
const WRAPPED = /[A-Za-z\d][\w!#$%^*+/=.~@?-]{7,128}/y;

/**
 * A value behind quotes and brackets that do not close, are more than one, or are of another language: `['x']`, `<<x>>`,
 * `"""x`. It has to look generated, or as only passwords do.
 */
function wrappedAfter(text: string, name: string, { operator, space, at }: Join): ReadValue | undefined {
  const isFlag = name.startsWith('--');
  if (space !== undefined && !isFlag) return undefined;
  const from = afterScheme(text, at);
  let tried = -1;
  for (const around of AROUND) {
    const hasSigns = matchAt(around, text, from) !== null;
    // The bracket of `--password (x` looks like that of a call.
    if (!hasSigns && !(isFlag && operator === '(')) continue;
    const start = hasSigns ? around.lastIndex : from;
    if (start === tried) continue;
    tried = start;
    const value = matchAt(WRAPPED, text, start)?.[0].replace(/[^\w=!?]+$/, '');
    if (value !== undefined && (looksRandom(value) ? looksMade(value) : ODD.test(value)))
      return { text: value, start, end: start + value.length, quoted: false, joined: 'sign' };
  }
  return undefined;
}

/** Of `${NAME:-value}`, the bracket ends the value. */
function isInTemplate(text: string, nameStart: number): boolean {
  return /[$#%@{]\{$/.test(text.slice(Math.max(0, nameStart - 2), nameStart));
}

/** A value with brackets that open or close nothing, as a password may have: what is beside them looks generated. */
function withBrackets(text: string, start: number): string | undefined {
  const value = matchAt(WITH_BRACKETS, text, start)?.[0].replace(
    /[^\w]*<\/.*$|\)?\]\((?:https?:|[#/.]).*$/,
    '',
  );
  if (value === undefined || !BRACKETS.test(value) || withoutTemplates(value) !== value || METHOD.test(value))
    return undefined;
  const parts = value.split(BRACKETS).filter((part) => /\w/.test(part));
  return parts.every((part) => part.length >= 4) && looksRandom(parts.join('')) && parts.some(looksMade)
    ? value
    : undefined;
}

function afterScheme(text: string, at: number): number {
  matchAt(SCHEMED, text, at);
  return SCHEMED.lastIndex;
}

function isLongEnough(value: string): boolean {
  return (value.length >= SHORTEST_VALUE || value.includes(HOLE)) && value.length <= LONGEST_VALUE;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
