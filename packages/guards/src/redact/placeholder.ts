import { withoutPlaceholderLike, withoutPlaceholders } from './own-placeholder.ts';
import { entropy, looksRandom } from './randomness.ts';
import { TEMPLATE, type TextPart } from './template.ts';

/** Whether a value is a placeholder, as in examples, templates and masks. */
export function isPlaceholder(value: string): boolean {
  if (value.length > LONGEST) return false;
  const rest = withoutPlaceholders(value);
  if (rest !== value) return rest.length < SHORTEST || isPlaceholder(rest);
  // The words in what only looks like one say nothing of the text beside it.
  const beside = withoutPlaceholderLike(value);
  if (beside !== value && beside.length >= SHORTEST && !isPlaceholder(beside)) return false;
  const parts = partsBeside(value);
  if (parts.length > 1)
    return parts.every(({ text }) => text.length < LONGEST_START || isPlaceholder(text) || !looksMade(text));
  return (
    isTemplate(value) ||
    WORDS.test(value) ||
    (/example/i.test(value) && !isSample(value)) ||
    hasShortWord(value) ||
    COMMON.test(value) ||
    SEQUENCE.test(value) ||
    VARIABLE.test(value) ||
    /^(.)\1*$/.test(value) ||
    (value.length >= 12 && entropy(value) < 2)
  );
}

/** Whether a text beside a template looks like a secret. More often it is a part of a name: `${prefix}-db-2024`. */
export function looksMade(text: string): boolean {
  return looksRandom(text) || MIXED.test(text);
}

/** A digit, and a capital letter or a symbol. */
export const MIXED: RegExp = /^(?=.*\d)(?=.*[A-Z!@#$%^&*?]|\D+\d\D)/;

/** A secret as a vendor's documentation prints it: random, except for a word that marks it as a sample. */
export function isSample(value: string): boolean {
  const rest = value.replace(EXAMPLE, '');
  if (rest.length === value.length || rest.length < 12) return false;
  return looksRandom(rest) || /^(?=.*\d)[A-Z\d]+$/.test(rest);
}

const EXAMPLE = /_?example_?(?:key|token|secret)?/gi;

/** One random token in ten thousand contains such a short word by chance, so the rest of the value decides. */
function hasShortWord(value: string): boolean {
  const rest = value.replace(SHORT, '');
  return rest !== value && !looksRandom(rest);
}

/** What is left beside a placeholder may be a part of an address. */
const SHORTEST = 6;

/** A mask leaves the beginning of a token, which is shorter: `wandb_v1_xxxxxxxx`. */
const LONGEST_START = 10;

/** Samples are not longer than this, and a long secret contains some of the words by chance. */
const LONGEST = 200;

/** As a whole: `<token>`, `{token}`, `(none)`, `:name`, `@param`, `$X`, `$X:$Y`, `%s`. A secret may begin like one. */
function isTemplate(value: string): boolean {
  return WHOLE.test(value) && (OBJECT.test(value) || !looksRandom(value.replace(/^\W+/, '')));
}

const WHOLE =
  /^(?:<[^<>]*>?|\{+[^{}]*\}*|\[(?!REDACTED:)[^\]]*\]?|\([^)]*\)?|[:@][A-Za-z_.]+|\$[A-Za-z_]\w*(?:\W\$\w+)*|%[sdv])$/;
/** `{code:638329}` of a program. */
const OBJECT = /^\{\w+:/;

/** Of `${X:-default}`, the default is no template. */
const DEFAULTED = '\\$\\{\\w{1,80}:?[-=?+]';
/** A template where a quote ends the value in its middle: `${secret(`. */
const CUT = '\\$\\{[\\w.]{0,80}[([].*$|\\$\\({1,2}\\w[^()]*$|[$#]\\{|\\{\\{|\\}\\}';
const MASK = '\\[REDACTED(?!:)|\\*{3,}|x{6,}|X{6,}|•{2,}|\\.{3,}|…+|_{6,}|#{3,}';
const EXCUSED = new RegExp(`(?=[$#{}<%@*xX•.…_[(])(?:(${DEFAULTED}|${TEMPLATE}|${CUT})|${MASK})`, 'g');
/** What may be a secret in a template: `{{ x | default('…') }}`. */
const MADE = /(?<!\\)[\w+/=-]{16,}/g;

/** A part of a value, and where it begins. */
export interface ValuePart {
  readonly text: string;
  readonly start: number;
}

/**
 * What stands beside the templates and masks in a value, and in templates what cannot be a name. The value alone if there
 * are none.
 */
export function partsBeside(value: string): readonly ValuePart[] {
  const parts: ValuePart[] = [];
  let at = 0;
  for (const { 0: excused, 1: template = '', index } of value.matchAll(EXCUSED)) {
    parts.push({ text: value.slice(at, index), start: at });
    for (const { 0: text, index: within } of template.matchAll(MADE))
      if (looksRandom(text)) parts.push({ text, start: index + within });
    at = index + excused.length;
  }
  return [...parts, { text: value.slice(at), start: at }];
}

/** What looks generated in a part of a text beside a template, or in a template: its default, or what cannot be a name. */
export function madeIn({ text, start, isTemplate }: TextPart): readonly ValuePart[] {
  if (!isTemplate) return looksMade(text) ? [{ text, start }] : [];
  const isDefaulted = DEFAULT.test(text);
  return Array.from(text.matchAll(isDefaulted ? WORD : MADE), ({ 0: part, index }) => ({
    text: part,
    start: start + index,
  })).filter((part) => (isDefaulted ? looksMade(part.text) : looksRandom(part.text)));
}

const DEFAULT = new RegExp(`^${DEFAULTED}`);
/** Without quotes and brackets, so that JSON stays valid. */
const WORD = /(?<!\\)[^\s"'`\\(){}]{8,}/g;

const WORDS =
  /placeholder|change[_-]?(?:me|it|this)|replace[_-]?(?:me|with|this)|insert[_-]|enter[_-]|redacted(?!:)|masked|hidden|foobar/i;

const SHORT = /x{4,}|_{4,}|your[_-]?\w|dummy|fixme|todo|(?:^|[_-])(?:fake|sample|my|some|mock|the)[_-]/gi;

const COMMON =
  /^(?:null|none|nil|undefined|true|false|yes|no|empty|default|required|optional|string|number|boolean|str|any|unset|(?:my|the|db|user|root|admin|test)?(?:password|passwd|pass|pwd|secret|token|key|apikey|api_key)(?:here|\d{0,3})?)$/i;

/** The name of an environment variable. */
const VARIABLE = /^(?=.*(?:TOKEN|KEY|SECRET|PASS|AUTH|API|ENV))[A-Z]{2,}[A-Z\d]*(?:_[A-Z\d]+)+$/;

const SEQUENCE = /abcdefg|0123456|1234567890|987654321|qwertyuiop|deadbeef|cafebabe/i;
