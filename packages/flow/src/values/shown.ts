import type { Value } from './value.ts';

/** A path of at least one folder and a file, and a line in it. */
const FILE =
  /(?<![^\s"'`(])((?:\.\/)?(?:[\w@-][\w.@-]{0,63}\/){1,16}[\w@-][\w.@-]{0,63}\.(?:[cm]?[jt]sx?|pyi?|rb|rs|go|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sql|md|json|ya?ml|toml|html|css|scss|vue|svelte|txt|log|lua|scala|exs?))(?::\d{1,6}){0,2}(?![^\s"'`),;.:!?]|[.:][\w/])/gi;

/**
 * Emphasis: of a word, or doubled, of up to a line. What is in it begins and ends with a letter or digit, and what is around it is
 * no word and no quotation mark. `*tmp and log*` and `"*tmp*"` are patterns for files, as is what has a slash at a star.
 */
const EMPHASIS = [
  ['\\*{2,3}', '[^*\\n]'],
  ['\\*', '[^*\\s]'],
  ['_{2,3}', '(?:[^_\\n]|(?<=[\\p{L}\\p{N}])_(?=[\\p{L}\\p{N}]))'],
  ['_', '(?:[^_\\s]|(?<=[\\p{L}\\p{N}])_(?=[\\p{L}\\p{N}]))'],
].map(
  ([mark, inner]) =>
    new RegExp(
      `(?<![^\\s([—–-])(${mark})(?=[\\p{L}\\p{N}])(${inner}{1,200})(?<=[\\p{L}\\p{M}\\p{N}])\\1(?![^\\s)\\],;:!?.—–-]|\\.\\w)`,
      'gu',
    ),
);

/** An apostrophe within a word, as keyboards and word processors write it. */
const APOSTROPHE = /(?<=\p{L})[’ʼ](?=\p{L})/gu;

/**
 * What the user means by a text: without Markdown's emphasis and the line that an editor adds to a path. Undefined where that is
 * the text itself.
 */
export function meant(text: string): string | undefined {
  const plain = EMPHASIS.reduce((said, emphasis) => said.replace(emphasis, '$2'), text);
  const said = plain.replace(FILE, '$1').replace(APOSTROPHE, "'");
  return said === text ? undefined : said;
}

/** A value as {@link meant} writes it. Undefined where that is the value itself. */
export function meantValue(value: Value): Value | undefined {
  if (value.kind !== 'text') return undefined;
  const { text } = value;
  // For a file system, `./` before a path changes nothing. For a command, it may: `npm install ./acme/web.js`.
  const isPath = text.replace(FILE, '') === '';
  const said = isPath ? text.replace(/^(\.\/)?/, (dot) => (dot ? '' : './')) : text.replace(APOSTROPHE, "'");
  return said === text ? undefined : { ...value, text: said, key: said };
}
