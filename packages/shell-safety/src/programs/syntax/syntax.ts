import { namesIn } from '../../shell/options.ts';
import { CORRECTIONS } from './corrections.ts';
import { SPECS } from './specs.ts';

/** A verb of a program, or the program itself: its options, and the verbs that may stand behind it. */
export interface Syntax {
  readonly options: Map<string, Option>;
  readonly verbs: Map<string, Syntax>;
  /** Its options end at the first operand: what follows belongs to a program that it starts. */
  endsAtOperand?: true;
  /** Long options may be abbreviated, and all of them are known. */
  abbreviates?: true;
  /** Other long options have a value, unless another option follows. */
  takesValues?: true;
  readonly names: readonly string[];
}

/** An option under all its names. */
interface Option {
  readonly names: readonly string[];
  /** Whether a value follows, or may only be attached. */
  readonly value: 'none' | 'follows' | 'attached';
}

const KNOWN = new Map<string, Syntax | undefined>();

/** How a program is called, where that is known. */
export function syntaxOf(program: string | undefined): Syntax | undefined {
  if (program === undefined) return undefined;
  if (!KNOWN.has(program)) KNOWN.set(program, readSyntax(program));
  return KNOWN.get(program);
}

function readSyntax(program: string): Syntax | undefined {
  const lines = `${SPECS[program] ?? ''}\n${CORRECTIONS[program] ?? ''}`
    .split('\n')
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  const root = verbOf([]);
  for (const line of lines) {
    const colon = line.indexOf(':');
    let verb = root;
    for (const names of line.slice(0, colon).split(' '))
      if (names !== '') verb = verbIn(verb, names.split('|'));
    for (const text of line.slice(colon + 1).split(' ')) if (text !== '') addOption(verb, text);
  }
  return root;
}

function verbOf(names: readonly string[]): Syntax {
  return { names, options: new Map(), verbs: new Map() };
}

function verbIn({ verbs }: Syntax, names: readonly string[]): Syntax {
  const verb = names.map((name) => verbs.get(name)).find(Boolean) ?? verbOf(names);
  for (const name of names) if (!verbs.has(name)) verbs.set(name, verb);
  return verb;
}

function addOption(verb: Syntax, text: string): void {
  const { options } = verb;
  if (text === '~') verb.abbreviates = true;
  if (text === '--') verb.endsAtOperand = true;
  if (text === '--*=') verb.takesValues = true;
  const value = text.endsWith('[=]') ? 'attached' : text.endsWith('=') ? 'follows' : 'none';
  const names = text.replace(/(?:\[=\]|=)$/, '').split('|');
  for (const name of names) options.set(name, { names, value });
}

/** The arguments of a call, taken apart. */
export interface ReadArguments {
  /** Verbs, and behind them the operands; `--` among them. */
  readonly words: readonly string[];
  /** All names of each of the verbs that the words begin with. */
  readonly verbs: readonly (readonly string[])[];
  /** `-f` and `--force` where one of them is given, and with values: `-X=DELETE`. */
  readonly options: readonly string[];
  /** The arguments as they stand, with abbreviated options written out. */
  readonly spelledOut: readonly string[];
}

/**
 * Reads arguments the way getopt does, by the options of the verb at hand. `valued` are options with a value of which the syntax
 * says nothing.
 */
export function readArguments(
  args: readonly string[],
  syntax: Syntax,
  valued: string,
  oneDash: boolean,
): ReadArguments {
  const others = namesIn(valued);
  const words: string[] = [];
  const options: string[] = [];
  const spelledOut: string[] = [];
  const verbs = [syntax];
  let isPath = true;
  const give = (names: readonly string[], value: string | undefined): void => {
    options.push(...names);
    if (value !== undefined) options.push(...names.map((name) => `${name}=${value}`));
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      words.push(...args.slice(i));
      spelledOut.push(...args.slice(i));
      break;
    }
    if (arg.startsWith('--') || (oneDash && /^-\w\w/.test(arg))) {
      const equals = arg.indexOf('=');
      const given = equals === -1 ? arg : arg.slice(0, equals);
      const attached = equals === -1 ? undefined : arg.slice(equals + 1);
      const meant = meantBy(given, verbs, oneDash);
      const names =
        meant.length > 0 ? meant.flatMap((option) => option.names) : [given.replace(/^-(?!-)/, '--')];
      const plain = given.replace(/^-+/, '');
      const follows =
        meant.length > 0
          ? meant.every(({ value }) => value === 'follows')
          : others.has(plain) || (syntax.takesValues === true && !/^-./.test(args[i + 1] ?? '-x'));
      for (const [n, { names: own }] of meant.entries()) {
        const long = own.includes(given) ? given : (own.find((name) => name.startsWith(given)) ?? given);
        if (n === 0 || meant.length > 1) spelledOut.push(long + (equals === -1 ? '' : arg.slice(equals)));
      }
      if (meant.length === 0) spelledOut.push(arg);
      const value = attached ?? (follows ? args[i + 1] : undefined);
      if (attached === undefined && follows) {
        i++;
        if (value !== undefined) spelledOut.push(value);
      }
      give(names, value ?? (follows ? '' : undefined));
    } else if (arg.startsWith('-') && arg.length > 1) {
      spelledOut.push(arg);
      for (let c = 1; c < arg.length; c++) {
        const letter = arg[c] ?? '';
        const option = findOption(`-${letter}`, verbs);
        const names = option?.names ?? [`-${letter}`];
        const kind = option?.value ?? (others.has(letter) ? 'follows' : 'none');
        const rest = arg.slice(c + 1);
        if (kind === 'none' || (kind === 'attached' && rest === '')) {
          give(names, undefined);
          continue;
        }
        if (rest === '') {
          i++;
          if (args[i] !== undefined) spelledOut.push(args[i] ?? '');
        }
        // `-v=x` is `-v x`, but for programs that read options as getopt does.
        give(names, rest === '' ? (args[i] ?? '') : syntax.abbreviates ? rest : rest.replace(/^=/, ''));
        break;
      }
    } else {
      spelledOut.push(arg);
      const inner = isPath ? verbs.at(-1)?.verbs.get(arg) : undefined;
      if (inner) verbs.push(inner);
      else isPath = false;
      words.push(arg);
      if (!inner && verbs.at(-1)?.endsAtOperand) {
        words.push(...args.slice(i + 1));
        spelledOut.push(...args.slice(i + 1));
        break;
      }
    }
  }
  return { words, verbs: verbs.slice(1).map(({ names }) => names), options, spelledOut };
}

/** The option of that name: of the verb at hand, or of one in front of it. */
function findOption(name: string, verbs: readonly Syntax[]): Option | undefined {
  for (let i = verbs.length - 1; i >= 0; i--) {
    const option = verbs[i]?.options.get(name);
    if (option) return option;
  }
  return undefined;
}

/** The options that a name may stand for: itself, or all of the verb at hand that begin so. */
function meantBy(given: string, verbs: readonly Syntax[], oneDash: boolean): readonly Option[] {
  const exact =
    findOption(given, verbs) ?? (oneDash ? findOption(given.replace(/^-/, ''), verbs) : undefined);
  if (exact) return [exact];
  if (!verbs[0]?.abbreviates || given.length < 3) return [];
  const found = new Set<Option>();
  for (const [name, option] of verbs.at(-1)?.options ?? []) if (name.startsWith(given)) found.add(option);
  return [...found];
}
