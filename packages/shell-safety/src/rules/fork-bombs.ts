import { type Finding, finding } from '../effect.ts';

/** A function that starts itself in the background; the walk knows the functions. */
export const forkingFunction: Finding = finding(
  'fork-bomb/function',
  'This function starts copies of itself in the background without end and would hang the machine.',
  'Do not run it; call a function recursively only with a condition that ends it and without `&` or `|`.',
);

/** A loop without end that starts processes and waits for none. */
export const forkingLoop: Finding = finding(
  'fork-bomb/loop',
  'This endless loop starts processes in the background without waiting for them and would hang the machine.',
  'Loop a fixed number of times, or `wait` for each process.',
);
