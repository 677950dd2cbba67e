/**
 * Whether words begin with one of some phrases, which a comma separates: `'stash {drop,clear}, reset'`. In a phrase
 * stands for a word:
 *
 * - `{a,b}` the one or the other, also with blanks: `{state ,}push`
 * - `*` any one word, and within a word any text of at least a character; `\\*` is a star
 * - `word...` that word once or more often
 * - `**` any number of words
 * - `$` at the end says that no word follows
 *
 * Letters in upper and lower case are the same. `--` counts only for a phrase that names it.
 *
 * @param verbs - All names of each of the verbs that the words begin with.
 */
export function beginWith(words: readonly string[], phrases: string, verbs: Verbs = []): boolean {
  const plain = words.includes('--') ? words.filter((word) => word !== '--') : words;
  return compiled(phrases).some((phrase) => matches(phrase.seesDashes ? words : plain, phrase, verbs));
}

type Verbs = readonly (readonly string[])[];

/** The words in lower case that phrases may begin with; nothing if that may be any word. */
export function firstWords(phrases: string): readonly string[] | undefined {
  const words = compiled(phrases).map(({ sections }) => sections[0]?.[0]?.names);
  return words.every((names) => names !== undefined) ? words.flat() : undefined;
}

/** What one of the words of a phrase stands for. */
interface Part {
  readonly fits: (word: string) => boolean;
  /** All words that it stands for, in lower case, where it names them. */
  readonly names: readonly string[] | undefined;
  readonly repeats: boolean;
}

interface Phrase {
  /** What stands between each `**`. */
  readonly sections: readonly (readonly Part[])[];
  readonly isWhole: boolean;
  readonly seesDashes: boolean;
}

const COMPILED = new Map<string, readonly Phrase[]>();

function compiled(phrases: string): readonly Phrase[] {
  let found = COMPILED.get(phrases);
  if (!found) {
    found = splitOutside(phrases, ', ').flatMap(alternatives).map(phraseOf);
    COMPILED.set(phrases, found);
  }
  return found;
}

function phraseOf(text: string): Phrase {
  const parts = text.split(' ').filter((part) => part !== '');
  const isWhole = parts.at(-1) === '$';
  if (isWhole) parts.pop();
  const sections: Part[][] = [[]];
  for (const part of parts)
    if (part === '**') sections.push([]);
    else sections.at(-1)?.push(partOf(part));
  return { sections, isWhole, seesDashes: parts.includes('--') };
}

function partOf(text: string): Part {
  const repeats = text.endsWith('...');
  const word = repeats ? text.slice(0, -3) : text;
  const list = /^\{([^{}*\\]*)\}$/.exec(word)?.[1] ?? (/[*{\\]/.test(word) ? undefined : word);
  const names = word === '--' ? undefined : list?.toLowerCase().split(',');
  return { fits: glob(word), names, repeats };
}

/** The sections of a phrase in their order: each as early as it goes, and the last at the end where nothing may follow. */
function matches(words: readonly string[], { sections, isWhole }: Phrase, verbs: Verbs): boolean {
  let from = 0;
  for (const [i, section] of sections.entries()) {
    const isLast = i === sections.length - 1;
    const ends = (at: number | undefined): boolean =>
      at !== undefined && !(isLast && isWhole && at !== words.length);
    // Behind `**`, a section may begin anywhere.
    const last = i === 0 ? 0 : words.length;
    let end: number | undefined;
    for (let at = from; at <= last; at++) {
      end = endOf(section, words, at, verbs);
      if (ends(end)) break;
      end = undefined;
    }
    if (end === undefined) return false;
    from = end;
  }
  return true;
}

/** Where a section ends that begins there. */
function endOf(
  section: readonly Part[],
  words: readonly string[],
  start: number,
  verbs: Verbs,
): number | undefined {
  let at = start;
  for (const { fits, repeats } of section) {
    const word = words[at];
    if (word === undefined || !(fits(word) || verbs[at]?.some(fits))) return undefined;
    at++;
    while (repeats && at < words.length && fits(words[at] ?? '')) at++;
  }
  return at;
}

/** A test for one word with `*` and `{a,b}` in it. */
function glob(text: string): (word: string) => boolean {
  if (text === '*') return (word) => word !== '';
  const names = /^\{([^{}*\\]*)\}$/.exec(text)?.[1]?.toLowerCase().split(',');
  if (names) {
    const set = new Set(names);
    return (word) => set.has(word.toLowerCase());
  }
  if (!/[*{\\]/.test(text)) {
    const name = text.toLowerCase();
    return (word) => word.toLowerCase() === name;
  }
  const pattern = new RegExp(
    `^${text.replace(SPECIAL, (char, literal) => (literal ? `\\${literal}` : (MEANS[char] ?? `\\${char}`)))}$`,
    'is',
  );
  return (word) => pattern.test(word);
}

const SPECIAL = /\\(\W)|[{},*.+?^$()|[\]\\]/g;
const MEANS: Readonly<Record<string, string>> = { '*': '.+', '{': '(?:', '}': ')', ',': '|' };

/** A phrase for each of the alternatives with blanks in them: `{state ,}push` is `state push` and `push`. */
function alternatives(phrase: string): readonly string[] {
  let depth = 0;
  let open = 0;
  for (let i = 0; i < phrase.length; i++) {
    if (phrase[i] === '\\') i++;
    else if (phrase[i] === '{' && depth++ === 0) open = i;
    else if (phrase[i] === '}' && --depth === 0) {
      const inside = phrase.slice(open + 1, i);
      if (!inside.includes(' ')) continue;
      const [before, after] = [phrase.slice(0, open), phrase.slice(i + 1)];
      return splitOutside(inside, ',').flatMap((one) => alternatives(before + one + after));
    }
  }
  return [phrase];
}

function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}') depth--;
    else if (depth === 0 && text.startsWith(separator, i)) {
      parts.push(text.slice(from, i));
      from = i + separator.length;
    }
  }
  return [...parts, text.slice(from)];
}
