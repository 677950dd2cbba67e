import { HooksError } from '@hooks/core';
import { distance } from 'fastest-levenshtein';

/*
 * How every function of this package checks its options. An option that is accepted and does nothing is a gate that somebody
 * believes in, and types do not help where the caller is not typed. There is no schema library here, because it would take longer
 * to load than the rest of a hook process.
 */

/** Says what is wrong with a value, in a sentence that begins with its place; undefined if nothing is. */
export interface Check {
  (value: unknown, path: string): string | undefined;
  /** The value must not be missing. */
  readonly needed?: true;
}

/** A check for each option. A new option does not compile without one. */
export type Checks<Options> = {
  readonly [Name in keyof Options]-?: object extends Pick<Options, Name> ? Check : NeededCheck;
};

interface NeededCheck extends Check {
  readonly needed: true;
}

/** Options that have no effect unless one of the listed options is set. */
export type Needs<Options> = { readonly [Name in keyof Options]?: readonly (keyof Options & string)[] };

/** @throws HooksError `CONFIG_INVALID` if an option is unknown, of the wrong type, or has no effect */
export function checkOptions<Options extends object>(
  guard: string,
  options: Options,
  checks: Checks<Options>,
  needs: Needs<Options> = {},
): void {
  const problem = isRecord(options)
    ? problemIn(options, checks, '')
    : `the options are ${said(options)}; expected an object`;
  if (problem !== undefined) refuse(guard, problem);
  for (const [name, others] of Object.entries<readonly (keyof Options & string)[] | undefined>(needs)) {
    if (Reflect.get(options, name) === undefined || others === undefined) continue;
    if (others.every((other) => options[other] === undefined)) refuse(guard, idle(name, others.join(' or ')));
  }
}

/** Checks an argument that is not part of an options object. @throws HooksError `CONFIG_INVALID` */
export function checkArgument(guard: string, name: string, value: unknown, check: Check): void {
  const problem = check(value, name);
  if (problem !== undefined) refuse(guard, problem);
}

/** @param what a sentence without its full stop */
export function refuse(guard: string, what: string): never {
  throw new HooksError('CONFIG_INVALID', `${guard}: ${what}.`);
}

/** Says that an option has no effect. */
export function idle(name: string, without: string): string {
  return `${name} has no effect without ${without}; set that, too, or leave ${name} out`;
}

/** Of an option that has to be set. */
export function needed(check: Check): NeededCheck {
  return Object.assign((value: unknown, path: string) => check(value, path), { needed: true as const });
}

/** A check of a value's kind. */
export function expecting(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, path) => (holds(value) ? undefined : `${path} is ${said(value)}; expected ${expected}`);
}

export const flag: Check = expecting('true or false', (value) => typeof value === 'boolean');
export const callback: Check = expecting('a function', (value) => typeof value === 'function');
export const text: Check = expecting('a text', isText);
export const expression: Check = expecting('a regular expression', (value) => value instanceof RegExp);
export const toolMatcher: Check = expecting(
  'the name of a tool, or a pattern',
  (value) => isText(value) || value instanceof RegExp,
);
export const secretKey: Check = expecting(
  'a text or bytes',
  (value) => isText(value) || (value instanceof Uint8Array && value.length > 0),
);

export const amount: Check = expecting(
  'a number of 0 or more',
  (value) => typeof value === 'number' && value >= 0,
);
export const positive: Check = expecting(
  'a number greater than 0',
  (value) => typeof value === 'number' && value > 0,
);
export const whole: Check = expecting(
  'a whole number greater than 0',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);

/** One of a few words. They are shown, because none is a secret. */
export function oneOf(...words: readonly string[]): Check {
  return (value, path) => {
    if (words.some((word) => word === value)) return undefined;
    if (!isText(value) || value.length > 40) return `${path} is ${said(value)}; expected ${listed(words)}`;
    return `${path} is ${JSON.stringify(value)}; ${suggestion(value, words)}`;
  };
}

/** A value that passes one of the checks. */
export function anyOf(expected: string, ...checks: readonly Check[]): Check {
  return expecting(expected, (value) => checks.some((check) => check(value, '') === undefined));
}

/** A list with one item or more. */
export function listOf(item: Check, expected = 'a list with one item or more'): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length === 0) return `${path} is ${said(value)}; expected ${expected}`;
    return first(value.entries(), ([at, one]) => item(one, `${path}[${at}]`));
  };
}

/** An object with one entry or more, whose names are the user's. */
export function mapOf(entry: Check, expected = 'an object with one entry or more'): Check {
  return (value, path) => {
    if (!isRecord(value) || isEmpty(value)) return `${path} is ${said(value)}; expected ${expected}`;
    return first(Object.entries(value), ([name, one]) =>
      name === ''
        ? `${path} has an entry without a name; expected ${expected}`
        : entry(one, inMap(path, name)),
    );
  };
}

/** `perTool.search`, and `perTool["web_.*"]`. */
export function inMap(path: string, name: string): string {
  return /^\w+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** An object with one of these fields or more. */
export function fields<Fields>(checks: Checks<Fields>): Check {
  return (value, path) =>
    !isRecord(value) || isEmpty(value)
      ? `${path} is ${said(value)}; expected an object with ${listed(Object.keys(checks))}`
      : problemIn(value, checks, `${path}.`);
}

/** An object with these methods, such as a store. */
export function having(expected: string, ...methods: readonly string[]): Check {
  return expecting(
    expected,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
  );
}

function problemIn<Options>(value: object, checks: Checks<Options>, path: string): string | undefined {
  const known = Object.entries<Check>(checks);
  // Inherited options count, too.
  for (const name in value)
    if (!Object.hasOwn(checks, name))
      return `${path}${name} is unknown; ${suggestion(name, Object.keys(checks))}`;
  return first(known, ([name, check]) => {
    const one: unknown = Reflect.get(value, name);
    return one === undefined && !check.needed ? undefined : check(one, `${path}${name}`);
  });
}

/** `did you mean answers?`, or all of them if none is near. */
function suggestion(given: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, far: distance(plain(given), plain(name)) }))
    .sort((a, b) => a.far - b.far);
  const isNear = nearest !== undefined && nearest.far <= Math.max(2, given.length / 3);
  return isNear ? `did you mean ${nearest.name}?` : `expected ${listed(known)}`;
}

/** Makes `tool_calls`, `toolcalls` and `toolCalls` equal. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A value in an error. A text may be a secret, which errors do not show. */
function said(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'an empty text';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value !== 'object') return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
  return isRecord(value) && isEmpty(value) ? 'an empty object' : 'an object';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** An object with named values, not a list, a map or a date. */
function isRecord(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function isEmpty(value: object): boolean {
  return Object.values(value).every((one) => one === undefined);
}

function first<Item>(
  items: Iterable<Item>,
  problemOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
