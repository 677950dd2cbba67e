import { isKnown } from '../shell/marks.ts';
import type { Invocation } from './program.ts';

/** What a database's shell is told, in its arguments and in what it reads: queries, and commands of its own. */
export function runQueries({ args, stdin }: Invocation, judge: (text: string) => void): undefined {
  for (const arg of args) if (/[\s(]/.test(arg)) judge(arg);
  if (stdin === undefined || !isKnown(stdin)) return;
  judge(stdin);
}
