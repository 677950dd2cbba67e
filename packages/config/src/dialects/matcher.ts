/** A regular expression that has to match the whole name; `*` and the empty one match everything. */
export function anchored(matcher: string, name: string): boolean {
  return isEverything(matcher) || expression(`^(?:${withoutFlags(matcher)})$`, flagsOf(matcher)).test(name);
}

/** A regular expression that may match anywhere in the text; `*` and the empty one match everything. */
export function found(matcher: string, text: string): boolean {
  return isEverything(matcher) || expression(matcher, '').test(text);
}

/** The very name; `*` and the empty one match everything. */
export function exact(matcher: string, name: string): boolean {
  return isEverything(matcher) || matcher === name;
}

/**
 * Claude Code's: of letters, digits, `_`, `-`, spaces, `,` and `|` alone it is a list of names; anything else is
 * a regular expression that may match anywhere in the name.
 */
export function namesOrExpression(matcher: string, name: string): boolean {
  if (isEverything(matcher) || !/^[\w\- ,|]*$/.test(matcher)) return found(matcher, name);
  return matcher.split(/[|,]/).some((one) => one.trim() === name);
}

function isEverything(matcher: string): boolean {
  return matcher === '' || matcher === '*';
}

/** Go writes flags into the expression: `(?i)shell`. */
const goFlags = /^\(\?([ims]+)\)/;

function flagsOf(matcher: string): string {
  return goFlags.exec(matcher)?.[1] ?? '';
}

function withoutFlags(matcher: string): string {
  return matcher.replace(goFlags, '');
}

const compiled = new Map<string, RegExp>();

/** Few and from files, so they are kept for good. */
function expression(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`;
  const found = compiled.get(key) ?? new RegExp(source, flags);
  compiled.set(key, found);
  return found;
}
