import type { ApprovalOption } from '../approval/questions.ts';
import type { RefusedOption } from '../blocked.ts';
import { fail } from '../error.ts';
import { nearestNames } from '../nearest.ts';
import type { PrincipalOption } from './principal.ts';

/** The options of every adapter, each where the adapter has it. */
export interface AttachOptions<Native = never> extends PrincipalOption<Native>, RefusedOption {
  readonly approval?: ApprovalOption;
  readonly allowUnsupported?: readonly string[];
  readonly holdStream?: boolean;
  readonly maxContinuations?: number;
}

/** What the value of an option has to be. */
export interface OptionCheck {
  /** For the error, such as `a function`. */
  readonly expected: string;
  takes(value: unknown): boolean;
}

/** A check for each option of a function. An option without one does not compile. */
export type OptionChecks<Options> = { readonly [Name in keyof Options]-?: OptionCheck };

/** Checks of values that several options have. */
export const optionKinds: {
  readonly [Kind in 'text' | 'flag' | 'callback' | 'object' | 'texts' | 'approver']: OptionCheck;
} = {
  text: { expected: 'a text', takes: (value) => typeof value === 'string' && value !== '' },
  flag: { expected: 'true or false', takes: (value) => typeof value === 'boolean' },
  callback: { expected: 'a function', takes: (value) => typeof value === 'function' },
  object: { expected: 'an object', takes: isRecord },
  texts: {
    expected: 'a list of texts',
    takes: (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
  },
  /** `approval` where no run can pause. */
  approver: {
    expected: "'deny' or a function",
    takes: (value) => value === 'deny' || typeof value === 'function',
  },
};

/** The checks of the options that adapters share. Each function takes those that have an effect there. */
export const sharedOptions: OptionChecks<AttachOptions> = {
  approval: {
    expected: "'native', 'deny' or a function",
    takes: (value) => value === 'native' || optionKinds.approver.takes(value),
  },
  principal: optionKinds.callback,
  refused: { expected: 'return or throw', takes: (value) => value === 'return' || value === 'throw' },
  allowUnsupported: { ...optionKinds.texts, expected: 'a list of types of events' },
  holdStream: optionKinds.flag,
  maxContinuations: {
    expected: 'a number of 0 or more',
    takes: (value) => typeof value === 'number' && value >= 0,
  },
};

/**
 * Checks the options of a function. An option that is accepted and does nothing is a gate that somebody believes in, and types
 * do not help where the caller is not typed.
 *
 * @param of the name of the function
 * @throws HooksError `CONFIG_INVALID` if an option is unknown there, or has an invalid value
 */
export function checkOptions(
  of: string,
  options: unknown,
  checks: { readonly [name: string]: OptionCheck },
): void {
  if (!isRecord(options))
    fail('CONFIG_INVALID', `${of}: the options are ${shown(options)}; expected an object.`);
  const known = Object.keys(checks);
  for (const name of namesIn(options))
    if (!Object.hasOwn(checks, name))
      fail('CONFIG_INVALID', `${of}: ${legible(name)} is unknown; ${suggestion(name, known)}`);
  for (const [name, { expected, takes }] of Object.entries(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !takes(value))
      fail('CONFIG_INVALID', `${of}: ${name} is ${shown(value)}; expected ${expected}.`);
  }
}

function suggestion(given: string, known: readonly string[]): string {
  const [nearest] = nearestNames(given, known);
  return nearest === undefined ? `it takes ${known.join(', ')}.` : `did you mean ${nearest}?`;
}

/** The names of all options, also those that an object inherits, or that its class has as accessors. */
function namesIn(options: object): readonly string[] {
  const names = new Set<string>();
  for (const name in options) names.add(name);
  for (let at: unknown = options; isRecord(at) && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get) names.add(name);
  return [...names];
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is. Of texts only a short word is repeated, such as a choice that is misspelled: others may be secrets. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string' && !/^[a-z]{1,12}$/.test(value))
    return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'function' ? 'a function' : String(value);
}

/** A name on one line, and not at any length. */
function legible(name: string): string {
  const line = name.replace(/[^ -~]/g, '?');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
