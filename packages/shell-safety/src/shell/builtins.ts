import { hiddenCode, remoteCode } from '../dangers.ts';
import { kindOf } from '../paths/check.ts';
import { fileKey, vital } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { contentOf } from './file-content.ts';
import { LOADED, OPAQUE, REMOTE, UNKNOWN } from './marks.ts';
import { outputOf } from './output.ts';
import type { Call, Runner } from './runner.ts';
import {
  assign,
  lookUp,
  makeLocal,
  ownNames,
  type Scope,
  setArguments,
  shiftPositional,
  subshell,
} from './scope.ts';
import { expandPrompt } from './words.ts';

/** Applies what a shell builtin does to the script's state. Returns nothing if the program is no builtin. */
export function runBuiltin(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  return BUILTINS.get(invocation.name)?.(invocation, call, runner);
}

type Builtin = (invocation: Invocation, call: Call, runner: Runner) => string | undefined;

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', ({ args }, call) => changeFolder(args, call)],
  ['pushd', ({ args }, call) => changeFolder(args, call)],
  ['popd', (_, call) => changeFolder(['-'], call)],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['alias', alias],
  ['hash', hash],
  ['set', setPositional],
  ['shift', shift],
  ['read', read],
  ['mapfile', read],
  ['readarray', read],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['printf', printInto],
  ['trap', trap],
]);

function changeFolder(args: readonly string[], { scope: { shell } }: Call): string {
  const named = args.filter((arg) => !/^-[LPe@]+$/.test(arg) && arg !== '--');
  // Several folders are the values of one variable. The most dangerous one counts.
  const to = named.find((arg) => named.length > 1 && vital(arg, shell.cwd) !== undefined) ?? named[0] ?? '~';
  const absolute = /^(?:[/~]|[A-Za-z]:)/.test(to) || shell.cwd === '.';
  const folder = absolute ? to : fileKey(to, shell.cwd);
  shell.cwd = to === '-' || folder.length > MAX_FOLDER ? UNKNOWN : folder;
  return '';
}

const MAX_FOLDER = 4096;

