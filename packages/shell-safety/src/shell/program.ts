import { forkingFunction } from '../dangers.ts';
import { fileKey } from '../paths/places.ts';
import { withLongOptions } from '../programs/abbreviations.ts';
import { printsRemote } from '../programs/calls.ts';
import { writtenFiles } from '../programs/effects.ts';
import { embeddedScripts, gitAlias, scriptsInVariables } from '../programs/embedded.ts';
import { namesByHarm, programOf, UNKNOWN_PROGRAM } from '../programs/index.ts';
import type { Invocation, Program } from '../programs/program.ts';
import { commandsIn, startedBy } from '../programs/unknown-program.ts';
import { unwrap } from '../programs/wrappers.ts';
import { judge } from '../rules/index.ts';
import { printsVariables } from '../rules/sensitive-files.ts';
import { printsSecretItself } from '../rules/table-dangers.ts';
import { CALL } from './budget.ts';
import { runBuiltin, runCode } from './builtins.ts';
import { runFd, runFind, runParallel, runXargs } from './each-word.ts';
import { globOf } from './glob.ts';
import { runInterpreter } from './interpreters.ts';
import { REMOTE, UNKNOWN, withoutUnset } from './marks.ts';
import { mayPrintSecret, outputOf } from './output.ts';
import { writeFile } from './redirects.ts';
import type { Call, Runner } from './runner.ts';
import {
  clip,
  type DefinedFunction,
  type Host,
  inherited,
  ownNames,
  type Scope,
  shiftedIn,
  subshell,
} from './scope.ts';

/**
 * Starts one program: an alias or function of the script, or a program that the rules judge and that may start others
 * in its turn.
 */
export function runProgram(fields: readonly string[], call: Call, runner: Runner): string {
  const written = fields[0];
  if (written === undefined) return '';
  const args = fields.slice(1);
  const [program, ...others] = meantPrograms(written, call.scope.shell.cwd, runner);
  if (program === undefined) return '';
  for (const other of others) runner.run([other, ...args], call);
  // A variable without a value is no word: `$SUDO rm -rf /`.
  if (program === '') return runner.run(args, call);
  const { scope } = call;
  if (!call.wrapped) {
    const alias = scope.shell.names.aliases.get(program);
    if (alias !== undefined && !scope.calls.includes(program)) {
      const inner = { ...scope, calls: [...scope.calls, program] };
      return runner.script([alias, ...args].join(' '), inner, call.stdin);
    }
    const defined = scope.shell.names.functions.get(program);
    if (defined) return callFunction(defined, [program, ...args], call, runner);
  }
  const invocation = invocationOf(program, args, call);
  judge(invocation, call, runner);
  if (verifies(invocation)) runner.checked = [...args, call.stdin ?? ''];
  return runner.done ? '' : runJudged(invocation, call, runner);
}

/** Applies the effects of a judged program: files, other programs, changes of the shell, output. */
function runJudged(invocation: Invocation, call: Call, runner: Runner): string {
  const { program } = invocation;
  const { scope } = call;
  for (const [path, text] of writtenFiles(invocation, runner.files)) writeFile(path, text, call, runner);
  // Each line that it is told may be a command.
  if (invocation.known.told && invocation.stdin) runner.spend(invocation.stdin.length);
  for (const text of embeddedScripts(invocation)) runCode(text, subshell(scope), call, runner);
  for (const text of scriptsInVariables(invocation)) runner.script(text, withoutExports(scope));
  const alias = invocation.known.reads === 'git' ? gitAlias(invocation, runner.files) : undefined;
  if (alias !== undefined) runCode(alias, withoutExports(scope), call, runner);
  if (runner.done) return '';
  const started = startedPrograms(invocation, call, runner);
  if (started !== undefined) return printsRemote(invocation) ? REMOTE : started;
  for (const text of commandsIn(invocation)) runner.script(text, subshell(scope));
  // A script that starts itself with a word of its own goes on with one of its commands.
  if (/^(?:\$0|%0)$/.test(program) && scope.forked && !/^\w/.test(invocation.args[0] ?? ''))
    runner.report(forkingFunction, call);
  const own =
    printsVariables(invocation) || printsSecretItself(invocation)
      ? undefined
      : (runBuiltin(invocation, call, runner) ?? runInterpreter(invocation, call, runner));
  if (own !== undefined) return own;
  return scope.heard || mayPrintSecret(invocation) ? clip(outputOf(invocation, runner.files)) : '';
}

