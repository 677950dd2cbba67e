/**
 * Inputs like one that was approved: the text of each argument, in which `*` stands for one word that stays where it is. So
 * `npm run *` matches `npm run test`, and neither `npm run test --force`, `npm run -x` nor `npm run $(curl …)`; `src/*` matches
 * `src/a/b.ts`, and neither `src/.env` nor `src/../a`. An argument whose whole pattern is `*` may have any value. One whose pattern
 * is the text of the approved call means that text, also where it contains a `*`.
 */
export type InputPattern = { readonly [argument: string]: string };

/** Which inputs are covered. */
export interface Covered {
  readonly matching: InputPattern;
  /** The arguments whose pattern has no wildcard: each `*` in it is the model's own. */
  readonly literal: readonly string[];
}

/**
 * What a pattern covers that a person gave for a call.
 *
 * @returns why it cannot be remembered, where it does not match that call, or would cover what nobody can see from it
 */
export function coveredBy(input: unknown, matching: InputPattern): Covered | string {
  const texts = textsOf(input);
  const literal = Object.keys(matching).filter((name) => texts?.get(name) === matching[name]);
  for (const [name, pattern] of Object.entries(matching)) {
    if (literal.includes(name) || pattern === '*' || !pattern.includes('*')) continue;
    const problem = texts?.get(name)?.includes('*')
      ? 'the call has a `*` of its own there; leave that argument as it is, or give `*` for any value'
      : problemIn(pattern);
    if (problem !== undefined) return `the pattern of ${JSON.stringify(name)} cannot be used: ${problem}`;
  }
  const covered = { matching, literal };
  return isCovered(input, covered)
    ? covered
    : `the call does not match the pattern ${JSON.stringify(matching)}: name each of its arguments; a * is one word, which begins no option and leaves no folder`;
}

/**
 * Whether an input is covered: it has the same arguments, no others, and the text of each matches. Values that are not text are
 * compared as JSON.
 */
export function isCovered(input: unknown, { matching, literal }: Covered): boolean {
  const texts = textsOf(input);
  if (texts === undefined || texts.size !== Object.keys(matching).length) return false;
  for (const [name, text] of texts) {
    const pattern = Object.hasOwn(matching, name) ? matching[name] : undefined;
    if (pattern === undefined) return false;
    const isText = typeof Object(input)[name] === 'string';
    if (literal.includes(name) || !pattern.includes('*') ? text !== pattern : !fits(text, pattern, isText))
      return false;
  }
  return true;
}

function textsOf(input: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** What a `*` cannot follow: here a shell would read the name of a program, or text that it runs. */
const PROGRAM_NEXT = /(?:^|[;&|(){}!`'"\n]|(?:^|\s)\w+=\S*)\s*$/;

/** Why a pattern would cover more than it shows. */
function problemIn(pattern: string): string | undefined {
  const words = wordsOf(pattern);
  for (let at = 0, before = ''; at < words.length; before += words[at++]) {
    const word = words[at] ?? '';
    const star = word.indexOf('*');
    if (star === -1) continue;
    if (word.includes('*', star + 1)) return 'a word may have one `*`';
    const isProgram = PROGRAM_NEXT.test(before) || PROGRAM_NEXT.test(before + word.slice(0, star));
    if (words.length > 1 && isProgram) return 'a `*` may not stand for a program';
    const [, host] = /:\/\/(.*)$/.exec(word.slice(0, star)) ?? [];
    if (host !== undefined && !/[^/]\//.test(host)) return 'a `*` may not stand in the host of a URL';
  }
  return undefined;
}

/** Words, and what is between them. */
function wordsOf(text: string): readonly string[] {
  return text.split(/(\s+)/);
}

/** Takes time proportional to the text: a word has one `*`. */
function fits(text: string, pattern: string, isText: boolean): boolean {
  if (pattern === '*') return true;
  if (!isText || problemIn(pattern) !== undefined) return false;
  const [words, wanted] = [wordsOf(text), wordsOf(pattern)];
  return words.length === wanted.length && words.every((word, at) => fitsWord(word, wanted[at] ?? ''));
}

/** No character that a shell, a path, a URL or SQL reads as more than itself, and no hidden file. */
const PATH = /^[\p{L}\p{N}_][\p{L}\p{N}_:,+-]*(?:[./][\p{L}\p{N}_][\p{L}\p{N}_:,+-]*)*$/u;
/** Beside other characters it is the rest of a name. */
const REST = /^[\p{L}\p{N}_-]+$/u;

function fitsWord(word: string, pattern: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return word === pattern;
  if (word.length < head.length + tail.length || !word.startsWith(head) || !word.endsWith(tail)) return false;
  const middle = word.slice(head.length, word.length - tail.length);
  return (head === '' || head.endsWith('/') ? PATH : REST).test(middle);
}
