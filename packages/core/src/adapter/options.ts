import type { ApprovalOption } from '../approval/questions.ts';
import type { RefusedOption } from '../blocked.ts';
import { fail } from '../error.ts';
import type { PrincipalOption } from './principal.ts';

/** The options of every adapter, each where the adapter has it. */
export interface AttachOptions<Native = never> extends PrincipalOption<Native>, RefusedOption {
  readonly approval?: ApprovalOption;
  readonly allowUnsupported?: readonly string[];
  readonly holdStream?: boolean;
  readonly maxContinuations?: number;
}

interface Taken {
  readonly expected: string;
  readonly takes: (value: unknown) => boolean;
}

const OPTIONS: { readonly [Name in keyof AttachOptions]-?: Taken } = {
  approval: {
    expected: "'native', 'deny' or a function",
    takes: (value) => value === 'native' || value === 'deny' || typeof value === 'function',
  },
  principal: { expected: 'a function', takes: (value) => typeof value === 'function' },
  refused: { expected: 'return or throw', takes: (value) => value === 'return' || value === 'throw' },
  allowUnsupported: {
    expected: 'a list of types of events',
    takes: (value) => Array.isArray(value) && value.every((type) => typeof type === 'string'),
  },
  holdStream: { expected: 'true or false', takes: (value) => typeof value === 'boolean' },
  maxContinuations: {
    expected: 'a number of 0 or more',
    takes: (value) => typeof value === 'number' && value >= 0,
  },
};

/**
 * Checks the values of the options that all adapters share. Each adapter checks those that only it has.
 *
 * @throws HooksError `CONFIG_INVALID` if a value is invalid
 */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('CONFIG_INVALID', `the options of the adapter are ${shown(options)}; expected an object.`);
  for (const [name, { expected, takes }] of Object.entries(OPTIONS)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !takes(value))
      fail('CONFIG_INVALID', `${name} is ${shown(value)}; expected ${expected}.`);
  }
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
