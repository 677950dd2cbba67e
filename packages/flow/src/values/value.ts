import { datesOf, isSameDate } from './dates.ts';
import { withoutEntities } from './entities.ts';
import { type ReadText, SEPARATOR, spaced, withSpaces, wordsOf } from './text.ts';
import {
  findIbansInProse,
  findTyped,
  isSameUrl,
  lettersOf,
  lower,
  typedAs,
  type ValueKind,
} from './typed.ts';

/** A value of an argument. */
export interface Value {
  readonly kind: ValueKind;
  /** As the argument has it. */
  readonly text: string;
  /** The same for all ways to write it. */
  readonly key: string;
}

/** The values of a leaf of an argument, each of which has to stand on its own. None in nothing, or an empty text. */
export function valuesOf(leaf: unknown): readonly Value[] {
  if (leaf === undefined || leaf === null) return [];
  if (typeof leaf === 'number') return [{ kind: 'number', text: String(leaf), key: String(leaf) }];
  const text = leaf instanceof Date ? leaf.toISOString() : String(leaf);
  const words = wordsOf(text);
  if (words === '') return [];
  return listOf(words) ?? [readValue(words)];
}

/** The addresses, URLs and IBANs in a free text. */
export function valuesIn(text: string): readonly Value[] {
  // Mail programs and browsers show these as the letters that they look like, and leave out what cannot be seen.
  const shown = spaced(
    // In HTML, `?a=1&amp;b=2` is how a link is written.
    withEntities(text.replace(/&amp;(?=[\w.~-]{1,100}=)/g, '&'))
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Also a dot of a host.
      .replace(/(?<=[\p{L}\p{N}])[。｡](?=[\p{L}\p{N}])/gu, '.'),
  );
  const apart = withSpaces(shown);
  return distinct([...shownIn(shown), ...(apart === shown ? [] : shownIn(apart))]);
}

function shownIn(shown: string): readonly Value[] {
  const found = [...findTyped(shown), ...findIbansInProse(shown)];
  const values = found.map(({ kind, start, end, key }): Value => {
    const more = kind === 'url' ? GOES_ON.exec(shown.slice(end, end + LONGEST_REST))?.[0] : undefined;
    const text = shown.slice(start, end + (more?.length ?? 0));
    return more === undefined ? { kind, text, key } : { kind: 'text', text, key: text };
  });
  const rest = withoutMarks(without(shown, found));
  for (const { kind, start, end, key } of findTyped(rest))
    values.push({ kind, text: rest.slice(start, end), key });
  // What programs also make a link of. It has no other form, so it has to stand as it is.
  for (const pattern of [LINK, ODD_URL, ODD_ADDRESS, ODD_HOST])
    for (const [link] of (pattern === ODD_HOST ? rest : shown).matchAll(pattern))
      values.push({ kind: 'text', text: link, key: link });
  for (const [, phone = ''] of shown.matchAll(PHONE_LINK))
    values.push({ kind: 'text', text: phone, key: phone });
  return values;
}

function distinct(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [`${value.kind} ${value.key}`, value])).values()];
}

/** A text, and beside it the same with the characters that HTML shows: in a mail, `evil&#46;com` is a link. */
function withEntities(text: string): string {
  const shown = withoutEntities(text);
  return shown === text ? text : `${text}${SEPARATOR}${shown}`;
}

/** A text with spaces where some values stand. */
function without(text: string, found: readonly { readonly start: number; readonly end: number }[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    parts.push(text.slice(from, Math.max(from, start)));
    from = end;
  }
  return [...parts, text.slice(from)].join(' ');
}

/** Leaves out signs around words, such as those of emphasis: `_evil.com_` and `-evil.com` show a link. */
function withoutMarks(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])[_-]+|[_-]+(?![\p{L}\p{N}])/gu, ' ');
}

const LINK =
  /(?<![\p{L}\p{N}])(?:(?:data:(?=[a-z]+\/|[,;])|(?:java|vb)script:|file:(?=\/))[^\s"<>]{1,2000}|localhost(?=[:/])(?::\d{1,5})?(?:\/[^\s"<>]{0,2000})?|(?<!\.)\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d|[:/])|\[[\da-f:.]{2,45}\](?=$|[\s:/.,;)]))/giu;
