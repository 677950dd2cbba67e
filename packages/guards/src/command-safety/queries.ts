import { embeddedScripts } from './embedded.ts';
import type { Invocation } from './invocation.ts';
import { isKnown } from './marks.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

/** What a database's shell is told, in its arguments and in what it reads: queries, and commands of its own. */
export function runQueries(
  { stdin, ...invocation }: Invocation,
  call: Call,
  runner: Runner,
  judge: (text: string) => void,
): undefined {
  for (const arg of invocation.args) if (/[\s(]/.test(arg)) judge(arg);
  if (stdin === undefined || !isKnown(stdin)) return;
  judge(stdin);
  for (const script of embeddedScripts({ ...invocation, args: stdin.split('\n'), stdin }))
    runner.script(script, subshell(call.scope), undefined);
}
