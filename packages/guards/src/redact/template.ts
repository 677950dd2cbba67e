/** How a template begins and ends: `${x}` of a shell, `{{ x }}` of Helm, `<%= x %>` of Ruby. */
interface Delimiters {
  readonly open: string;
  readonly close: string;
  /** `code` may be anything; a `name` has no other characters, because ordinary text has these delimiters, too. */
  readonly inside: 'code' | 'name';
}

/** Of two that begin alike, the longer is first. */
const DELIMITERS: readonly Delimiters[] = [
  { open: '{{', close: '}}', inside: 'code' },
  { open: '{%', close: '%}', inside: 'code' },
  { open: '${{', close: '}}', inside: 'code' },
  { open: '${', close: '}', inside: 'code' },
  { open: '#{', close: '}', inside: 'code' },
  { open: '%{', close: '}', inside: 'code' },
  { open: '@{', close: '}', inside: 'code' },
  { open: '$((', close: '))', inside: 'code' },
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

const BRACKETS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']', '<': '>' };

/** Without `{SSHA}`, which says how a password was hashed, and belongs to the hash, and `{20}` of regular expressions. */
const NO_NAME = '(?!(?:S?SHA\\d*|S?MD5|CRYPT)\\}|\\d\\d)';
const NAME = `${NO_NAME} ?[\\w.$][\\w .:-]{0,80}`;
/** `%X%` begins with no encoded character, such as `%2F`, `%c3` or `%BD`. */
const NO_CHARACTER = '(?!\\d|[A-Fa-f]\\d|[A-Fa-f]{2}%|[A-F]{2}(?![A-Z_]))';

function literal(text: string): string {
  return text.replace(/[$()[\]{}?*|]/g, '\\$&');
}

/** Anything up to the end of a template, without its brackets, but for one pair of them. */
function upTo({ open, close }: Delimiters, not: string): string {
  const opened = open.slice(-1);
  const closed = BRACKETS[opened];
  const none = `${not}${closed === undefined ? '' : literal(opened + closed)}`;
  const nested = closed === undefined ? '' : `|${literal(opened)}[^${none}]{0,100}${literal(closed)}`;
  return `(?:(?!${literal(close)})[^${none}]${nested}){0,200}${literal(close)}`;
}

const OPENS = '(?=[$#%@*{<[(])';

/**
 * Source of an expression for a template, which excuses a value that is nothing else. It matches in one way only, so that
 * it can be repeated.
 */
export const TEMPLATE: string = `${OPENS}(?:${DELIMITERS.map((form) => {
  const { open, close, inside } = form;
  if (inside === 'code') return literal(open) + upTo(form, '\\n');
  return literal(open) + (open === '%' ? NO_CHARACTER : '') + NAME + literal(close);
}).join('|')})`;

/**
 * A template that text is looked through: also with quotes, and over several lines.
 */
