import { options } from '../shell/options.ts';

/** What a program copies or moves, and where to. */
export interface Copying {
  readonly sources: readonly string[];
  /** Nothing where there is one operand alone. */
  readonly target: string | undefined;
}

/** `cp a b folder`, `cp -t folder a b`; `valued` are the options with a value, where they are not those of `cp`. */
export function copying(args: readonly string[], valued: string = OPTIONS): Copying {
  const { operands, values } = options(args, valued.split(' '));
  const folder = values.get('-t') ?? values.get('--target-directory');
  if (folder !== undefined) return { sources: operands, target: folder };
  return { sources: operands.slice(0, -1), target: operands.length > 1 ? operands.at(-1) : undefined };
}

/** Those of `cp`, `mv`, `ln` and `install`. */
const OPTIONS = 't S m g o target-directory suffix mode owner group';