/** `sha256sum -c`, `gpg --verify`, `cosign verify-blob` */
function verifies({ name, args }: Invocation): boolean {
  if (/^(?:g?(?:sha(?:\d+)?sum|b2sum)|shasum)$/.test(name))
    return args.some((arg) => /^(?:-\w*c|--check)$/.test(arg));
  return (
    /^(?:gpg2?|gpgv|cosign|minisign|signify|slsa-verifier)$/.test(name) &&
    args.some((arg) => /^(?:--?verify|verify\S*|-\w*V)$/.test(arg))
  );
}

/** Analyzes the program that a wrapper or an unknown program starts. Returns its output. */
function startedPrograms(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  const { name, program, args, known } = invocation;
  const { scope } = call;
  const inner = unwrap(name, args);
  if (!inner) {
    const output = known.starter && STARTERS[known.starter](invocation, call, runner);
    if (output !== undefined) return output;
    const started = program === UNKNOWN && args.length > 0 ? args : startedBy(invocation);
    return started && runner.run(started, { ...call, wrapped: program !== UNKNOWN });
  }
  const root = hasRights(invocation);
  if (inner.readsInput) return runCode(call.stdin ?? '', subshell({ ...scope, root }), call, runner);
  const folder = inner.folder === undefined ? scope : inFolder(inner.folder, scope);
  const there = { ...folder, root, host: hostOf(invocation) };
  const env = new Map([...call.env, ...(inner.env ?? [])]);
  if (inner.shell !== undefined) return runner.script(inner.shell, inherited(there, env), call.stdin);
  const stdin = inner.input && call.stdin !== undefined ? inner.input(call.stdin) : call.stdin;
  return runner.run(inner.fields ?? [], { ...call, scope: there, env, stdin, wrapped: true });
}

const STARTERS: Readonly<Record<NonNullable<Program['starter']>, typeof runXargs>> = {
  xargs: runXargs,
  find: runFind,
  fd: runFd,
  parallel: runParallel,
};

/** Scripts in variables are analyzed once, not again for each program in them. */
function withoutExports(scope: Scope): Scope {
  const inner = subshell(scope);
  ownNames(inner).exported.clear();
  return inner;
}

function inFolder(folder: string, scope: Scope): Scope {
  const inner = subshell(scope);
  inner.shell.cwd = fileKey(folder, scope.shell.cwd);
  return inner;
}

/** Where the program that a wrapper starts will run. */
function hostOf({ known, args, host }: Invocation): Host {
  if (known.remote === true) return 'elsewhere';
  if (!known.container || host !== 'here') return host;
  const mounts = args.some((arg) => arg.includes(UNKNOWN) || /^-\w*v|^--(?:volume|mount)/.test(arg));
  return known.container === 'composed' || args[0] !== 'run' || mounts ? 'mounted' : 'container';
}