const LOOKED_THROUGH: RegExp = new RegExp(
  `${OPENS}(?:${DELIMITERS.map((form) => {
    const { open, close, inside } = form;
    // `S@{{ host }}` has an address in front of another form.
    if (inside === 'code')
      return `${literal(open)}${/.\{$/.test(open) && open !== '{{' ? '(?!\\{)' : ''}${upTo(form, '')}`;
    const within =
      open === close
        ? `${open === '%' ? NO_CHARACTER : ''}[ \\t]{0,4}[^\\s${open}][^\\n${open}]{0,80}${open}`
        : upTo(form, '');
    return `${literal(open)}${open === '<' ? '(?![/!])' : NO_NAME}${within}`;
  }).join('|')})`,
  'g',
);

/** What stands right beside a template in the same value. */
const BESIDE = /[\w!#$%^&*+/=~.\uE000{}<>[\]()@|-]/;
/** `<password>` of XML is the name of what follows. Where no such name is left, `<your password>` is a template. */
const NAMED_TAG = /^<(?=[A-Za-z])[^>]*(?:pass|pwd|secret|token|key|auth|cred|psk|bearer|jwt|salt|pat)/i;

const CODE = /^(?:\{[{%]|[$#%@]\{|\$[([]|#\[|<[%?])/;
/** Braces with these may hold an object of a program. Nothing in it belongs to the value. */
const OBJECT = /["'`,]/;

/** Stands for a template in a text that is looked through. Texts have no such character: see {@link withoutHoles}. */
export const HOLE = '\uE000';

/** A text of the same length without this character. */
export function withoutHoles(text: string): string {
  return text.includes(HOLE) ? text.replaceAll(HOLE, '\uE001') : text;
}

/** A text in which a {@link HOLE} stands for each template that has none in it. */
export interface LookedThrough {
  readonly text: string;
  /** Where each of its parts without a hole stands, and each template with its text. */
  partsOf(start: number, end: number): readonly TextPart[];
}

/** A part of a text, and whether it is the inside of a template. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  readonly isTemplate: boolean;
}

/** Looks through the templates of a text, and through those around them. */
export function lookThrough(text: string): readonly LookedThrough[] {
  const views: LookedThrough[] = [];
  let below: LookedThrough = { text, partsOf: (start, end) => [partOf(text, start, end)] };
  for (let depth = 0; depth < DEEPEST; depth++) {
    const view = viewOf(below, depth > 0);
    if (view === undefined && depth > 0) break;
    if (view === undefined) continue;
    views.push(view);
    below = view;
  }
  return views;
}

/** `{{ f(x, "${y}") }}` in JSON. */
const DEEPEST = 3;

function partOf(text: string, start: number, end: number, isTemplate = false): TextPart {
  return { text: text.slice(start, end), start, isTemplate };
}

/** The templates in a text, one after the other. */
function* templatesIn(text: string, takesTags: boolean): Generator<RegExpExecArray> {
  for (let hit = templateFrom(text, 0); hit !== null; ) {
    const [template] = hit;
    const end = hit.index + template.length;
    const isCode = CODE.test(template);
    const isBeside = isCode || BESIDE.test(text.charAt(hit.index - 1)) || BESIDE.test(text.charAt(end));
    const isOne = isBeside && (takesTags || !NAMED_TAG.test(template));
    if (isOne) yield hit;
    hit = templateFrom(text, isOne ? end : hit.index + 1);
  }
}

function templateFrom(text: string, from: number): RegExpExecArray | null {
  LOOKED_THROUGH.lastIndex = from;
  return LOOKED_THROUGH.exec(text);
}

function viewOf(below: LookedThrough, takesTags: boolean): LookedThrough | undefined {
  const pieces: string[] = [];
  // For each hole: where it stands here, and where the template stands below.
  const holes: { readonly at: number; readonly start: number; readonly end: number }[] = [];
  let length = 0;
  let end = 0;
  for (const { 0: template, index } of templatesIn(below.text, takesTags)) {
    pieces.push(below.text.slice(end, index), HOLE);
    length += index - end + 1;
    end = index + template.length;
    holes.push({ at: length - 1, start: index, end });
  }
  if (holes.length === 0) return undefined;
  const text = pieces.join('') + below.text.slice(end);
  /** The number of holes before a place. */
  const holesBefore = (place: number): number => {
    let low = 0;
    let high = holes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((holes[middle]?.at ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const partsOf = (from: number, to: number): readonly TextPart[] => {
    const parts: TextPart[] = [];
    let nth = holesBefore(from);
    let shift = nth === 0 ? 0 : (holes[nth - 1]?.end ?? 0) - (holes[nth - 1]?.at ?? 0) - 1;
    for (let at = from; at < to; ) {
      const hole = holes[nth];
      const next = Math.min(hole?.at ?? to, to);
      if (next > at) parts.push(...below.partsOf(at + shift, next + shift));
      if (hole === undefined || next === to) break;
      const template = below.text.slice(hole.start, hole.end);
      if (CODE.test(template) || !OBJECT.test(template))
        parts.push(...below.partsOf(hole.start, hole.end).map((part) => ({ ...part, isTemplate: true })));
      shift = hole.end - hole.at - 1;
      at = hole.at + 1;
      nth++;
    }
    return parts;
  };
  return { text, partsOf };
}

const ALL = new RegExp(TEMPLATE, 'g');

/** A text without the templates in it. */
export function withoutTemplates(text: string): string {
  return text.replace(ALL, '');
}
