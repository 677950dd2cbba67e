import { ALL_OF_A_KIND, CHANGED } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { isNamed } from './pattern.ts';
import { beginWith, firstWords } from './phrases.ts';
import type { CallPattern, DangerousCall, Invocation, Program, When } from './program.ts';
import { readArguments, syntaxOf } from './syntax/syntax.ts';

/** A call as patterns see it. */
interface ReadCall {
  /** The arguments as they stand, joined by blanks. */
  readonly line: string;
  readonly isTyped: boolean;
  /** `NAME=value` */
  readonly variables: () => readonly string[];
  /** Verbs and operands; `--` among them. */
  readonly words: readonly string[];
  /** All names of each of the verbs that the words begin with. */
  readonly verbs?: readonly (readonly string[])[];
  /** `-f`, `--force`, and with their values: `-X=DELETE`. */
  readonly options: readonly string[];
}

/** Whether a call is of a kind. */
export function fits(call: Invocation, pattern: CallPattern): boolean {
  const { words, not, word, lacks, argument, terminal, everything, changed, variable, option, and, unless } =
    pattern;
  const read = readCall(call);
  if (words !== undefined && !beginWith(read.words, words, read.verbs)) return false;
  if (not !== undefined && beginWith(read.words, not, read.verbs)) return false;
  if (word && !read.words.some((given) => word.test(given))) return false;
  if (lacks && read.words.some((given) => lacks.test(given))) return false;
  if (argument && !isNamed(call.args, argument)) return false;
  if (terminal !== undefined && terminal !== read.isTyped) return false;
  if (everything && !read.line.includes(ALL_OF_A_KIND)) return false;
  if (changed && !read.line.includes(CHANGED)) return false;
  if (variable && !read.variables().some((given) => variable.test(given))) return false;
  if (option && !isNamed(read.options, option)) return false;
  if (and && !isNamed(read.options, and)) return false;
  // `RAILS_ENV=test` is as good as an option.
  return !unless || !isNamed([...read.options, ...read.variables()], unless);
}

/** The dangers of a program that a call may have: by the word that it begins with, most are out of the question. */
export function possibleDangers(call: Invocation): readonly DangerousCall[] {
  const { dangers } = call.known;
  if (dangers === undefined || dangers.length < 8) return dangers ?? [];
  let byWord = BY_WORD.get(dangers);
  if (!byWord) {
    byWord = indexed(dangers);
    BY_WORD.set(dangers, byWord);
  }
  const { words, verbs } = readCall(call);
  // A verb counts under each of its names.
  if ((verbs?.[0]?.length ?? 0) > 1) return dangers;
  const first = words.find((word) => word !== '--') ?? ANY;
  return byWord.get(first.toLowerCase()) ?? byWord.get(ANY) ?? dangers;
}

/** Stands for all words that no phrase begins with. */
const ANY = '';
const BY_WORD = new WeakMap<readonly DangerousCall[], ReadonlyMap<string, readonly DangerousCall[]>>();

function indexed(dangers: readonly DangerousCall[]): ReadonlyMap<string, readonly DangerousCall[]> {
  const first = dangers.map(({ words }) => (words === undefined ? undefined : firstWords(words)));
  const names = new Set([ANY, ...first.flatMap((words) => words ?? [])]);
  return new Map(
    Array.from(names, (name) => [name, dangers.filter((_, i) => first[i]?.includes(name) !== false)]),
  );
}

/** Whether a call is of one of some kinds. */
export function fitsOne(call: Invocation, when: When): boolean {
  if (typeof when === 'string') return fits(call, { words: when });
  return isList(when) ? when.some((pattern) => fits(call, pattern)) : fits(call, when);
}

function isList(when: CallPattern | readonly CallPattern[]): when is readonly CallPattern[] {
  return Array.isArray(when);
}

export function readCall(call: Invocation): ReadCall {
  if (latest?.call !== call) latest = { call, read: read(call) };
  return latest.read;
}

/** Rules ask about one call after the other, and several about the same. */
let latest: { readonly call: Invocation; readonly read: ReadCall } | undefined;

function read({ args, stdin, env, known }: Invocation): ReadCall {
  return {
    line: [...args, ...[ALL_OF_A_KIND, CHANGED].filter((mark) => stdin?.includes(mark))].join(' '),
    isTyped: stdin === undefined,
    variables: () => Array.from(env, ([name, value]) => `${name}=${value}`),
    ...wordsAndOptions(args, known),
  };
}

function wordsAndOptions(
  args: readonly string[],
  known: Program,
): Pick<ReadCall, 'words' | 'verbs' | 'options'> {
  const { valued = '', style, long = '' } = known;
  if (style === 'windows') return readWindows(args, long);
  const syntax = syntaxOf(known.syntax);
  const oneDash = style === 'one-dash';
  return syntax ? readArguments(args, syntax, valued, oneDash) : readFlat(args, valued, oneDash);
}

/**
 * The arguments of a cmdlet or a program of Windows, in lower case. Any option may have a value; what follows an option is also
 * among the words, because it may have none. Options of cmdlets may be abbreviated: `long` has those that matter.
 */
function readWindows(args: readonly string[], long: string): Pick<ReadCall, 'words' | 'options'> {
  const words: string[] = [];
  const options: string[] = [];
  let before: string | undefined;
  for (const arg of args) {
    const [, given = '', attached] = WINDOWS_OPTION.exec(arg) ?? [];
    if (given === '') {
      words.push(arg);
      if (before !== undefined) options.push(`${before}=${arg.toLowerCase()}`);
      before = undefined;
      continue;
    }
    const name = given.toLowerCase();
    before = `-${long.split(' ').find((option) => option.startsWith(name)) ?? name}`;
    options.push(before);
    if (attached === undefined) continue;
    options.push(`${before}=${attached.toLowerCase()}`);
    before = undefined;
  }
  return { words, options };
}

/** `-Name`, `-Name:value`, `/name:value`; with two slashes in a Bash of Windows. */
const WINDOWS_OPTION = /^(?:-|\/{1,2})([a-z?][\w-]*)(?::(.*))?$/is;

/** The arguments of a program whose verbs all have the same options. */
function readFlat(
  args: readonly string[],
  valued: string,
  oneDash: boolean,
): Pick<ReadCall, 'words' | 'options'> {
  const dashes = args.indexOf('--');
  const before = dashes === -1 ? args : args.slice(0, dashes);
  const { flags, given, operands } = options(
    oneDash ? before.map((arg) => (/^-\w\w/.test(arg) ? `-${arg}` : arg)) : before,
    valued,
  );
  return {
    words: dashes === -1 ? operands : [...operands, '--', ...args.slice(dashes + 1)],
    options: [...flags, ...given.map(([name, value]) => `${name}=${value}`)],
  };
}