function declare({ name, args }: Invocation, call: Call): string {
  // `declare -n tool=target` is another name of `target`.
  const isReference = name !== 'export' && args.some((arg) => /^-\w*n/.test(arg));
  const exports = name === 'export' || args.some((arg) => /^-\w*x/.test(arg));
  const isLocal = /^(?:local|declare|typeset)$/.test(name) && !args.some((arg) => /^-\w*g/.test(arg));
  for (const arg of args) {
    const [, variable = arg, plus, value] = /^(\w+)(\+?)=(.*)$/s.exec(arg) ?? [];
    if (isLocal && /^[A-Za-z_]\w*$/.test(variable)) makeLocal(call.scope, variable);
    if (value !== undefined) {
      const values = isReference ? (lookUp(call.scope, value) ?? []) : [value];
      assign(call.scope, variable, values, plus === '+');
    }
    if (exports && /^\w+$/.test(variable)) ownNames(call.scope).exported.add(variable);
  }
  if (name === 'export' && args.includes(UNKNOWN)) {
    // `export $(cat .env)` loads variables whose names are unknown.
    const words = call.part.split(/[\s()<>"'`|;&]+/);
    const file = words.find((word) => isEnvironmentFile(word, call));
    if (file !== undefined) load(file, call);
  }
  return '';
}

/** From here on, the variables hold what is in that file. */
function load(file: string, { scope }: Call): void {
  assign(scope, LOADED, [file]);
  ownNames(scope).exported.add(LOADED);
}

function isEnvironmentFile(path: string, { scope }: Call): boolean {
  return kindOf(path, scope.shell.cwd)?.id === 'environment';
}

/** Analyzes the text of an alias where it is defined, like the body of a function. */
function alias({ args }: Invocation, call: Call, runner: Runner): string {
  for (const arg of args) {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(arg) ?? [];
    if (name === undefined) continue;
    ownNames(call.scope).aliases.set(name, text);
    runner.script(text, subshell(call.scope));
  }
  return '';
}

/** `hash -p /bin/rm ls`: from here on `ls` is `rm`. */
function hash({ args }: Invocation, call: Call): string {
  if (args[0] === '-p')
    for (const name of args.slice(2)) ownNames(call.scope).aliases.set(name, args[1] ?? '');
  return '';
}

function setPositional({ args }: Invocation, call: Call, runner: Runner): string {
  const first = args.findIndex((arg, i) => !/^[-+]\w/.test(arg) && !/^[-+]\w*o/.test(args[i - 1] ?? ''));
  if (first !== -1) {
    const from = /^--?$/.test(args[first] ?? '') ? first + 1 : first;
    setArguments(call.scope, args.slice(from), call.part);
  }
  // From here on, the shell expands this in front of each command.
  const prompts = args.some((arg) => /^-\w*x|^xtrace$/.test(arg)) ? lookUp(call.scope, 'PS4') : undefined;
  for (const prompt of prompts ?? []) expandPrompt(prompt, call.scope, runner);
  return '';
}

function shift({ args }: Invocation, { scope, part }: Call): string {
  const [by = '1'] = args;
  // What arithmetic comes to is not known: `shift $((OPTIND - 1))`.
  const isKnown = /^\d{1,4}$/.test(by) && !part.includes('$');
  shiftPositional(scope, isKnown ? Number(by) : undefined);
  return '';
}

function read({ args, stdin }: Invocation, call: Call, runner: Runner): string {
  const option = args.findIndex((arg) => /^-\w*u\d*$/.test(arg));
  const descriptor =
    /(?<!\d)\d+$/.exec(args[option] ?? '')?.[0] ?? (option === -1 ? undefined : args[option + 1]);
  const own = descriptor === undefined ? stdin : runner.files.get(`/dev/fd/${descriptor}`);
  // `read -d ''` ends at a NUL character; otherwise the shell drops it.
  const nul = args.some((arg) => /^-\w*d/.test(arg)) ? '\n' : '';
  const lines = (own ?? UNKNOWN)
    .replaceAll('\0', nul)
    .split('\n')
    .filter((line) => line !== '');
  const names = args.filter((arg) => /^[A-Za-z_]\w*$/.test(arg));
  // Of several names each may get one of the words, and so may the elements of a list.
  const divides = names.length > 1 || args.some((arg) => /^-\w*a/.test(arg));
  const values = divides ? [...new Set(lines.flatMap((text) => [text, ...wordsOf(text, call)]))] : lines;
  for (const name of names.length > 0 ? names : ['REPLY'])
    assign(call.scope, name, values.length > 0 ? values : [UNKNOWN]);
  return '';
}

function wordsOf(line: string, { env, scope }: Call): readonly string[] {
  let text = line;
  for (const separator of env.get('IFS') ?? lookUp(scope, 'IFS')?.join('') ?? '')
    text = text.replaceAll(separator, ' ');
  return text.split(' ').filter((word) => word !== '');
}

/** `printf -v name …` sets a variable; any other printf prints. */
function printInto(invocation: Invocation, call: Call): string | undefined {
  const [option, name = '', ...args] = invocation.args;
  if (option !== '-v') return undefined;
  assign(call.scope, name, [outputOf({ ...invocation, args }, NO_FILES)]);
  return '';
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

function evaluate({ args, stdin }: Invocation, call: Call, runner: Runner): string {
  const words = args[0] === '--' ? args.slice(1) : args;
  return runCode(words.join(' '), call.scope, call, runner, stdin);
}

function source({ args, cwd, stdin }: Invocation, call: Call, runner: Runner): string {
  // In fish, it reads its input where it is not told a file.
  const file = args[0] ?? '-';
  const text = contentOf(file, cwd, runner.files, stdin);
  if (text === undefined && isEnvironmentFile(file, call)) load(file, call);
  return text === undefined ? UNKNOWN : runCode(text, call.scope, call, runner);
}

function trap({ args }: Invocation, { scope }: Call, runner: Runner): string {
  return runner.script(args.find((arg) => !arg.startsWith('-')) ?? '', scope, undefined);
}

/** Runs a text as code. A text from the network is refused, a known one is analyzed. */
export function runCode(text: string, scope: Scope, call: Call, runner: Runner, stdin?: string): string {
  if (text.includes(REMOTE)) runner.report(remoteCode, call);
  else if (text.includes(OPAQUE)) runner.report(hiddenCode, call);
  else if (text.replace(/[\ue000\ue006\ue007]/g, '').trim() !== '') return runner.script(text, scope, stdin);
  return UNKNOWN;
}
