import type {
  AndOr,
  ArithmeticFor,
  CompoundList,
  Coproc,
  For,
  Function as FunctionNode,
  If,
  Pipeline,
  Redirected,
  Select,
  Statement,
  SyntaxNode,
  While,
} from 'unbash';
import { forkingLoop } from '../dangers.ts';
import { KEPT } from './budget.ts';
import { REMOTE, UNKNOWN } from './marks.ts';
import { judgeRedirects, redirectionsOf, writeTo } from './redirects.ts';
import { type Call, callOf, type Runner } from './runner.ts';
import {
  assign,
  clip,
  type DefinedFunction,
  forkedShell,
  listenedTo,
  lookUp,
  NOT_SHIFTED,
  ownNames,
  perhapsShifting,
  restoreLocals,
  type Scope,
  subshell,
  UNKNOWN_ARGUMENTS,
  unweighed,
} from './scope.ts';
import { fieldsOf, runSimpleCommand } from './simple-command.ts';
import { runSubstitutions } from './words.ts';

/** Analyzes statements in order. Returns their output as far as it is known. */
export function runStatements(
  statements: readonly Statement[],
  scope: Scope,
  stdin: string | undefined,
  runner: Runner,
): string {
  let output = '';
  for (const statement of statements) {
    if (runner.done) break;
    const inner = statement.background ? forkedShell(scope) : scope;
    output = clip(output + runNode(statement.command, inner, stdin, runner));
  }
  return output;
}

/** Analyzes one node of the tree. */
function runNode(node: SyntaxNode, scope: Scope, stdin: string | undefined, runner: Runner): string {
  if (runner.done) return '';
  const list: List = (body, inner) => runStatements(body.commands, inner, stdin, runner);
  const maybe = conditional(scope);
  switch (node.type) {
    case 'Command':
      return runSimpleCommand(node, scope, stdin, runner);
    case 'Pipeline':
      return pipeline(node, scope, stdin, runner);
    case 'AndOr':
      return andOr(node, scope, stdin, runner);
    case 'Redirected':
      return redirected(node, scope, stdin, runner);
    case 'Subshell':
      return list(node.body, subshell(scope));
    case 'BraceGroup':
      return list(node.body, scope);
    case 'CompoundList':
      return list(node, scope);
    case 'If':
      return branches(node, scope, list);
    case 'Case':
      runSubstitutions(node.word, unweighed(scope), runner);
      return clip(
        node.items.map((item) => perhapsShifting(scope, false, () => list(item.body, maybe))).join(''),
      );
    case 'While':
      list(node.clause, scope);
      if (isEndless(node, scope.source) && spawnsOnly(node.body, scope.source))
        reportLoop(node, scope, runner);
      return rounds(node, scope, list);
    case 'ArithmeticFor':
      if (!node.test && spawnsOnly(node.body, scope.source)) reportLoop(node, scope, runner);
      return rounds(node, scope, list);
    case 'For':
    case 'Select':
      return eachOf(node, scope, list, runner);
    case 'Function':
      return define(node, scope, stdin, runner);
    case 'Coproc':
      return coprocess(node, scope, stdin, runner);
    default:
      runSubstitutions(node, unweighed(scope), runner);
      return '';
  }
}

function andOr(node: AndOr, scope: Scope, stdin: string | undefined, runner: Runner): string {
  let output = '';
  let isTested = false;
  for (const [i, command] of node.commands.entries()) {
    const before = node.commands[i - 1];
    isTested ||= before !== undefined && !succeeds(before, scope);
    const inner = isTested || node.operators[i - 1] === '||' ? conditional(scope) : scope;
    const run = (): string => runNode(command, inner, stdin, runner);
    output += i > 0 ? perhapsShifting(scope, false, run) : run();
    // `sha256sum -c sums && sh i.sh` runs what was checked.
    if (node.operators[i] === '&&') trustChecked(runner);
  }
  return clip(output);
}

/** Trusts the files of the last checksum check, because the script continues only if it succeeds. */
function trustChecked(runner: Runner): void {
  if (runner.checked.length === 0) return;
  runner.spend(runner.files.size * runner.checked.length);
  for (const [path, text] of runner.files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (text === REMOTE && runner.checked.some((word) => word.includes(name)))
      runner.files.set(path, UNKNOWN);
  }
  runner.checked = [];
}

function pipeline(node: Pipeline, scope: Scope, stdin: string | undefined, runner: Runner): string {
  const { commands } = node;
  const last = commands.length - 1;
  let flowing = stdin;
  for (const command of commands) {
    const heard = scope.heard || command !== commands[last];
    flowing = runNode(command, last > 0 ? forkedShell(scope, heard) : scope, flowing, runner);
  }
  return flowing ?? '';
}

function redirected(node: Redirected, scope: Scope, stdin: string | undefined, runner: Runner): string {
  const { redirects, input = stdin } = redirectionsOf(node.redirects, scope, runner);
  const call: Call = { ...callOf(scope, partOf(node, scope)), redirects, stdin };
  judgeRedirects(redirects, call, runner);
  return writeTo(runNode(node.command, listenedTo(scope), input, runner), call, runner);
}

