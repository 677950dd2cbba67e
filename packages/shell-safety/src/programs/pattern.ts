/** Options, or words that are looked at one by one, joined by blanks: `'-f --force --{all,any}'`; or an expression. */
export type Names = RegExp | string;

export function isNamed(given: readonly string[], names: Names): boolean {
  const pattern = names instanceof RegExp ? names : naming(names);
  return given.some((name) => pattern.test(name));
}

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
