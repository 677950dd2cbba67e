import type { Finding } from '../effect.ts';
import { mayName } from '../paths/check.ts';
import { place } from '../paths/places.ts';
import { hostsIn } from '../programs/calls.ts';
import { programOf } from '../programs/index.ts';
import { pathsRead } from '../programs/paths-read.ts';
import { type Facts, has, type Invocation } from '../programs/program.ts';
import { changedFiles } from '../programs/writes.ts';
import { KEPT } from '../shell/budget.ts';
import { keyOf } from '../shell/key.ts';
import type { Call, Runner } from '../shell/runner.ts';
import { checkPreload, checkProgram, checkRootShell, checkShellSent } from './backdoors.ts';
import { checkEmptied } from './filesystem.ts';
import { checkHookFile } from './git-hooks.ts';
import { checkChange, checkSecretsWritten } from './guarded-places.ts';
import { checkSent } from './secret-output.ts';
import { checkSensitiveFiles } from './sensitive-files.ts';
import { checkTable, isDryRun } from './table-dangers.ts';

/** Reports what a program that is about to be started would do. */
export function judge(invocation: Invocation, call: Call, runner: Runner): void {
  // Functions start the same programs again and again, whatever they are called with.
  if (call.scope.calls.length === 0) return void judgeAnew(invocation, call, runner);
  const key = keyOf(judgedBy(invocation, call));
  runner.spend(key.length / (8 * KEPT));
  const here = `files ${keyOf([runner.files.digest, ...runner.sockets, key])}`;
  if (runner.judged.has(key) || runner.judged.has(here)) return;
  const asksFiles = judgeAnew(invocation, call, runner);
  if (!runner.done) runner.judged.add(asksFiles ? here : key);
}

/** Everything that a judgement depends on, but for files and sockets, and the part of the command that it is about. */
function judgedBy(invocation: Invocation, { part }: Call): readonly unknown[] {
  const { program, args, redirects, env, stdin, cwd, loads, root, host } = invocation;
  const targets = redirects.flatMap(({ operator, target, descriptor }) => [operator, target, descriptor]);
  const counts = [args.length, redirects.length, env.size, stdin === undefined];
  const parts = [program, part, cwd, loads, root, host, ...counts];
  return [...parts, ...args, ...targets, ...[...env].flat(), stdin];
}

/** Returns whether it took files or sockets into account. */
function judgeAnew(invocation: Invocation, call: Call, runner: Runner): boolean {
  let cost = (invocation.stdin?.length ?? 0) / KEPT;
  // Each argument may be a path in the folder at hand, unless the program takes it for a text.
  const { length } = invocation.cwd;
  const folder = (length > 128 ? 4 : 2) * length;
  const isText = has(invocation.known, 'text');
  for (const arg of invocation.args)
    cost += isText
      ? 4 + arg.length / KEPT
      : folder + (mayName(arg, '.') ? costOfPath(arg) : 4) + (PATTERN.test(arg) ? WELL_KNOWN_PATHS : 0);
  if (!runner.spend(cost)) return true;
  const changed = changedFiles(invocation, (characters) => runner.spend(characters));
  if (runner.done) return true;
  addEffects(invocation, changed, call, runner);
  let asksFiles = false;
  const facts: Facts = {
    get files() {
      asksFiles = true;
      return runner.files;
    },
    get sockets() {
      asksFiles = true;
      return runner.sockets;
    },
    programOf,
    spend: (characters) => runner.spend(characters),
  };
  const found = dangerOf(invocation, changed, facts);
  if (found) runner.report(found, call);
  for (const danger of checkTable(invocation, facts)) runner.report(danger, call);
  const sent = checkSent(invocation, facts);
  if (sent) runner.report(sent, call);
  return asksFiles;
}

/** What it takes to look at a path; its parts are taken apart. */
function costOfPath({ length }: string): number {
  return length > 256 ? 4 * length : 24 + 2 * length;
}

/** A pattern is compared with paths that it may be meant to find. */
const PATTERN = /[*?[]/;
const WELL_KNOWN_PATHS = 128;

function addEffects(invocation: Invocation, changed: readonly string[], call: Call, runner: Runner): void {
  const { name: program, cwd } = invocation;
  if (program !== '') runner.add({ kind: 'execute', program, certainty: 'certain' }, call);
  if (has(invocation.known, 'shows', 'filters', 'copies'))
    for (const path of pathsRead(invocation))
      runner.add({ kind: 'read', program, path: place(path, cwd), certainty: 'possible' }, call);
  const kind = invocation.known.deletes ? 'delete' : 'write';
  for (const path of changed) runner.add({ kind, program, path, certainty: 'certain' }, call);
  if (has(invocation.known, 'sends') || invocation.known.remote === true)
    for (const host of hostsIn(invocation.args))
      runner.add({ kind: 'send', program, host, certainty: 'certain' }, call);
}

/** Asks every rule that concerns this program; the first finding stands. */
function dangerOf(call: Invocation, changed: readonly string[], facts: Facts): Finding | undefined {
  if (isDryRun(call)) return undefined;
  const { rules = [] } = call.known;
  return (
    firstOf(rules, (rule) => rule(call, facts)) ??
    firstOf(
      changed,
      (path) =>
        checkHookFile(path, call) ?? checkChange(path, call, facts) ?? checkEmptied(path, call, facts),
    ) ??
    checkProgram(call) ??
    checkRootShell(call) ??
    checkPreload(call) ??
    checkShellSent(call) ??
    checkSensitiveFiles(call) ??
    firstOf(changed, (path) => checkSecretsWritten(path, call))
  );
}

function firstOf<T>(items: readonly T[], check: (item: T) => Finding | undefined): Finding | undefined {
  for (const item of items) {
    const found = check(item);
    if (found) return found;
  }
  return undefined;
}
