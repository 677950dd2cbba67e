import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Program, UserError } from './program.ts';

/** What names a policy in a file, as errors say what they expected. */
export const HOOK_FILE = 'a file of hooks, or its directory';

/**
 * The absolute path of what an argument names, which must exist. A text that is the path of nothing may be an address with a
 * password, so the error names the argument and not its value.
 *
 * @param name of the argument, as the help writes it
 * @param expected what would be right, as "expected" goes on
 */
export function existing(
  name: string,
  given: string,
  { cwd }: Pick<Program, 'cwd'>,
  expected: string,
): string {
  const path = resolve(cwd(), given);
  if (existsSync(path)) return path;
  throw new UserError(`${name}: there is no such file in ${nearest(path)}; expected ${expected}`);
}

/** `at` a path if something is there, or else `in` what there is on the way to it. */
export function whereIs(path: string): string {
  return `${existsSync(path) ? 'at' : 'in'} ${nearest(path)}`;
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}
