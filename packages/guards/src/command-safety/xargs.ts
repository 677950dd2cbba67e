import { CONTENT, UNKNOWN } from './marks.ts';
import type { Call, Runner } from './runner.ts';

/** Runs the program behind `xargs` with the words that it reads. */
export function runXargs(args: readonly string[], call: Call, runner: Runner): string {
  let replace: string | undefined;
  let { stdin } = call;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      i++;
      break;
    }
    if (!arg.startsWith('-')) break;
    const marker = /^(?:-I|-i|--replace=?)(.*)$/s.exec(arg);
    if (marker) replace = marker[1] || (arg === '-I' ? args[++i] : '{}');
    else if (VALUED.test(arg)) {
      const value = args[++i] ?? '';
      if (/^(?:-a|--arg-file)$/.test(arg)) stdin = value.startsWith(CONTENT) ? value.slice(1) : UNKNOWN;
    }
  }
  const program = args.slice(i);
  const words = (stdin ?? UNKNOWN).split(/[\s\0]+/).filter((word) => word !== '');
  const read = words.length > 0 ? words.slice(0, MAX_WORDS) : [UNKNOWN];
  const next: Call = { ...call, stdin: undefined };
  if (program.length === 0) return read.join(' ');
  if (replace === undefined) return runner.run([...program, ...read], next);
  const marker = replace;
  return read
    .slice(0, MAX_ROUNDS)
    .map((word) =>
      runner.run(
        program.map((field) => field.replaceAll(marker, () => word)),
        next,
      ),
    )
    .join('');
}

const VALUED = /^(?:-[adEeLlnPs]|--arg-file|--delimiter|--max-args|--max-procs|--max-lines|--max-chars)$/;
const MAX_WORDS = 256;
const MAX_ROUNDS = 16;