/** What browsers read as a part of the URL before it, although it ends there in a sentence. */
const GOES_ON = /^(?:\\[^\s<>"“”„«»`|]|[\^{}][\\/@?#=&\p{L}\p{N}])[^\s<>"“”„«»`|]*/u;
const LONGEST_REST = 2_000;
/** A URL with other slashes than two, or none, which browsers read as with two. */
const ODD_URL =
  /(?<![\p{L}\p{N}])(?:https?|wss?|ftp):(?!\/\/[^\s\\/])[\\/]{0,8}[\p{L}\p{N}[%@][^\s<>"]{1,2000}/giu;
/** What is before the sign is quoted, escaped or a comment: `"eve"@evil.com`. */
const ODD_ADDRESS = /[^\s@]{1,64}["'`)\]}>\\|”»]@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;
/** Hosts in mixed case, and those that end in letters of another script. */
const ODD_HOST =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:com|net|org|edu|gov|io|dev|xn--[a-z\d-]{2,59}|(?!\p{ASCII})\p{L}{2,24}(?=[/:]\S))(?![\p{Script=Latin}\p{N}-])(?:[:/?#][^\s<>"]{0,2000})?/giu;
const PHONE_LINK = /(?<![\p{L}\p{N}])(?:tel|sms|callto|facetime|whatsapp):(\+?[\d().-]{3,30}\d)/giu;

/** Whether a value stands in a text, as a whole value. */
export function standsIn(value: Value, read: ReadText): boolean {
  const { kind, text, key } = value;
  if (kind === 'url' || kind === 'address' || kind === 'iban' || kind === 'phone')
    if (!read.mayHave(lettersOf({ kind, key })) && !read.mayHave(lower(text))) return false;
  switch (kind) {
    case 'number':
      return read.hasNumber(Number(text));
    case 'url':
      return read.hasTyped((found) => found.kind === 'url' && isSameUrl(found.key, key));
    case 'address':
    case 'iban':
    case 'phone':
      return (
        read.hasTyped((found) => found.kind === kind && found.key === key) ||
        read.has(text) ||
        (kind === 'iban' && read.hasSpelled(key))
      );
    case 'date': {
      if (read.has(text)) return true;
      // Nobody knows how a service reads 3/4/2024, so both days have to stand there.
      return datesOf(text, new Date()).every((date) => read.dates.some((said) => isSameDate(said, date)));
    }
    case 'text':
      return read.has(text) || (UUID.test(text) && (read.has(lower(text)) || read.has(text.toUpperCase())));
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a path or URL lies below a folder that stands in a text. */
export function standsBelow({ kind, text, key }: Value, read: ReadText): boolean {
  if (kind === 'url') {
    // An encoded percent sign may be decoded twice, and some servers drop what follows a semicolon.
    if (/%2[ef5]|%5c|;/i.test(key)) return false;
    return foldersOf(key).some((folder) =>
      read.hasTyped((found) => found.kind === 'url' && isSameUrl(found.key.replace(/\/$/, ''), folder)),
    );
  }
  // Windows leaves out dots and spaces at the end of a name, and a service may compose characters.
  const shown = text.normalize('NFKC');
  if (
    kind !== 'text' ||
    /[\\%$`*?;|&<>"'{}\p{Cc}\p{Cf}]|[\s,][/~.-]/u.test(text) ||
    /(?:^|\/)[. ]*(?:\/|$)/.test(shown.slice(1))
  )
    return false;
  return foldersOf(text).some((folder) => read.has(folder) || read.has(`${folder}/`));
}

/** The folders around a path, the nearest first; not the root. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (
    let at = path.lastIndexOf('/');
    at > 0 && path.charAt(at - 1) !== '/';
    at = path.lastIndexOf('/', at - 1)
  )
    folders.push(path.slice(0, at));
  return folders;
}

function readValue(words: string): Value {
  const typed = typedAs(words);
  if (typed) return { ...typed, text: words };
  if (datesOf(words, new Date()).length > 0) return { kind: 'date', text: words, key: words };
  return { kind: 'text', text: words, key: words };
}

/** Several addresses, URLs or IBANs in one text, also with names: `Ann <ann@example.com>, bob@example.com`. */
function listOf(words: string): readonly Value[] | undefined {
  // Of JavaScript's spaces, a service may keep all but this one.
  const parts = words.split(/[,;\n]/).map((part) => part.replace(/^ +| +$/g, ''));
  const values: Value[] = [];
  for (const part of parts.filter((one) => one !== '')) {
    const [, name, address] = /^"?([^"<>]*?)"? *<([^<>]+)>$/.exec(part) ?? [undefined, '', part];
    const typed = typedAs(address ?? '');
    if (!typed) return undefined;
    if (name) values.push({ kind: 'text', text: name, key: name });
    values.push({ ...typed, text: address ?? '' });
  }
  // A browser reads `https://a.example,ann@b.example` as one URL, with another host, and leaves out a line break.
  const isOneUrl = /[,;](?! )|\n(?!https?:\/\/)/.test(words);
  if (isOneUrl && values.some(({ kind }) => kind === 'url')) return undefined;
  return values.length > 0 ? values : undefined;
}
