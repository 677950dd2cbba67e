import type { Value } from './value.ts';

/** A path of at least one folder and a file. In a shell, as for a file system, `./` before it changes nothing. */
const FILE =
  /(?<![^\s"'`(])(?:\.\/)?((?:[\w@-][\w.@-]{0,63}\/){1,16}[\w@-][\w.@-]{0,63}\.(?:[cm]?[jt]sx?|pyi?|rb|rs|go|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sql|md|json|ya?ml|toml|html|css|scss|vue|svelte|txt|log|lua|scala|exs?))(?::\d{1,6}){0,2}(?![^\s"'`),;.:!?]|[.:][\w/])/gi;

/** Emphasis of up to a line. What is in it begins and ends with no space, and what is around it is no word. */
const EMPHASIS = [
  /(?<![^\s"'“‘«([—–-])(\*{1,3})(?=[^\s*])([^*\n]{1,200})(?<=[^\s*])\1(?![^\s"'”’»)\],;:!?.—–-]|\.\w)/g,
  /(?<![^\s"'“‘«([—–-])(_{1,3})(?=[^\s_])((?:[^_\n]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])){1,200})(?<=[^\s_])\1(?![^\s"'”’»)\],;:!?.—–-]|\.\w)/gu,
];

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
  const isPath = text.startsWith('./') && text.replace(FILE, '$1') === text.slice(2);
  const said = isPath ? text.slice(2) : text.replace(APOSTROPHE, "'");
  return said === text ? undefined : { ...value, text: said, key: said };
}
