import type { Names } from './pattern.ts';
import type { Program, Starts } from './program.ts';

/**
 * The arguments with abbreviated long options written out: most programs take `--forc` for `--force`. Of several options that
 * begin so, the shortest is taken; programs refuse such an abbreviation.
 */
export function withLongOptions(args: readonly string[], known: Program): readonly string[] {
  if (known.oneDash || !args.some((arg) => ABBREVIATED.test(arg))) return args;
  const names = longOptions(known);
  if (names.length === 0) return args;
  // What stands behind the program that a wrapper starts belongs to that program.
  const leading =
    known.container || known.starter || (known.starts && !known.starts.verbs && known.starts.skip !== 'all');
  let ended = false;
  return args.map((arg, i) => {
    ended ||=
      arg === '--' || (leading === true && !arg.startsWith('-') && !isValue(args[i - 1], known.starts));
    if (ended || !ABBREVIATED.test(arg)) return arg;
    const equals = arg.indexOf('=');
    const given = equals === -1 ? arg : arg.slice(0, equals);
    const name = names.find((option) => option.startsWith(given));
    return name === undefined ? arg : name + arg.slice(given.length);
  });
}

const ABBREVIATED = /^--[a-z]/;

function isValue(before: string | undefined, starts: Starts | undefined): boolean {
  return before !== undefined && (starts?.valued?.split(' ').includes(before.replace(/^--?/, '')) ?? false);
}

/** The long options that the table names, the shortest first. */
function longOptions(known: Program): readonly string[] {
  const names = LONG_OPTIONS.get(known) ?? namedIn(known);
  LONG_OPTIONS.set(known, names);
  return names;
}

const LONG_OPTIONS = new WeakMap<Program, readonly string[]>();

function namedIn({ long = '', valued = '', starts, dryRun, dangers = [] }: Program): readonly string[] {
  const words = [long, valued, starts?.valued ?? ''].join(' ').split(' ');
  const named = words.filter((word) => word.length > 1).map((word) => `--${word}`);
  const lists: readonly (Names | undefined)[] = [
    starts?.commandIn,
    starts?.folderIn,
    dryRun,
    ...dangers.flatMap(({ option, unless }) => [option, unless]),
  ];
  for (const list of lists)
    if (typeof list === 'string') named.push(...list.split(' ').map((word) => word.replace(/=.*$/, '')));
  const unique = new Set(named.filter((word) => /^--[a-z][a-z-]+$/.test(word)));
  return [...unique].sort((a, b) => a.length - b.length);
}