/** Whether what a wrapper starts has the rights of root on this machine. */
function hasRights({ known, args, root }: Invocation): boolean {
  if (known.container || known.remote || known.starts?.verbs) return false;
  if (!known.starts?.root) return root;
  const program = args.findIndex((arg) => programOf(nameOf(arg)));
  const own = program === -1 ? args : args.slice(0, program + 1);
  const user = own.flatMap((arg, i) => OF_USER.exec(`${args[i - 1] ?? ''} ${arg}`)?.[1] ?? []);
  return user.every((name) => /^(?:root|#?0)$/.test(name));
}

/** `-u ann`, `-uann`, `--user=ann`, `su - ann`. */
const OF_USER = /(?:^| )(?:-\w{0,16}u ?|--user[= ]|-l? )([#\w][\w.-]*)$/;

function callFunction(
  defined: DefinedFunction,
  positional: readonly string[],
  call: Call,
  runner: Runner,
): string {
  const { scope } = call;
  const isRecursive = scope.calls.includes(defined.node);
  if (isRecursive && scope.forked && !endsByTest(defined)) runner.report(forkingFunction, call);
  // A function that starts itself with what is left of its arguments comes to an end.
  if (isRecursive && positional.length >= scope.shell.positional.length) return UNKNOWN;
  ownNames(scope); // what the function sets, it sets for its caller
  const { stdin } = call;
  const shifted = shiftedIn(call.part, scope);
  return runner.repeated.run({ called: defined, positional, shifted, stdin, scope }, runner, () =>
    defined.body(scope, positional, shifted, stdin),
  );
}

/** A function that starts itself behind a pipe, not in the background, and returns by a test: `[ … ] || return`. */
function endsByTest({ text }: DefinedFunction): boolean {
  return ENDS.test(text) && !BACKGROUND.test(text);
}

const BACKGROUND = /(?<![&>|<])&(?![&>])/;
const ENDS = /(?:\bthen\b(?:(?!\bfi\b)[\s\S]){0,200}?|&&\s*|\|\|\s*)\breturn\b/;

function invocationOf(program: string, args: readonly string[], call: Call): Invocation {
  const { scope, redirects, stdin } = call;
  const called = nameOf(program);
  // `git-reset --hard` is `git reset --hard`.
  const verb = programOf(called) ? undefined : /^git-(\w[\w-]*)$/.exec(called)?.[1];
  const name = verb === undefined ? called : 'git';
  const known =
    programOf(name) ?? (program.includes('/') || args.length === 0 ? NOTHING_KNOWN : UNKNOWN_PROGRAM);
  return {
    name,
    program,
    args:
      known === UNKNOWN_PROGRAM ? args : withLongOptions(verb === undefined ? args : [verb, ...args], known),
    known,
    redirects,
    env: environment(call),
    stdin,
    cwd: scope.shell.cwd,
    project: scope.project,
    loads: scope.loads,
    root: scope.root,
    host: scope.host,
  };
}

const NOTHING_KNOWN: Program = {};

function environment({ env, scope }: Call): ReadonlyMap<string, string> {
  const { exported, variables } = scope.shell.names;
  if (exported.size === 0) return env;
  scope.budget.charge(3 * exported.size);
  const all = new Map(Array.from(exported, (name) => [name, variables.get(name)?.at(-1) ?? '']));
  for (const [name, value] of env) all.set(name, value);
  return all;
}

function nameOf(program: string): string {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1).toLowerCase();
  return base.endsWith('.exe') ? base.slice(0, -4) : base;
}

/** A pattern as a program's name (`/bin/r?`) in a folder of programs finds one of several programs; a variable that was never set adds nothing. */
function meantPrograms(written: string, cwd: string, runner: Runner): readonly string[] {
  // `=rm` of zsh is `/bin/rm`.
  const program = withoutUnset(written).replace(/^=(?=\w)/, '');
  if (!program.includes('/') || !/[*?[]/.test(program)) return [program];
  const name = program.slice(program.lastIndexOf('/') + 1);
  // `lib/*.py` finds no program of the system.
  const folder = fileKey(program.slice(0, -name.length - 1), cwd);
  const isFolder = globOf(folder.slice(folder.lastIndexOf('/') + 1));
  if (!['bin', 'sbin', '.bin'].some(isFolder)) return [program];
  const isMeant = globOf(name);
  const found: string[] = [];
  let tried = 0;
  for (const harmful of namesByHarm) {
    if (found.length === MAX_MEANT) break;
    tried++;
    if (isMeant(harmful)) found.push(harmful);
  }
  runner.spend(CALL + tried);
  return found.length > 0 ? found : [program];
}

const MAX_MEANT = 4;