/** Whether a command decides nothing, unlike that in `[ -n "$1" ] && dir=$1`: an assignment, or a program that hardly fails. */
function succeeds(node: SyntaxNode, scope: Scope): boolean {
  if (node.type !== 'Command') return false;
  return node.name ? SUCCEEDING.has(node.name.text) : !/`|\$\(/.test(partOf(node, scope));
}

const SUCCEEDING: ReadonlySet<string> = new Set(
  ': true echo printf set export declare local readonly'.split(' '),
);

type List = (body: CompoundList, scope: Scope) => string;

function branches(node: If, scope: Scope, list: List): string {
  const maybe = conditional(scope);
  list(node.clause, scope);
  const branch = (body: CompoundList): string => perhapsShifting(scope, false, () => list(body, maybe));
  const outputs = [branch(node.then)];
  for (const { clause, then } of node.elif) {
    list(clause, maybe);
    outputs.push(branch(then));
  }
  if (node.else) outputs.push(branch(node.else));
  return clip(outputs.join(''));
}

/** A loop's body, with all values of its variable. */
function eachOf(node: For | Select, scope: Scope, list: List, runner: Runner): string {
  // Without a list it goes through the arguments.
  const values = node.wordlist
    ? fieldsOf(node.wordlist, unweighed(scope), runner)
    : (lookUp(scope, '@') ?? []);
  assign(scope, node.name.value, values);
  return rounds(node, scope, list);
}

/** The body of a loop, which is walked through once for all rounds. */
function rounds({ body, pos, end }: Loop, scope: Scope, list: List): string {
  scope.budget.charge((end - pos) / KEPT);
  const shifts = SHIFTS.test(scope.source.slice(pos, end));
  return perhapsShifting(scope, shifts, () => list(body, conditional(scope)));
}

type Loop = While | ArithmeticFor | For | Select;

/** `shift`, or what does the same: `set -- "${@:2}"`. */
const SHIFTS = /\bshift\b|\$\{[@*]:/;

/** Defines a function. If nothing calls it, it is analyzed at the end, because the call may not be visible. */
function define(node: FunctionNode, scope: Scope, stdin: string | undefined, runner: Runner): string {
  const name = node.name.value;
  const { source } = scope;
  const body: DefinedFunction['body'] = (caller, positional, shiftedNow, input) => {
    const { shell } = caller;
    const { positional: before, shifted } = shell;
    const locals = new Map<string, readonly string[] | undefined>();
    runner.called(node);
    shell.positional = positional;
    shell.shifted = shiftedNow;
    // A background process in a function counts for the functions that it calls.
    const forked = caller.forked && caller.calls.length > 0;
    const inner = { ...caller, source, calls: [...caller.calls, node], forked, locals };
    const output = runNode(node.body, inner, input, runner);
    shell.positional = before;
    shell.shifted = shifted;
    if (locals.size > 0) restoreLocals(caller, locals);
    return output;
  };
  ownNames(scope).functions.set(name, { node, text: source.slice(node.pos, node.end), body });
  const inner = conditional(subshell(scope));
  runner.later(node, () => body(inner, [name, ...UNKNOWN_ARGUMENTS], NOT_SHIFTED, stdin));
  return '';
}

/** What a coprocess prints is read from the first descriptor in the variable of its name. */
function coprocess(node: Coproc, scope: Scope, stdin: string | undefined, runner: Runner): string {
  const name = `${10 + runner.descriptors.size}`;
  runner.descriptors.set(name, `/dev/fd/${name}`);
  runner.files.set(`/dev/fd/${name}`, runNode(node.body, forkedShell(scope, true), stdin, runner));
  assign(scope, node.name?.value ?? 'COPROC', [name]);
  return '';
}

function reportLoop(node: SyntaxNode, scope: Scope, runner: Runner): void {
  runner.report(forkingLoop, callOf(scope, partOf(node, scope)));
}

function partOf(node: SyntaxNode, scope: Scope): string {
  return scope.source.slice(node.pos, node.end);
}

function conditional(scope: Scope): Scope {
  return scope.conditional ? scope : { ...scope, conditional: true };
}

/** Whether the condition of a loop is always true. */
function isEndless({ kind, clause }: While, source: string): boolean {
  const condition = source
    .slice(clause.pos, clause.end)
    .replace(/[\s;]+/g, ' ')
    .trim();
  const negated = condition.startsWith('! ');
  const always = (kind === 'while') === negated ? ALWAYS_FALSE : ALWAYS_TRUE;
  return always.test(negated ? condition.slice(2) : condition);
}

const ALWAYS_FALSE = /^(?:\/\S*\/)?false$/;
const ALWAYS_TRUE =
  /^(?:(?:\/\S*\/)?true|:|\[ 1 \]|\(\( ?1 ?\)\)|\[\[ (?:1|true) \]\]|\[ true \]|test 1|sleep 0)$/;

/** Whether the body starts background processes without waiting for anything. */
function spawnsOnly({ commands, pos, end }: CompoundList, source: string): boolean {
  const isForked = ({ background, command }: Statement): boolean =>
    background === true || /&\s*\)$/.test(source.slice(command.pos, command.end));
  const holds = ({ command }: Statement): boolean =>
    command.type !== 'Subshell' && HOLDS.test(source.slice(command.pos, command.end));
  if (!commands.some(isForked) || ENDS.test(source.slice(pos, end))) return false;
  return !commands.some((statement) => !statement.background && holds(statement));
}

const ENDS = /\b(?:wait|break|exit|return)\b/;
const HOLDS = /\b(?:sleep|read|inotifywait|curl|select)\b/;
