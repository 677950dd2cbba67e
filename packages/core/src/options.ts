import { fail } from './error.ts';
import { nearestNames } from './nearest.ts';
import { copyList, fieldNames, isRecord } from './plain.ts';

/** Says what is wrong with a value, in a sentence that begins with its path; undefined if nothing is. */
export interface OptionCheck {
  (value: unknown, path: string): string | undefined;
  /** The option must be set. */
  readonly needed?: true;
  /** Copies a value that the check looks into, so that what it has seen there is what counts. Takes any value. */
  readonly copy?: (value: unknown) => unknown;
}

/** The check of an option that must be set. */
export interface NeededCheck extends OptionCheck {
  readonly needed: true;
}

/** A check for each option of a function. An option without one does not compile. */
export type OptionChecks<Options> = {
  readonly [Name in keyof Options]-?: object extends Pick<Options, Name> ? OptionCheck : NeededCheck;
};

/**
 * Checks the options of a function. An option that is accepted and does nothing is a gate that somebody believes in, and types
 * do not help where the caller is not typed.
 *
 * @param of the name of the function
 * @returns a copy, in which each option is as it was checked: a getter may answer differently the next time, and the program may
 *   change its object later
 * @throws HooksError `CONFIG_INVALID` if an option is unknown there, missing, or has an invalid value
 * @example
 * ```ts
 * const { cities, strict } = checkOptions('weatherGuard', options, { cities: optionKinds.texts, strict: optionKinds.flag });
 * ```
 */
export function checkOptions<Options extends object>(
  of: string,
  options: Options,
  checks: OptionChecks<Options>,
): Options {
  const read = readOptions(of, options, checks);
  return 'problem' in read ? fail('CONFIG_INVALID', read.problem) : read.options;
}

/**
 * {@link checkOptions} for a package that throws errors of its own.
 *
 * @returns the copy, or the message of the error
 */
export function readOptions<Options extends object>(
  of: string,
  options: unknown,
  checks: OptionChecks<Options>,
): { readonly options: Options } | { readonly problem: string } {
  const copy = copyOptions(options, checks);
  const problem = problemIn(copy, checks);
  // What is checked has the options, and no others.
  return problem === undefined ? { options: copy as Options } : { problem: messageOf(of, problem) };
}

function messageOf(of: string, problem: string): string {
  return `${of}: ${problem}${problem.endsWith('?') ? '' : '.'}`;
}

/** A check of an option that is an object with options. */
export function nestedOptions<Options extends object>(checks: OptionChecks<Options>): OptionCheck {
  const check = (value: unknown, path: string): string | undefined => problemIn(value, checks, path);
  return Object.assign(check, { copy: (value: unknown) => copyOptions(value, checks) });
}

/** Reads each option once, also those that an object inherits, or that its class has as accessors. */
function copyOptions<Options extends object>(options: unknown, checks: OptionChecks<Options>): unknown {
  if (!isRecord(options)) return options;
  const names = fieldNames(options);
  for (const name in checks) if (name in options) names.add(name);
  const known = new Map(Object.entries<OptionCheck>(checks));
  const read = (name: string): readonly [string, unknown] => {
    try {
      const value: unknown = Reflect.get(options, name);
      // A method of a class may use its private fields, which a copy does not have.
      const isMethod = typeof value === 'function' && !Object.hasOwn(options, name);
      const copied: unknown = isMethod
        ? Object.assign(value.bind(options), value)
        : known.get(name)?.copy?.(value);
      return [name, copied ?? value];
    } catch {
      return [name, unreadable];
    }
  };
  // Also a field `__proto__`, which is an unknown option.
  return Object.fromEntries(Array.from(names, read));
}

/** Stands for an option that threw when it was read. What it threw may hold a secret. */
const unreadable = Symbol();

function problemIn<Options extends object>(
  options: unknown,
  checks: OptionChecks<Options>,
  path?: string,
): string | undefined {
  if (!isRecord(options))
    return `${path === undefined ? 'the options are' : `${path} is`} ${shown(options)}; expected an object`;
  const prefix = path === undefined ? '' : `${path}.`;
  for (const name of fieldNames(options))
    if (!Object.hasOwn(checks, name))
      return `${prefix}${legible(name)} is unknown; ${suggestion(name, Object.keys(checks))}`;
  for (const [name, check] of Object.entries<OptionCheck>(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value === unreadable) return `${prefix}${name} cannot be read; its accessor throws`;
    const problem = value === undefined && !check.needed ? undefined : check(value, prefix + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Adds to a check that the option must be set. */
export function needed(check: OptionCheck): NeededCheck {
  const { copy } = check;
  return Object.assign((value: unknown, path: string) => check(value, path), {
    needed: true as const,
    ...(copy && { copy }),
  });
}

/**
 * A check of a value's kind.
 *
 * @param expected for the error, such as `a function`
 */
export function optionCheck(expected: string, takes: (value: unknown) => boolean): OptionCheck {
  return (value, path) => {
    if (takes(value)) return undefined;
    // Where a number is expected, it is no secret.
    const given = typeof value === 'number' && /\bnumber\b/.test(expected) ? value : shown(value);
    return `${path} is ${given}; expected ${expected}`;
  };
}

/** A check of a choice between words. The error shows what was written, because no word is a secret. */
export function oneOfWords(...words: readonly string[]): OptionCheck {
  return (value, path) => {
    if (words.some((word) => word === value)) return undefined;
    if (typeof value !== 'string' || value === '' || value.length > 40)
      return `${path} is ${shown(value)}; expected ${listed(words)}`;
    return `${path} is ${JSON.stringify(value)}; ${suggestion(value, words)}`;
  };
}

/** Checks of values that many options have. */
export const optionKinds: {
  readonly [Kind in 'text' | 'flag' | 'callback' | 'object' | 'texts' | 'positive' | 'amount']: OptionCheck;
} = {
  text: optionCheck('a text', (value) => typeof value === 'string' && value !== ''),
  flag: optionCheck('true or false', (value) => typeof value === 'boolean'),
  callback: optionCheck('a function', (value) => typeof value === 'function'),
  object: optionCheck(
    'an object',
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
  texts: Object.assign(
    optionCheck(
      'a list of texts',
      (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
    ),
    { copy: (value: unknown) => (Array.isArray(value) ? copyList(value) : value) },
  ),
  positive: optionCheck('a number greater than 0', (value) => typeof value === 'number' && value > 0),
  amount: optionCheck('a number of 0 or more', (value) => typeof value === 'number' && value >= 0),
};

/** `did you mean answers?`, or all of them if none is near. */
function suggestion(written: string, known: readonly string[]): string {
  const [nearest] = nearestNames(written, known);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return known.length === 0 ? 'there are no options' : `expected ${listed(known)}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A value in an error. A text or a number may be a secret, which errors do not show. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return 'a text';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isRecord(value) && Object.values(value).every((one) => one === undefined)) return 'an empty object';
  if (isRecord(value)) return 'an object';
  // `Promise`, `Map`, or what a class calls itself.
  if (typeof value === 'object' && value !== null)
    return `of type ${legible(Object.prototype.toString.call(value).slice(8, -1))}`;
  return value === null || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

/** A name on one line, and not at any length. */
function legible(name: string): string {
  const line = name.replace(/[^ -~]/g, '?');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
