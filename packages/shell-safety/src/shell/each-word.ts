import { quote } from '../input/quote.ts';
import type { Invocation } from '../programs/program.ts';
import { contentOf } from './file-content.ts';
import { UNKNOWN } from './marks.ts';
import { options } from './options.ts';
import { outputOf } from './output.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

/** Runs the program behind `xargs` with the words that it reads. */
export function runXargs({ args, cwd }: Invocation, call: Call, runner: Runner): string | undefined {
  const { flags, values, operands: program } = options(args, XARGS_VALUED, true);
  const attached = args
    .slice(0, args.length - program.length)
    .flatMap((arg) => /^-i(.+)$/.exec(arg)?.[1] ?? [])
    .at(-1);
  const file = values.get('-a') ?? values.get('--arg-file') ?? '-';
  const stdin = contentOf(file, cwd, runner.files, call.stdin) ?? UNKNOWN;
  const lines = piecesAt(/[\n\0]+/, stdin);
  const wholeLines = ['-0', '--null', '-d', '--delimiter'].some((flag) => flags.has(flag));
  const words = wholeLines ? lines : wordsIn(stdin);
  const read = words.length > 0 ? words : [UNKNOWN];
  if (program.length === 0) return read.join(' ');
  const next: Call = { ...call, stdin: undefined };
  const given = attached ?? values.get('-I') ?? values.get('--replace');
  const marker = given ?? (flags.has('-i') || flags.has('--replace') ? '{}' : undefined);
  if (marker === undefined) return runner.run([...program, ...read], next);
  // With a marker it takes whole lines, which often are single words.
  return [...new Set([...lines, ...read])]
    .map((word) => runner.run(filledIn(program, marker, word), next))
    .join('');
}

const XARGS_VALUED = [
  ...'adEILnPs',
  ...'arg-file delimiter max-args max-procs max-lines max-chars'.split(' '),
];

function piecesAt(separator: RegExp, text: string): string[] {
  return text.split(separator).filter((piece) => piece !== '');
}

/** Words as `xargs` reads them: with quotes and escapes, which it takes away. */
function wordsIn(text: string): string[] {
  const words = text.match(/(?:'[^'\n]*'|"[^"\n]*"|\\[^\s\0]|[^\s\0])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^'\n]*)'|"([^"\n]*)"|\\(.)/g, (_, single, double, char) => single ?? double ?? char),
  );
}

/** Replaces the placeholders in the words of a program. */
function filledIn(program: readonly string[], marker: string | RegExp, text: string): string[] {
  return program.map((word) => word.replaceAll(marker, () => text));
}

function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || (path.startsWith('/') ? '/' : '.');
}

/** Where `fd` and `parallel` put what they found: `{}`, `{.}`, `{/}`, `{//}`, and of several lists `{2}`. */
const PLACES = /\{(\d?)([./]*)\}/g;

/** `parallel rm {} ::: a b`, or with the words of the input; a program given as one text is a text for a shell. */
export function runParallel({ args, cwd }: Invocation, call: Call, runner: Runner): string | undefined {
  const { operands, values } = options(args, PARALLEL_VALUED, true);
  const sources = operands.findIndex((arg) => SOURCE.test(arg));
  const program = sources === -1 ? operands : operands.slice(0, sources);
  const file = values.get('-a') ?? values.get('--arg-file') ?? '-';
  const lists = sources === -1 ? [linesOf(file)] : listsOf(operands.slice(sources));
  // A word with blanks in it is the script of a shell, as in `parallel bash -c '…'`.
  const parts = program.map((word) => (program.length > 1 && /\s/.test(word) ? quote(word) : word));
  const template = program.some((word) => word.includes('{')) ? parts.join(' ') : [...parts, '{}'].join(' ');
  const whole = template === '{}' || template.includes("'");
  // A word that is put into a command is one word there.
  const columns = values.get('--colsep') ?? values.get('-C');
  for (const fields of together(lists)) {
    const words = columns === undefined ? fields : fields.flatMap((field) => columnsOf(field, columns));
    const text = template.replaceAll(PLACES, (_, number: string, part: string) => {
      const given = number === '' ? words : words.slice(Number(number) - 1, Number(number));
      const parts = part === '//' ? given.map(folderIn) : given;
      return parts.map((word) => (whole ? word : quote(word))).join(' ');
    });
    runner.script(text, subshell(call.scope));
  }
  return UNKNOWN;

  function linesOf(path: string): readonly string[] {
    return (contentOf(path, cwd, runner.files, call.stdin) ?? UNKNOWN)
      .split('\n')
      .filter((line) => line !== '');
  }

  /** What stands behind each `:::`, and the lines of the files behind `::::`. */
  function listsOf(words: readonly string[]): readonly (readonly string[])[] {
    const found: string[][] = [];
    let named = false;
    for (const word of words) {
      if (SOURCE.test(word)) {
        named = word.startsWith('::::');
        found.push([]);
      } else found.at(-1)?.push(...(named ? linesOf(word) : [word]));
    }
    return found;
  }
}

