import type { Invocation } from './invocation.ts';
import { outputOf } from './output.ts';
import type { Call, Runner } from './runner.ts';

/** Runs the programs behind `-exec` with what the search would find. */
export function runFind(invocation: Invocation, call: Call, runner: Runner): void {
  const { args } = invocation;
  const found = outputOf(invocation, runner.files).split('\n');
  for (let i = 0; i < args.length; i++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(args[i] ?? '')) continue;
    const end = args.findIndex((arg, n) => n > i && (arg === ';' || arg === '+'));
    const program = args.slice(i + 1, end === -1 ? args.length : end);
    const fields = program.flatMap((word) =>
      word === '{}' ? found : [word.replaceAll('{}', () => found[0] ?? '')],
    );
    runner.run(fields, { ...call, stdin: undefined });
    i += program.length;
  }
}
