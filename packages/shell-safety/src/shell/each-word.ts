import { quote } from '../input/quote.ts';
import type { Invocation } from '../programs/program.ts';
import { CONTENT, UNKNOWN } from './marks.ts';
import { options } from './options.ts';
import { outputOf } from './output.ts';
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
        program.map((field) => field.replaceAll(marker, () => word)),
        next,
      ),
    )
    .join('');
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
  const words = sources === -1 ? (call.stdin ?? UNKNOWN).split('\n') : args.slice(sources + 1);
  // A word with blanks in it is the script of a shell, as in `parallel bash -c '…'`.
  const parts = program.map((word) => (program.length > 1 && /\s/.test(word) ? quote(word) : word));
  const template = program.some((word) => word.includes('{')) ? parts.join(' ') : [...parts, '{}'].join(' ');
  const whole = template === '{}' || template.includes("'");
  // A word that is put into a command is one word there.
  for (const word of words.filter((read) => read !== '').slice(0, MAX_ROUNDS))
    runner.script(
      template.replaceAll(/\{[./]*\}/g, () => (whole ? word : quote(word))),
      subshell(call.scope),
      undefined,
    );
  return UNKNOWN;
}

const PARALLEL_VALUED = /^(?:-[jNnLISEP]|--jobs|--delay|--timeout|--joblog|--colsep|--retries)$/;

/** Runs the programs behind `-exec` with what the search would find. */
export function runFind(invocation: Invocation, call: Call, runner: Runner): void {
  const { args } = invocation;
  const found = outputOf(invocation, runner.files).split('\n');
  for (let i = 0; i < args.length; i++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(args[i] ?? '')) continue;
    const program: string[] = [];
    while (i + 1 < args.length && !/^[;+]$/.test(args[i + 1] ?? '')) program.push(args[++i] ?? '');
    const fields = program.flatMap((word) =>
      word === '{}' ? found : word.replaceAll('{}', () => found[0] ?? ''),
    );
    runner.run(fields, { ...call, stdin: undefined });
  }
}

/** `fd PATTERN FOLDER… -x program`. */
export function runFd({ args }: Invocation, call: Call, runner: Runner): void {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return;
  const { flags, operands } = options(args.slice(0, at), FD_VALUED.split(' '));
  const [pattern = '', ...folders] = operands;
  const name = pattern.replace(/^\^|\$$/g, '').replaceAll('\\', '');
  const narrow = !/^\.?\*?$/.test(pattern) || [...flags].some((flag) => FD_FILTERS.test(flag));
  const last = narrow ? (/^[\w.-]+$/.test(name) ? name : UNKNOWN) : '*';
  const found = (folders.length > 0 ? folders : ['.']).map((folder) => `${folder}/${last}`);
  const program = args.slice(at + 1);
  const fields = program.some((word) => word.includes('{'))
    ? program.map((word) => word.replaceAll(/\{[./]*\}/g, () => found[0] ?? ''))
    : [...program, ...found];
  runner.run(fields, { ...call, stdin: undefined });
}

const FD_VALUED = 'd t e E c j S max-depth type extension exclude size changed-within changed-before';
const FD_FILTERS = /^(?:-e|--extension|-S|--size|--changed-within|--changed-before)$/;
