import type { Assignment, Command, CommandArgument, Redirection } from 'unbash';
import { programOf } from '../programs/index.ts';
import { checkPrinted } from '../rules/secret-output.ts';
import { CALL, KEPT } from './budget.ts';
import { judgeRedirects, redirectionsOf, writeTo } from './redirects.ts';
import type { Runner } from './runner.ts';
import { assign, clip, fromHome, listenedTo, makeLocal, type Scope, unweighed } from './scope.ts';
import { wholeWords } from './whole-words.ts';
import { expand, expandEach, expandWhole } from './words.ts';

/**
 * A command without structure: assignments, a program with its arguments, redirections; each may be missing. Where a variable
 * in it has several values, it runs with all of them at once, and then with one each. What it does then may decide what the
 * commands behind it do: `analyzeCommand` goes through the whole script again with one each, where that is short.
 */
export function runSimpleCommand(
  node: Command,
  scope: Scope,
  stdin: string | undefined,
  runner: Runner,
): string {
  const { choice } = scope;
  if (choice.at !== undefined) return runOnce(node, scope, stdin, runner).output;
  const { output, most } = runOnce(node, scope, stdin, runner);
  for (let at = 0; at < Math.min(most, MAX_ALONE) && !runner.done; at++) {
    choice.at = at;
    runOnce(node, scope, stdin, runner);
    choice.at = undefined;
  }
  return output;
}

/** So many values of a variable are gone through one at a time, after all at once. */
export const MAX_ALONE = 4;

interface Outcome {
  readonly output: string;
  /** The most values that a variable in its words has. */
  readonly most: number;
}

function runOnce(node: Command, scope: Scope, stdin: string | undefined, runner: Runner): Outcome {
  const { choice } = scope;
  // What stands in substitutions counts its own.
  const outside = choice.here;
  choice.here = 0;
  const { name: program, prefix, args } = wholeWords(node);
  const env = assignments(prefix, program !== undefined, scope, runner);
  const { redirects, input } = redirectionsOf(node.redirects, scope, runner);
  const loads = DECLARING.has(program?.value ?? '');
  const weighed = HARMLESS.has(program?.value ?? '') ? unweighed(scope) : scope;
  const words = program ? [program, ...args] : [];
  const fields = runner.done ? [] : fieldsOf(words, loads ? { ...weighed, loads } : weighed, runner);
  const most = choice.here;
  choice.here = outside;
  choice.most = Math.max(choice.most, most);
  if (runner.done) return { output: '', most };
  const inner = redirects.length > 0 ? listenedTo(scope) : scope;
  const part = scope.source.slice(node.pos, node.end);
  const call = { scope: inner, env, redirects, stdin: input ?? stdin ?? typedInto(node, scope), part };
  if (!program) {
    judgeRedirects(redirects, call, runner);
    // `$(< file)` prints the file, and `> file` empties it.
    const prints = redirects.some(({ operator }) => operator === '<');
    return { output: writeTo((prints && call.stdin) || '', call, runner), most };
  }
  const { functions, aliases } = scope.shell.names;
  const name = program.text;
  const isOwn = redirects.length === 0 && !functions.has(name) && !aliases.has(name);
  if (TESTS.has(name) && isOwn && !fields.some((field) => field.includes('$('))) {
    runner.add({ kind: 'execute', program: name, certainty: 'certain' }, call);
    return { output: '', most };
  }
  const output = writeTo(runner.run(fields, call), call, runner);
  const secret = scope.heard || output === '' ? undefined : checkPrinted(output);
  if (secret) runner.report(secret, call);
  return { output, most };
}

/** What stands behind a program that prompts is what it is told: `python3`, and its lines below. */
function typedInto(node: Command, { source }: Scope): string | undefined {
  if (source[node.end] !== '\n' || !programOf(node.name?.value ?? '')?.prompts) return undefined;
  return node.args.every(({ text }) => !/[./]/.test(text)) ? source.slice(node.end) : undefined;
}

/** Those before a program are for the program; those alone are the shell's. */
function assignments(
  prefix: readonly (Assignment | Redirection)[],
  areForProgram: boolean,
  scope: Scope,
  runner: Runner,
): ReadonlyMap<string, string> {
  const env = new Map<string, string>();
  for (const item of prefix) {
    if (item.type !== 'Assignment') continue;
    const weighed = areForProgram ? scope : unweighed(scope);
    if (item.index) expandWhole(item.index, weighed, runner);
    const values = valuesOf(item, weighed, runner);
    let length = CALL;
    for (const value of values) length += 8 + value.length / KEPT;
    runner.spend(length);
    if (areForProgram) env.set(item.name, values.join(' '));
    else assign(scope, item.name, values, item.append);
  }
  return env;
}

/** Builtins that do nothing but decide what comes next. */
const TESTS: ReadonlySet<string> = new Set('[ test true false return exit break continue'.split(' '));

/** Builtins that do the same whatever they are given, but print or set it. */
const HARMLESS: ReadonlySet<string> = new Set(
  '[ test : echo printf true false return exit shift export declare typeset local readonly unset basename dirname expr cd pushd'.split(
    ' ',
  ),
);

/** `export $(grep -v '^#' .env)` only loads what it reads. */
const DECLARING: ReadonlySet<string> = new Set('export declare typeset readonly local env'.split(' '));

const MAKES_LOCAL = /^(?:local|declare|typeset)$/;

/** The fields that words become; an assignment among the arguments (`export A=b`) is one. */
export function fieldsOf(words: readonly CommandArgument[], scope: Scope, runner: Runner): readonly string[] {
  runner.spend(words.length * 2);
  const fields: string[] = [];
  const areLocal = MAKES_LOCAL.test(words[0]?.text ?? '') && !words.some(({ text }) => /^-\w*g/.test(text));
  for (const word of words) {
    if (word.type === 'Assignment') {
      // `export X="$(cat .env)"` reads it, as `X="$(cat .env)"` does.
      const values = valuesOf(word, scope.loads ? { ...scope, loads: false } : scope, runner);
      if (word.value.type === 'ArrayValue') {
        runner.spend(2 * CALL);
        if (areLocal) makeLocal(scope, word.name);
        assign(scope, word.name, values, word.append);
      }
      fields.push(word.value.type === 'ArrayValue' ? word.name : `${word.name}=${values.join(' ')}`);
      continue;
    }
    for (const field of expand(word, scope, runner)) fields.push(fromHome(field, scope));
  }
  let length = 0;
  for (const field of fields) length += 3 + field.length / KEPT;
  runner.spend(length);
  return fields;
}

function valuesOf({ value }: Assignment, scope: Scope, runner: Runner): readonly string[] {
  if (value.type === 'ArrayValue')
    return fieldsOf(value.elements, scope, runner).map((element) => element.replace(SUBSCRIPT, ''));
  return expandEach(value, scope, runner).map(clip);
}

/** Of `([key]=value)`. */
const SUBSCRIPT = /^\[[^\]]{0,200}\]=/;
