/** How a template begins and ends: `${x}` of a shell, `{{ x }}` of Helm, `<%= x %>` of Ruby. */
interface Delimiters {
  readonly open: string;
  readonly close: string;
  /** `code` may be anything on one line, with one level of its own brackets; a `name` has no other characters. */
  readonly inside: 'code' | 'name';
}

/** Of two that begin alike, the longer is first. Only a name may stand in those that ordinary text has too. */
const DELIMITERS: readonly Delimiters[] = [
  { open: '{{', close: '}}', inside: 'code' },
  { open: '{%', close: '%}', inside: 'code' },
  { open: '${', close: '}', inside: 'code' },
  { open: '#{', close: '}', inside: 'code' },
  { open: '%{', close: '}', inside: 'code' },
  { open: '@{', close: '}', inside: 'code' },
  { open: '$(', close: ')', inside: 'code' },
  { open: '$[', close: ']', inside: 'code' },
  { open: '#[', close: ']', inside: 'code' },
  { open: '<%', close: '%>', inside: 'code' },
  { open: '<?', close: '?>', inside: 'code' },
  { open: '%(', close: ')s', inside: 'name' },
  { open: '$<', close: '>', inside: 'name' },
  { open: '<<', close: '>>', inside: 'name' },
  { open: '[[', close: ']]', inside: 'name' },
  { open: '((', close: '))', inside: 'name' },
  { open: '*|', close: '|*', inside: 'name' },
  { open: '{', close: '}', inside: 'name' },
  { open: '<', close: '>', inside: 'name' },
  { open: '%', close: '%', inside: 'name' },
  { open: '@', close: '@', inside: 'name' },
];

const BRACKETS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** Without `{SSHA}`, which says how a password was hashed, and belongs to the hash, and `{20}` of regular expressions. */
const NAME = '(?!(?:S?SHA\\d*|S?MD5|CRYPT)\\}|\\d\\d) ?[\\w.$][\\w .:-]{0,80}';
/** `%X%` begins with no encoded character, such as `%2F`, `%c3` or `%BD`. */
const NO_CHARACTER = '(?!\\d|[A-Fa-f]\\d|[A-Fa-f]{2}%|[A-F]{2}(?![A-Z_]))';

function sourceOf({ open, close, inside }: Delimiters, not: string): string {
  if (inside === 'name') return literal(open) + (open === '%' ? NO_CHARACTER : '') + NAME + literal(close);
  const opened = open.slice(-1);
  const closed = BRACKETS[opened];
  const none = `\\n${not}${closed === undefined ? '' : literal(opened + closed)}`;
  const nested = closed === undefined ? '' : `|${literal(opened)}[^${none}]{0,100}${literal(closed)}`;
  return `${literal(open)}(?:(?!${literal(close)})[^${none}]${nested}){0,200}${literal(close)}`;
}

function literal(text: string): string {
  return text.replace(/[$()[\]{}?*|]/g, '\\$&');
}

function templates(not: string): string {
  return `(?=[$#%@*{<[(])(?:${DELIMITERS.map((one) => sourceOf(one, not)).join('|')})`;
}

/** Source of an expression for a template. It matches in one way only, so that it can be repeated. */
export const TEMPLATE: string = templates('');

/** The same for a template without quotes. */
export const TEMPLATE_WITHOUT_QUOTES: string = templates('"\'`\\\\');

const ALL = new RegExp(TEMPLATE, 'g');

/** A text without the templates in it. */
export function withoutTemplates(text: string): string {
  return text.replace(ALL, '');
}
