/** A regular expression for the whole name. `*` and an empty matcher match everything. */
export function anchored(matcher: string, name: string): boolean {
  return isEverything(matcher) || expression(`^(?:${withoutFlags(matcher)})$`, flagsOf(matcher)).test(name);
}

/** A regular expression that matches anywhere in the text. `*` and an empty matcher match everything. */
export function found(matcher: string, text: string): boolean {
  return isEverything(matcher) || expression(matcher, '').test(text);
}

/** An exact name. `*` and an empty matcher match everything. */
export function exact(matcher: string, name: string): boolean {
  return isEverything(matcher) || matcher === name;
}

/** Whether a matcher of Claude Code is a list of names. */
export function isNameList(matcher: string): boolean {
  return /^[\w\- ,|]*$/.test(matcher);
}

export function isEverything(matcher: string): boolean {
  return matcher === '' || matcher === '*';
}

/** Go writes flags inside the expression: `(?i)shell`. */
const goFlags = /^\(\?([ims]+)\)/;

function flagsOf(matcher: string): string {
  return goFlags.exec(matcher)?.[1] ?? '';
}

function withoutFlags(matcher: string): string {
  return matcher.replace(goFlags, '');
}

const compiled = new Map<string, RegExp>();

/** Cached forever, because the few expressions all come from files. */
function expression(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`;
  const found = compiled.get(key) ?? new RegExp(source, flags);
  compiled.set(key, found);
  return found;
}
