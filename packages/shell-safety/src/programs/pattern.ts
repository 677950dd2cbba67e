/**
 * What a call has to have in it: words that its operands begin with, alternatives behind a comma, `{a,b}` for one or the
 * other, `*` for any word and `$` where nothing may follow (`'pg {reset,drop}, * destroy, flush $'`); or an expression where
 * that does not say it.
 */
export type Words = RegExp | string;

/** Options, or words that are looked at one by one, joined by blanks: `'-f --force --{all,any}'`; or an expression. */
export type Names = RegExp | string;

export function beginsWith(text: string, words: Words): boolean {
  return compiled(words, BEGINS, (list) => {
    const phrases = list.split(', ').map((phrase) => {
      const source = sourceOf(phrase.replace(/ \$$/, ''));
      return phrase.endsWith(' $') ? `${source}$` : `${source}\\b`;
    });
    return new RegExp(`^(?:${phrases.join('|')})`);
  }).test(text);
}

export function isNamed(given: readonly string[], names: Names): boolean {
  const pattern = compiled(
    names,
    NAMED,
    (list) => new RegExp(`^(?:${list.split(' ').map(sourceOf).join('|')})$`),
  );
  return given.some((name) => pattern.test(name));
}

const BEGINS = new Map<string, RegExp>();
const NAMED = new Map<string, RegExp>();

function compiled(
  list: RegExp | string,
  known: Map<string, RegExp>,
  compile: (list: string) => RegExp,
): RegExp {
  if (list instanceof RegExp) return list;
  let pattern = known.get(list);
  if (pattern === undefined) {
    pattern = compile(list);
    known.set(list, pattern);
  }
  return pattern;
}

function sourceOf(text: string): string {
  return text.replace(/[{},*.+?^$()|[\]\\]/g, (char) => MEANS[char] ?? `\\${char}`);
}

const MEANS: Readonly<Record<string, string>> = { '*': '\\S+', '{': '(?:', '}': ')', ',': '|' };
