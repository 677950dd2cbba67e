import { SENSITIVE_KINDS } from './list.ts';

/** What a pattern begins with that looks for a name: at the start of a path, or behind a slash. */
const NAME_START = String.raw`(?:^|\/)`;
/** An escape, a class, or one character. */
const TOKEN = /\\.|\[(?:\\.|[^\]])*\]|./gs;

/** Matches where some kind does. What looks for a name is tried once a name, not at every character. */
export const ANY_KIND: RegExp = anyOf(SENSITIVE_KINDS.flatMap(({ pattern }) => alternatives(pattern.source)));

function anyOf(sources: readonly string[]): RegExp {
  const names = sources.filter((source) => source.startsWith(NAME_START));
  const others = sources.filter((source) => !source.startsWith(NAME_START));
  const named = names.map((source) => source.slice(NAME_START.length));
  return new RegExp(`${NAME_START}(?:${named.join('|')})|${others.join('|')}`);
}

/** `a|b(?:c|d)|e` as `a`, `b(?:c|d)` and `e`. */
function alternatives(source: string): readonly string[] {
  const pieces = [''];
  let depth = 0;
  for (const token of source.match(TOKEN) ?? []) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    if (token === '|' && depth === 0) pieces.push('');
    else pieces[pieces.length - 1] += token;
  }
  return pieces;
}
