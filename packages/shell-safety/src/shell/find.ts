import type { Invocation } from '../programs/program.ts';
import { UNKNOWN } from './marks.ts';
import { options } from './options.ts';
import { outputOf } from './output.ts';
import type { Call, Runner } from './runner.ts';

/** Runs the programs behind `-exec` with what the search would find. */
export function runFind(invocation: Invocation, call: Call, runner: Runner): void {
  const { args } = invocation;
  const found = outputOf(invocation, runner.files).split('\n');
  for (let i = 0; i < args.length; i++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(args[i] ?? '')) continue;
    const end = endOf(args, i + 1);
    const program = args.slice(i + 1, end === -1 ? args.length : end);
    const fields = program.flatMap((word) =>
      word === '{}' ? found : [word.replaceAll('{}', () => found[0] ?? '')],
    );
    runner.run(fields, { ...call, stdin: undefined });
    i += program.length;
  }
}

function endOf(args: readonly string[], from: number): number {
  for (let i = from; i < args.length; i++) if (args[i] === ';' || args[i] === '+') return i;
  return -1;
}

/** `fd PATTERN FOLDER… -x program`. */
export function runFd({ args }: Invocation, call: Call, runner: Runner): void {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return;
  const { flags, operands } = options(args.slice(0, at), FD_VALUED);
  const [pattern = '', ...folders] = operands;
  const name = pattern.replace(/^\^|\$$/g, '').replaceAll('\\', '');
  const narrow = !/^\.?\*?$/.test(pattern) || FD_FILTERS.some((flag) => flags.has(flag));
  const found = (folders.length > 0 ? folders : ['.']).map(
    (folder) => `${folder}/${narrow ? (/^[\w.-]+$/.test(name) ? name : UNKNOWN) : '*'}`,
  );
  const program = args.slice(at + 1);
  const fields = program.some((word) => word.includes('{'))
    ? program.map((word) => word.replaceAll(/\{[./]*\}/g, () => found[0] ?? ''))
    : [...program, ...found];
  runner.run(fields, { ...call, stdin: undefined });
}

const FD_VALUED = [
  ...'dteEcjS',
  'max-depth',
  'type',
  'extension',
  'exclude',
  'size',
  'changed-within',
  'changed-before',
];
const FD_FILTERS = ['-e', '--extension', '-S', '--size', '--changed-within', '--changed-before'];
