import { kindOfName, type NamedKind } from './name.ts';
import { isSecret, type NamedValue } from './value.ts';

/** What is known of a secret that only its name gives away: `api_key = …`. */
export interface Named extends Span {
  readonly id: NamedKind['id'];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The names that matter are found by these stems; one pass over the text. */
const STEM = /pass|pwd|secret|token|key|auth|cred|psk|bearer|jwt|salt|(?<![a-z])pat(?![a-z])/gi;

const NAME_CHAR = /[\w.$-]/;
const LONGEST_NAME = 80;

/** Every value in the text that stands beside the name of a secret and looks like one. */
export function namedSecrets(text: string): readonly Named[] {
  const found: Named[] = [];
  STEM.lastIndex = 0;
  let end = 0;
  for (let hit = STEM.exec(text); hit !== null; hit = STEM.exec(text)) {
    const from = STEM.lastIndex;
    if (hit.index < end) continue;
    let start = hit.index;
    while (start > 0 && hit.index - start < LONGEST_NAME && NAME_CHAR.test(text.charAt(start - 1))) start--;
    end = from;
    while (end < text.length && end - from < LONGEST_NAME && NAME_CHAR.test(text.charAt(end))) end++;
    const name = text.slice(start, end);
    const kind = kindOfName(name, wordBefore(text, start));
    const value = kind && valueAfter(text, name, end);
    if (kind && value && isSecret(kind, value))
      found.push({ id: kind.id, start: value.start, end: value.end });
    STEM.lastIndex = end;
  }
  return found;
}

/** The kind of secret that `value` is in a field called `name`, if it is one: the same judgement for objects. */
export function kindOfNamed(name: string, value: string): Named['id'] | undefined {
  if (value.length > 1024 || /\s/.test(value)) return undefined;
  const kind = kindOfName(name);
  return kind && isSecret(kind, { text: value, quoted: true, joined: 'sign' }) ? kind.id : undefined;
}

function wordBefore(text: string, start: number): string {
  return /([A-Za-z]{2,20}) $/.exec(text.slice(Math.max(0, start - 21), start))?.[1] ?? '';
}

/** Also of JSON within JSON within JSON, where each level doubles the backslashes and adds one. */
const QUOTE = '\\\\{0,7}["\'`]';
const TYPE = "(?:(?:[ \\t]{0,3}:)?[ \\t]{0,3}[A-Za-z&][\\w.<>|?&' ]{0,24}(?=[ \\t]{0,3}:?=[^=]))?";
const OPERATOR = '=>|::?=|\\?=|\\|\\|=?|\\||={1,3}|:|>|\\(|,';
const FALLBACK = '(?:[\\w.$[\\]()"\'-]{1,80}[ \\t]{1,3}(?:\\?\\?|\\|\\||or)[ \\t]{1,3})?';
/** A value in a field of its own: `name: X, value: …`, `{ "x": { "value": … } }`, `variable "x" { default = … }`. */
const FIELD = `\\s{0,20}[:,]?\\s{0,20}\\{?\\s{0,40}(?:${QUOTE})?(?:value|default|string)(?:${QUOTE})?[ \\t]{0,3}[:=][ \\t]{0,3}`;
const PLIST = '</key>\\s{0,40}<string>';
const PROSE = '[ \\t]{1,4}(?:(?:for|of|to) [\\w.@-]{1,40}(?: ?:| (?:is|was)[ :])|(?:is|was)[ :])[ \\t]{0,4}';

/**
 * What joins a name and its value: `=`, `: `, `:=`, `=>`, `" : "`, `': string = '`, `>`, `("`, ` is `, a field of its own,
 * or (then the value has to be longer) a space.
 */
const JOIN = new RegExp(
  `(?:${QUOTE})?\\]?(?:${FIELD}|${PLIST}|${TYPE}[ \\t]{0,40}(?<operator>${OPERATOR})` +
    `(?:\\s{0,40}(?=[bBrRuU@$]?${QUOTE})|[ \\t]{0,20}${FALLBACK}(?=${QUOTE})|(?<=>)\\s{0,40}|[ \\t]{0,20})|(?<words>${PROSE})|(?<space>[ \\t]{1,4}))`,
  'y',
);
const SCHEME =
  '(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Kk]ey|SSWS|Api-Token|ApiKey|apikey|Digest|Negotiate) {1,4})?';
const QUOTED = new RegExp(
  `[bBrRuU@$]?${QUOTE}(?:${QUOTE})?${SCHEME}([^\\s"'\`\\\\]{6,1024})(?=${QUOTE})`,
  'y',
);
const BARE = new RegExp(`${SCHEME}([^\\s"'\`,;&<>(){}[\\]|\\\\]{6,1024})`, 'y');

const BARE_END = /^[\s"'`,;&<>)}\]|\\]?$/;

function valueAfter(text: string, name: string, end: number): (NamedValue & Span) | undefined {
  JOIN.lastIndex = end;
  const join = JOIN.exec(text);
  if (join === null) return undefined;
  const { operator = '', words, space } = join.groups ?? {};
  const flag = name.startsWith('--');
  const joined =
    space !== undefined && !flag
      ? 'space'
      : words !== undefined || /^[,|]$/.test(operator)
        ? 'words'
        : 'sign';
  const quoted = matchAt(QUOTED, text, JOIN.lastIndex);
  if (quoted) {
    const value = quoted[1] ?? '';
    const last = quoted.index + quoted[0].length;
    return { text: value, start: last - value.length, end: last, quoted: true, joined };
  }
  if (/^(?:\(|,|\|\|=?|={2,3})$/.test(operator)) return undefined;
  const bare = matchAt(BARE, text, JOIN.lastIndex);
  // What goes on is no token but an expression, `get(…`, or longer than any.
  if (!bare || !BARE_END.test(text.charAt(BARE.lastIndex))) return undefined;
  const value = (bare[1] ?? '').replace(/[.:?]+$/, '');
  const start = bare.index + bare[0].length - (bare[1] ?? '').length;
  return { text: value, start, end: start + value.length, quoted: false, joined };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
