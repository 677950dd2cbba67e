import { checkCarriedCode, codeRules } from '../code/code.ts';
import type { Finding } from '../effect.ts';
import { isOrdinaryWord } from '../programs/ordinary-word.ts';
import { changedFiles } from '../programs/writes.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { Call, Runner } from '../shell/runner.ts';
import { backdoorRules, checkAccess } from './backdoors.ts';
import { deviceRules } from './devices.ts';
import { dockerRules } from './docker.ts';
import { editorRules } from './editor-commands.ts';
import { checkEmptied, filesystemRules } from './filesystem.ts';
import { forkBombRules } from './fork-bombs.ts';
import { checkHookFile, gitHookRules } from './git-hooks.ts';
import { permissionRules } from './permissions.ts';
import { checkProgram, remoteCodeRules } from './remote-code.ts';
import type { Check, Facts, Rule } from './rule.ts';
import { checkSensitiveFiles } from './sensitive-files.ts';
import { servedFolderRules } from './served-folders.ts';
import { checkSystemFile, systemFileRules } from './system-files.ts';

/** Reports what a program that is about to be started would do. */
export function judge(invocation: Invocation, call: Call, runner: Runner): void {
  let cost = 0;
  for (const arg of invocation.args) cost += isOrdinaryWord(arg) ? 8 : 64 + 4 * arg.length;
  if (!runner.spend(cost)) return;
  const found = dangerOf(invocation, runner);
  if (found) runner.report(found, call);
}

/** Asks every rule that concerns this program; the first finding stands. */
function dangerOf(call: Invocation, facts: Facts): Finding | undefined {
  for (const check of BY_PROGRAM.get(call.name) ?? []) {
    const found = check(call, facts);
    if (found) return found;
  }
  for (const path of changedFiles(call)) {
    const found =
      checkSystemFile(path, call) ??
      checkAccess(path, call) ??
      checkHookFile(path, call) ??
      checkEmptied(path, call);
    if (found) return found;
  }
  return checkProgram(call) ?? checkSensitiveFiles(call) ?? checkCarriedCode(call);
}

const RULES: readonly Rule[] = [
  ...filesystemRules,
  ...deviceRules,
  ...permissionRules,
  ...systemFileRules,
  ...remoteCodeRules,
  ...backdoorRules,
  ...gitHookRules,
  ...codeRules,
  ...dockerRules,
  ...forkBombRules,
  ...editorRules,
  ...servedFolderRules,
];

const BY_PROGRAM: ReadonlyMap<string, readonly Check[]> = byProgram(RULES);

function byProgram(rules: readonly Rule[]): ReadonlyMap<string, readonly Check[]> {
  const map = new Map<string, Check[]>();
  for (const { programs, check } of rules) {
    for (const program of programs) map.set(program, [...(map.get(program) ?? []), check]);
  }
  return map;
}