/** A separator of columns is an expression: `,`, `\t`, `\s+`. */
function columnsOf(line: string, separator: string): readonly string[] {
  return line.split(separator.includes('\\') ? /\s+/ : separator);
}

const SOURCE = /^:::[:+]{0,2}$/;

/** Each word of a list with each of the others. */
function together(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let rounds: readonly (readonly string[])[] = [[]];
  for (const list of lists.slice(0, MAX_LISTS))
    rounds =
      rounds.length > 1 && rounds.length * list.length > MAX_ROUNDS
        ? inPairs(rounds, list)
        : rounds.flatMap((words) => list.map((word) => [...words, word]));
  return rounds;
}

/** Each word and each round once, with some of the other list. */
function inPairs(
  rounds: readonly (readonly string[])[],
  list: readonly string[],
): readonly (readonly string[])[] {
  const length = Math.max(rounds.length, list.length);
  return Array.from({ length }, (_, i) => [
    ...(rounds[i % rounds.length] ?? []),
    list[i % list.length] ?? '',
  ]);
}

/** So many rounds are gone through with each word of another list. */
const MAX_ROUNDS = 16;

/** A place names one by its digit. */
const MAX_LISTS = 9;

const PARALLEL_VALUED = [
  ...'ajNnLISEPC',
  'arg-file',
  'jobs',
  'delay',
  'timeout',
  'joblog',
  'colsep',
  'retries',
];

/** Runs the programs behind `-exec` with what the search would find. */
export function runFind(invocation: Invocation, call: Call, runner: Runner): undefined {
  const { args } = invocation;
  const found = outputOf(invocation, runner.files).split('\n');
  for (let i = 0; i < args.length; i++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(args[i] ?? '')) continue;
    const from = i + 1;
    while (i + 1 < args.length && !/^[;+]$/.test(args[i + 1] ?? '')) i++;
    const words = args.slice(from, i + 1);
    const first = words.indexOf('{}');
    // All that is found again only where that is little.
    const isShort = words.length * found.length <= MAX_FIELDS;
    const fields = words.flatMap((word, at) =>
      word === '{}' && (isShort || at === first) ? found : word.replaceAll('{}', () => found[0] ?? ''),
    );
    runner.run(fields, { ...call, stdin: undefined });
  }
}

const MAX_FIELDS = 4096;

/** `fd PATTERN FOLDER… -x program`. */
export function runFd({ args }: Invocation, call: Call, runner: Runner): undefined {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return undefined;
  const { flags, operands } = options(args.slice(0, at), FD_VALUED);
  const [pattern = '', ...folders] = operands;
  const name = pattern.replace(/^\^|\$$/g, '').replaceAll('\\', '');
  const narrow = !/^\.?\*?$/.test(pattern) || [...flags].some((flag) => FD_FILTERS.test(flag));
  const last = narrow ? (/^[\w.-]+$/.test(name) ? name : UNKNOWN) : '*';
  const found = (folders.length > 0 ? folders : ['.']).map((folder) => `${folder}/${last}`);
  const program = args.slice(at + 1);
  const fields = program.some((word) => word.includes('{'))
    ? filledIn(program, PLACES, found[0] ?? '')
    : [...program, ...found];
  runner.run(fields, { ...call, stdin: undefined });
}

const FD_VALUED = [
  ...'dteEcjS',
  ...'max-depth type extension exclude size changed-within changed-before'.split(' '),
];
const FD_FILTERS = /^(?:-e|--extension|-S|--size|--changed-within|--changed-before)$/;
