import { HooksError } from '@hooks/core';
import {
  checkOptions as checkNames,
  needed,
  nestedOptions,
  type OptionCheck,
  type OptionChecks,
  oneOfWords,
  optionCheck,
  optionKinds,
} from '@hooks/core/options';

/*
 * What the options of guards need besides core's checks: texts, lists and maps of them, and options that have no effect without
 * another. There is no schema library here, because it would take longer to load than the rest of a hook process.
 */

export type { OptionCheck as Check, OptionChecks as Checks };
export { needed, oneOfWords as oneOf, optionCheck as expecting };

export const text: OptionCheck = optionKinds.text;
export const flag: OptionCheck = optionKinds.flag;
export const callback: OptionCheck = optionKinds.callback;
export const amount: OptionCheck = optionKinds.amount;
export const positive: OptionCheck = optionKinds.positive;

/** Options that have no effect unless one of the listed options is set. */
export type Needs<Options> = { readonly [Name in keyof Options]?: readonly (keyof Options & string)[] };

/**
 * @returns the options that were checked
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, of the wrong type, or has no effect
 */
export function checkOptions<Options extends object>(
  guard: string,
  options: Options,
  checks: OptionChecks<Options>,
  needs: Needs<Options> = {},
): Options {
  options = checkNames(guard, options, checks);
  for (const [name, others] of Object.entries<readonly (keyof Options & string)[] | undefined>(needs)) {
    if (Reflect.get(options, name) === undefined || others === undefined) continue;
    if (others.every((other) => options[other] === undefined)) refuse(guard, idle(name, others.join(' or ')));
  }
  return options;
}

/** Checks an argument that is not part of an options object. @throws HooksError `CONFIG_INVALID` */
export function checkArgument(guard: string, name: string, value: unknown, check: OptionCheck): void {
  const problem = check(value, name);
  if (problem !== undefined) refuse(guard, problem);
}

/** @param what a sentence without its full stop */
export function refuse(guard: string, what: string): never {
  throw new HooksError('CONFIG_INVALID', `${guard}: ${what}${what.endsWith('?') ? '' : '.'}`);
}

/** Says that an option has no effect. */
export function idle(name: string, without: string): string {
  return `${name} has no effect without ${without}; set that, too, or leave ${name} out`;
}

export const expression: OptionCheck = optionCheck(
  'a regular expression',
  (value) => value instanceof RegExp,
);
export const toolMatcher: OptionCheck = optionCheck(
  'the name of a tool, or a pattern',
  (value) => isText(value) || value instanceof RegExp,
);
export const secretKey: OptionCheck = optionCheck(
  'a text or bytes',
  (value) => isText(value) || (value instanceof Uint8Array && value.length > 0),
);
export const whole: OptionCheck = optionCheck(
  'a whole number greater than 0',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);

/** A value that passes one of the checks. */
export function anyOf(expected: string, ...checks: readonly OptionCheck[]): OptionCheck {
  return optionCheck(expected, (value) => checks.some((check) => check(value, '') === undefined));
}

/** A list with one item or more. */
export function listOf(item: OptionCheck, expected = 'a list with one item or more'): OptionCheck {
  const list = optionCheck(expected, (value) => Array.isArray(value) && value.length > 0);
  return (value, path) =>
    list(value, path) ??
    first((value as readonly unknown[]).entries(), ([at, one]) => item(one, `${path}[${at}]`));
}

/** An object with one entry or more, whose names are the user's. */
export function mapOf(entry: OptionCheck, expected = 'an object with one entry or more'): OptionCheck {
  const map = optionCheck(expected, hasEntries);
  return (value, path) =>
    map(value, path) ??
    first(Object.entries(value as object), ([name, one]) =>
      name === ''
        ? `${path} has an entry without a name; expected ${expected}`
        : entry(one, inMap(path, name)),
    );
}

/** `perTool.search`, and `perTool["web_.*"]`. */
export function inMap(path: string, name: string): string {
  return /^\w+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** An object with one of these fields or more. */
export function fields<Fields extends object>(checks: OptionChecks<Fields>): OptionCheck {
  const names = Object.keys(checks);
  const some = optionCheck(`an object with ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, hasEntries);
  const each = nestedOptions(checks);
  return (value, path) => some(value, path) ?? each(value, path);
}

/** An object with these methods, such as a store. */
export function having(expected: string, ...methods: readonly string[]): OptionCheck {
  return optionCheck(
    expected,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** An object with named values, not a list, a map or a date, of which one is set. */
function hasEntries(value: unknown): boolean {
  return (
    Object.prototype.toString.call(value) === '[object Object]' &&
    Object.values(Object(value)).some((one) => one !== undefined)
  );
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
