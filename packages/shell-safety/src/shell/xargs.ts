import { quote } from '../input/quote.ts';
import { CONTENT, UNKNOWN } from './marks.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

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
  const piecesAt = (separator: RegExp): string[] =>
    (stdin ?? UNKNOWN).split(separator).filter((piece) => piece !== '');
  const lines = args.slice(0, i).some((arg) => /^(?:-0|--null|-\w*0|-d|--delimiter)/.test(arg));
  const words = piecesAt(lines ? /[\n\0]+/ : /[\s\0]+/);
  const read = words.length > 0 ? words.slice(0, MAX_WORDS) : [UNKNOWN];
  const next: Call = { ...call, stdin: undefined };
  if (program.length === 0) return read.join(' ');
  if (replace === undefined) return runner.run([...program, ...read], next);
  const marker = replace;
  // With a marker it takes whole lines, which often are single words.
  return [...new Set([...piecesAt(/[\n\0]+/), ...read])]
    .slice(0, MAX_ROUNDS)
    .map((word) =>
      runner.run(
        program.map((field) =>
          field.replaceAll(marker, () => (field.includes(`/${marker}`) ? baseName(word) : word)),
        ),
        next,
      ),
    )
    .join('');
}

/** `ls folder` says what is in it by names alone. */
function baseName(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1);
}

const VALUED = /^(?:-[adELnPs]|--arg-file|--delimiter|--max-args|--max-procs|--max-lines|--max-chars)$/;
const MAX_WORDS = 256;
const MAX_ROUNDS = 16;

/** `parallel rm {} ::: a b`, or with the words of the input; a program given as one text is a text for a shell. */
export function runParallel(args: readonly string[], call: Call, runner: Runner): string {
  let i = 0;
  for (; i < args.length && /^-./.test(args[i] ?? ''); i++) if (PARALLEL_VALUED.test(args[i] ?? '')) i++;
  const sources = args.findIndex((arg) => /^:::\+?$/.test(arg));
  const program = args.slice(i, sources === -1 ? args.length : sources);
  const read = (sources === -1 ? (call.stdin ?? UNKNOWN).split('\n') : args.slice(sources + 1)).filter(
    (word) => word !== '',
  );
  // A word with blanks in it is the script of a shell, as in `parallel bash -c '…'`.
  const template = program
    .map((word) => (program.length > 1 && /\s/.test(word) ? quote(word) : word))
    .join(' ');
  const scope = subshell(call.scope);
  for (const word of read.slice(0, MAX_ROUNDS)) {
    // A word that is put into a command is one word there.
    const one = `'${word.replaceAll("'", "'\\''")}'`;
    const text = template.includes('{')
      ? template.replaceAll(/\{[./]*\}/g, () => (template === '{}' || template.includes("'") ? word : one))
      : template === ''
        ? word
        : `${template} ${one}`;
    runner.script(text, scope, undefined);
  }
  return UNKNOWN;
}

const PARALLEL_VALUED = /^(?:-[jNnLISEP]|--jobs|--delay|--timeout|--joblog|--colsep|--retries)$/;
