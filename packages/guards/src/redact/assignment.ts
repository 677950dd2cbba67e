import { isPlaceholder } from './placeholder.ts';
import { looksRandom, wordiness } from './randomness.ts';

/** What is known of a secret that only its name gives away: `api_key = …`. */
export interface Named extends Span {
  readonly id: 'password' | 'token' | 'key';
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The names that matter are found by these stems; one pass over the text. */
const STEM = /pass|pwd|secret|token|key|auth|cred|psk|bearer|jwt/gi;

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
  const kind = kindOfName(name, '');
  return kind && isSecret(kind, { text: value, quoted: true, joined: 'sign' }) ? kind.id : undefined;
}

interface Kind {
  readonly id: Named['id'];
  /** A key that is said to open something, `api_key`; a bare `key` can be anything. */
  readonly qualified: boolean;
}

/** Reads the end of a name: `secret_name` and `tokenUrl` name no secret, `MY_SECRET` and `authToken2` do. */
function kindOfName(name: string, before: string): Kind | undefined {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  while (words.length > 1 && QUALIFIER.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const rest = [before.toLowerCase(), ...words.slice(0, -1)].filter((word) => word !== '');
  if (PASSWORD.test(last)) return { id: 'password', qualified: true };
  if (TOKEN.test(last)) {
    return rest.some((word) => NO_TOKEN.test(word)) ? undefined : { id: 'token', qualified: true };
  }
  const attribute = /^(.*?)keys?\d?$/.exec(last)?.[1];
  if (attribute === undefined) return undefined;
  if (attribute !== '') rest.push(attribute);
  if (QUALIFIED.test(rest.at(-1) ?? '')) return { id: 'key', qualified: true };
  if (rest.some((word) => NO_KEY.test(word))) return undefined;
  return { id: 'key', qualified: rest.some((word) => QUALIFIED.test(word)) };
}

const QUALIFIER =
  /^(?:value|string|str|base|prod|production|dev|development|staging|live|test|new|old|current|default|main|primary|backup|raw|plain|text|b64|base64|data|v?\d+)$/;
const PASSWORD =
  /(?:password|passwd|passphrase|passcode|pswd)\d?$|^(?:pass|pwd|psk|passw|.*pwd|(?:db|root|admin|user|my|smtp|ftp|become)pass)\d?$/;
const TOKEN =
  /(?:token|secret|credentials?|creds|authorization|apikey|authkey|accesskey|secretkey)s?\d?$|^(?:auth|bearer|jwt)$/;
const NO_TOKEN =
  /^(?:next|page|continuation|cursor|sync|start|sequence|resume|idempotency|pagination|max|min)$/;
const NO_KEY =
  /^(?:primary|foreign|sort|cache|partition|public|pub|publishable|translation|i18n|object|s3|row|group|index|map|react|host|lookup|composite|natural|range|idempotency|order|site|message|registry|mon|tur|don|hot|whis|routing|unique|dedupe|ssh|fingerprint|thumbprint|kid|content|query|config|state|build|restore)$/;
const QUALIFIED =
  /api|access|secret|private|auth|account|license|encrypt|sign|master|app|admin|shared|service|client|server|session|crypt|webhook|integration|deploy|user|dev|project|write|read|ingest|storage|hmac|aes|rest|sdk/;

function wordBefore(text: string, start: number): string {
  return /([A-Za-z]{2,20}) $/.exec(text.slice(Math.max(0, start - 21), start))?.[1] ?? '';
}

interface Value {
  readonly text: string;
  readonly quoted: boolean;
  /** What stands between the name and the value: `=` or the like, ` is `, or nothing but a space. */
  readonly joined: 'sign' | 'words' | 'space';
}

const QUOTE = '\\\\?["\'`]';
const TYPE = "(?:(?:[ \\t]{0,3}:)?[ \\t]{0,3}[A-Za-z&][\\w.<>|?&' ]{0,24}(?=[ \\t]{0,3}:?=[^=]))?";
const OPERATOR = '=>|::?=|\\?=|\\|\\|=?|={1,3}|:|>|\\(|,';
const FALLBACK = '(?:[\\w.$[\\]()"\'-]{1,80}[ \\t]{1,3}(?:\\?\\?|\\|\\||or)[ \\t]{1,3})?';
/** A value in a field of its own: `name: X, value: …`, `{ "x": { "value": … } }`, `variable "x" { default = … }`. */
const FIELD = `\\s{0,20}[:,]?\\s{0,20}\\{?\\s{0,40}(?:${QUOTE})?(?:value|default|string)(?:${QUOTE})?[ \\t]{0,3}[:=][ \\t]{0,3}`;
const PLIST = '</key>\\s{0,40}<string>';
const PROSE = '[ \\t]{1,4}(?:(?:for|of|to) [\\w.@-]{1,40}(?: ?:| (?:is|was)[ :])|(?:is|was)[ :])[ \\t]{0,4}';

/**
 * What joins a name and its value: `=`, `: `, `:=`, `=>`, `" : "`, `': string = '`, `>`, `("`, ` is `, a field of its own,
 * or (then the value has to be longer) a space. The operator is the first group.
 */
const JOIN = new RegExp(
  `(?:${QUOTE})?\\]?(?:${FIELD}|${PLIST}|${TYPE}[ \\t]{0,40}(${OPERATOR})` +
    `(?:\\s{0,40}(?=[bBrRuU@$]?${QUOTE})|[ \\t]{0,20}${FALLBACK}(?=${QUOTE})|(?<=>)\\s{0,40}|[ \\t]{0,20})|${PROSE}|[ \\t]{1,4})`,
  'y',
);
const SCHEME =
  '(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Kk]ey|SSWS|Api-Token|ApiKey|apikey|Digest|Negotiate) {1,4})?';
const QUOTED = new RegExp(`[bBrRuU@$]?${QUOTE}${SCHEME}([^\\s"'\`\\\\]{6,1024})(?=${QUOTE})`, 'y');
const BARE = new RegExp(`${SCHEME}([^\\s"'\`,;&<>(){}[\\]|\\\\]{6,1024})(?![^\\s"'\`,;&<>)}\\]|\\\\])`, 'y');

function valueAfter(text: string, name: string, end: number): (Value & Span) | undefined {
  JOIN.lastIndex = end;
  const join = JOIN.exec(text);
  if (join === null) return undefined;
  const operator = join[1] ?? '';
  const quoted = matchAt(QUOTED, text, JOIN.lastIndex);
  if (quoted) {
    const value = quoted[1] ?? '';
    const last = quoted.index + quoted[0].length;
    return { text: value, start: last - value.length, end: last, quoted: true, joined: 'sign' };
  }
  if (/^(?:\(|,|\|\|=?|={2,3})$/.test(operator)) return undefined;
  const bare = matchAt(BARE, text, JOIN.lastIndex);
  if (!bare) return undefined;
  const value = (bare[1] ?? '').replace(/[.:?]+$/, '');
  const start = bare.index + bare[0].length - (bare[1] ?? '').length;
  const spaced = operator === '' && !name.startsWith('--');
  const joined = spaced && join[0].trim() === '' ? 'space' : spaced ? 'words' : 'sign';
  return { text: value, start, end: start + value.length, quoted: false, joined };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function isSecret(kind: Kind, { text, quoted, joined }: Value): boolean {
  if (isPlaceholder(text) || /^(?:https?|file|s3|arn|urn|git|ssh-[a-z\d]+)[:]|^ssh-/.test(text)) return false;
  if (kind.id === 'password' && joined === 'sign') return looksChosen(text, quoted);
  if (text.length < (joined === 'space' ? 16 : 10) || !looksRandom(text)) return false;
  if (kind.qualified) return true;
  return joined === 'sign' && text.length >= 16 && !UUID.test(text) && !DIGEST.test(text);
}

/** A password that somebody may have chosen: not only letters, and no expression of a program. */
function looksChosen(text: string, quoted: boolean): boolean {
  if (text.length > 256) return false;
  if (looksRandom(text)) return true;
  if (!/[A-Za-z]/.test(text) || !/[\d!@#$%^&*+=?~]/.test(text)) return false;
  if (quoted) return !/^[a-z]+(?:[-_. ][a-z]+)+\d?$/i.test(text);
  return /\d/.test(text) && !/^[\w$]+(?:[.-][\w$]+)+$/.test(text) && wordiness(text) < 0.8;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const DIGEST = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;
