import { hiddenCode, remoteCode } from '../dangers.ts';
import { kindOf } from '../paths/check.ts';
import { fileKey } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { CONTENT, LOADED, OPAQUE, REMOTE, UNKNOWN } from './marks.ts';
import { outputOf } from './output.ts';
import type { Call, Runner } from './runner.ts';
import { assign, lookUp, ownNames, type Scope, subshell } from './scope.ts';

/** Does what a builtin of the shell does to the script's state; nothing where the program is no builtin. */
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
  ['read', read],
  ['mapfile', read],
  ['readarray', read],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['printf', printInto],
  [
    'trap',
    ({ args }, call, runner) =>
      runner.script(args.find((arg) => !arg.startsWith('-')) ?? '', call.scope, undefined),
  ],
]);

function changeFolder(args: readonly string[], call: Call): string {
  const { shell } = call.scope;
  const to = args.find((arg) => !/^-[LPe@]+$/.test(arg) && arg !== '--') ?? '~';
  if (to === '-') shell.cwd = UNKNOWN;
  else shell.cwd = folderFrom(shell.cwd, to);
  if (shell.cwd.length > MAX_FOLDER) shell.cwd = UNKNOWN;
  return '';
}

function folderFrom(cwd: string, to: string): string {
  return /^(?:[/~]|[A-Za-z]:)/.test(to) || cwd === '.' ? to : fileKey(to, cwd);
}

const MAX_FOLDER = 4096;

function declare({ name, args }: Invocation, call: Call): string {
  // `declare -n tool=target` is another name of `target`.
  const isReference = name !== 'export' && args.some((arg) => /^-\w*n/.test(arg));
  const exports = name === 'export' || args.some((arg) => /^-\w*x/.test(arg));
  for (const arg of args) {
    const match = /^(\w+)(\+?)=(.*)$/s.exec(arg);
    const variable = match?.[1] ?? arg;
    if (match)
      assign(
        call.scope,
        variable,
        isReference ? (lookUp(call.scope, match[3] ?? '') ?? []) : [match[3] ?? ''],
        match[2] === '+',
      );
    if (exports && /^\w+$/.test(variable)) ownNames(call.scope).exported.add(variable);
  }
  const loaded = name === 'export' && args.includes(UNKNOWN) ? environmentFileIn(call) : undefined;
  if (loaded !== undefined) load(loaded, call);
  return '';
}

/** From here on, the variables hold what is in that file. */
function load(file: string, { scope }: Call): void {
  assign(scope, LOADED, [file]);
  ownNames(scope).exported.add(LOADED);
}

/** The file of which `export $(cat .env)` loads what nobody can name here. */
function environmentFileIn({ part, scope }: Call): string | undefined {
  return part.split(/[\s()<>"'`|;&]+/).find((word) => kindOf(word, scope.shell.cwd)?.id === 'environment');
}

/** What an alias stands for is gone through where it is defined, as a function's body is. */
function alias({ args }: Invocation, call: Call, runner: Runner): string {
  for (const arg of args) {
    const equals = arg.indexOf('=');
    if (equals <= 0) continue;
    const text = arg.slice(equals + 1);
    ownNames(call.scope).aliases.set(arg.slice(0, equals), text);
    runner.script(text, subshell(call.scope), undefined);
  }
  return '';
}

/** `hash -p /bin/rm ls`: from here on `ls` is `rm`. */
function hash({ args }: Invocation, call: Call): string {
  if (args[0] === '-p')
    for (const name of args.slice(2)) ownNames(call.scope).aliases.set(name, args[1] ?? '');
  return '';
}

function setPositional({ args }: Invocation, call: Call): string {
  const dashes = args.indexOf('--');
  const { shell } = call.scope;
  if (dashes !== -1) shell.positional = [shell.positional[0] ?? '', ...args.slice(dashes + 1)];
  return '';
}

function read({ args, stdin }: Invocation, call: Call, runner: Runner): string {
  const option = args.findIndex((arg) => /^-\w*u\d*$/.test(arg));
  const descriptor = /\d+$/.exec(args[option] ?? '')?.[0] ?? (option === -1 ? undefined : args[option + 1]);
  const own = descriptor === undefined ? stdin : runner.files.get(`/dev/fd/${descriptor}`);
  const remote = descriptor !== undefined && runner.sockets.has(descriptor);
  const lines = remote ? [REMOTE] : (own ?? UNKNOWN).split('\n').filter((line) => line !== '');
  const names = args.filter((arg) => /^[A-Za-z_]\w*$/.test(arg));
  for (const name of names.length > 0 ? names : ['REPLY'])
    assign(call.scope, name, lines.length > 0 ? lines : [UNKNOWN]);
  return '';
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
  // A variable that may have several values gives several texts, and each may be the whole script.
  if (args.length > 1)
    for (const arg of args) if (/\s/.test(arg)) runCode(arg, call.scope, call, runner, stdin);
  return runCode(args.join(' '), call.scope, call, runner, stdin);
}

function source({ args }: Invocation, call: Call, runner: Runner): string {
  const file = args[0] ?? '';
  const written = file.startsWith(CONTENT)
    ? file.slice(1)
    : runner.files.get(fileKey(file, call.scope.shell.cwd));
  const piped = file === '/dev/stdin' || file === '-' ? call.stdin : undefined;
  const text = written ?? piped;
  if (text === undefined && kindOf(file, call.scope.shell.cwd)?.id === 'environment') load(file, call);
  return text === undefined ? UNKNOWN : runCode(text, call.scope, call, runner, undefined);
}

/** Text that becomes code: from the network it is refused, what is known is gone through. */
export function runCode(
  text: string,
  scope: Scope,
  call: Call,
  runner: Runner,
  stdin: string | undefined,
): string {
  if (text.includes(REMOTE)) runner.report(remoteCode, call);
  else if (text.includes(OPAQUE)) runner.report(hiddenCode, call);
  else if (text.replace(/[\ue000\ue006\ue007]/g, '').trim() !== '') return runner.script(text, scope, stdin);
  return UNKNOWN;
}
