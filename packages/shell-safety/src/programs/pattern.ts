/**
 * What a call has to have in it: words that its operands begin with, alternatives behind a comma, `{a,b}` for one or the
 * other, `*` for any word and `$` where nothing may follow (`'pg {reset,drop}, * destroy, flush $'`); or an expression where
 * that does not say it.
 */
export type Words = RegExp | string;

/** Options, or words that are looked at one by one, joined by blanks: `'-f --force --{all,any}'`; or an expression. */
export type Names = RegExp | string;

export function beginsWith(text: string, words: Words): boolean {
  return (words instanceof RegExp ? words : beginning(words)).test(text);
}

export function isNamed(given: readonly string[], names: Names): boolean {
  const pattern = names instanceof RegExp ? names : naming(names);
  return given.some((name) => pattern.test(name));
}

const beginning = remembered((list) => {
  const phrases = list.split(', ').map((phrase) => {
    if (phrase.endsWith(' $')) return `${sourceOf(phrase.slice(0, -2))}$`;
    return phrase.endsWith('*') ? sourceOf(phrase) : `${sourceOf(phrase)}\\b`;
  });
  return new RegExp(`^(?:${phrases.join('|')})`);
});

const naming = remembered((list) => new RegExp(`^(?:${list.split(' ').map(sourceOf).join('|')})$`));

function remembered(compile: (list: string) => RegExp): (list: string) => RegExp {
  const known = new Map<string, RegExp>();
  return (list) => {
    const pattern = known.get(list) ?? compile(list);
    known.set(list, pattern);
    return pattern;
  };
}

function sourceOf(text: string): string {
  return text.replace(/[{},*.+?^$()|[\]\\]/g, (char) => MEANS[char] ?? `\\${char}`);
}

const MEANS: Readonly<Record<string, string>> = { '*': '\\S+', '{': '(?:', '}': ')', ',': '|' };
