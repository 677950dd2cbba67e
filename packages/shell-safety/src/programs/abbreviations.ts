import type { Names } from './pattern.ts';
import type { Program, Starts } from './program.ts';
import { readArguments, syntaxOf } from './syntax/syntax.ts';

/**
 * The arguments with abbreviated long options written out: most programs take `--forc` for `--force`. The table does not say
 * which verb has which options, so an abbreviation stands for each dangerous option that begins so, or else for the shortest.
 */
export function withLongOptions(args: readonly string[], known: Program): readonly string[] {
  if (known.style || !args.some((arg) => ABBREVIATED.test(arg))) return args;
  const syntax = syntaxOf(known.syntax);
  if (syntax) return readArguments(args, syntax, known.valued ?? '', false).spelledOut;
  const { dangerous, others } = longOptions(known);
  if (dangerous.length + others.length === 0) return args;
  // Arguments after the program that a wrapper starts belong to that program.
  const leading =
    known.container || known.starter || (known.starts && !known.starts.verbs && known.starts.skip !== 'all');
  let ended = false;
  return args.flatMap((arg, i) => {
    ended ||=
      arg === '--' || (leading === true && !arg.startsWith('-') && !isValue(args[i - 1], known.starts));
    if (ended || !ABBREVIATED.test(arg)) return arg;
    const equals = arg.indexOf('=');
    const given = equals === -1 ? arg : arg.slice(0, equals);
    if (dangerous.includes(given) || others.includes(given)) return arg;
    const meant = (option: string): boolean => option.startsWith(given);
    const names = dangerous.some(meant) ? dangerous.filter(meant) : others.filter(meant).slice(0, 1);
    return names.length > 0 ? names.map((name) => name + arg.slice(given.length)) : arg;
  });
}

const ABBREVIATED = /^--[a-z]/;

function isValue(before: string | undefined, starts: Starts | undefined): boolean {
  return before !== undefined && (starts?.valued?.split(' ').includes(before.replace(/^--?/, '')) ?? false);
}

interface LongOptions {
  readonly dangerous: readonly string[];
  /** The shortest first. */
  readonly others: readonly string[];
}

/** The long options that the table names. */
function longOptions(known: Program): LongOptions {
  const names = LONG_OPTIONS.get(known) ?? namedIn(known);
  LONG_OPTIONS.set(known, names);
  return names;
}

const LONG_OPTIONS = new WeakMap<Program, LongOptions>();

function namedIn({ long = '', valued = '', starts, dryRun, dangers = [] }: Program): LongOptions {
  const words = [long, valued, starts?.valued ?? ''].join(' ').split(' ');
  const plain = words.filter((word) => word.length > 1).map((word) => `--${word}`);
  const lists = [starts?.commandIn, starts?.folderIn, dryRun, ...dangers.map(({ unless }) => unless)];
  return {
    dangerous: longOf(dangers.flatMap(({ option }) => wordsOf(option))),
    others: longOf([...plain, ...lists.flatMap(wordsOf)]).toSorted((a, b) => a.length - b.length),
  };
}

function wordsOf(list: Names | undefined): readonly string[] {
  return typeof list === 'string' ? list.split(' ').map((word) => word.replace(/=.*$/, '')) : [];
}

function longOf(options: readonly string[]): readonly string[] {
  return [...new Set(options.filter((word) => /^--[a-z][a-z-]+$/.test(word)))];
}
