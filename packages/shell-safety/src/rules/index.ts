import type { Invocation } from '../invocation.ts';
import type { Finding } from '../verdict.ts';
import { backdoorRules, checkAccess } from './backdoors.ts';
import { checkCarriedCode, codeRules } from './code.ts';
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
import { changedFiles, writers } from './writes.ts';

/** Asks every rule that concerns this program; the first finding stands. */
export function judge(call: Invocation, facts: Facts): Finding | undefined {
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

/** The programs that rules are asked for by name, or whose files are looked at. */
export const judgedPrograms: readonly string[] = [...BY_PROGRAM.keys(), ...writers];

function byProgram(rules: readonly Rule[]): ReadonlyMap<string, readonly Check[]> {
  const map = new Map<string, Check[]>();
  for (const { programs, check } of rules) {
    for (const program of programs) map.set(program, [...(map.get(program) ?? []), check]);
  }
  return map;
}
