import { accounts, destroysData, discards, discardsIgnored, printsSecret } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { fileKey, place } from '../paths/places.ts';
import { gitCall } from '../programs/calls.ts';
import type { Facts, Invocation } from '../programs/program.ts';
import { fits, possibleDangers, readCall } from '../programs/read-call.ts';
import { isKnown } from '../shell/marks.ts';
import { checkStatements } from './infrastructure.ts';
import { isTemporary } from './kept-folders.ts';

export function checkTable(call: Invocation, facts: Facts): readonly Finding[] {
  const program = call.known;
  if (isDryRun(call)) return [];
  const statements = program.statements
    ? (checkStatements(statementsOf(call)) ?? (readsScript(call) ? destroysData : undefined))
    : undefined;
  if (statements) return [statements];
  if (!program.dangers) return [];
  const found = possibleDangers(call)
    .filter((danger) => fits(call, danger))
    .map(({ is }) => is);
  // Whether a secret is shown depends on where it goes: `rules/secret-output.ts`.
  const passes = new Set<Finding>([
    printsSecret,
    ...(isThrownAway(call, facts) ? [discards, discardsIgnored] : []),
  ]);
  if (call.host === 'container' || call.host === 'mounted') passes.add(accounts);
  return found.filter((danger) => !passes.has(danger));
}

/** A working tree in a temporary folder that this command created itself: a clone to try something in. */
function isThrownAway({ known, args, env, cwd, host, project = '.' }: Invocation, facts: Facts): boolean {
  if (known.reads !== 'git' || host !== 'here' || isTemporary(project)) return false;
  if (env.has('GIT_DIR') || env.has('GIT_WORK_TREE') || args.some((arg) => arg.startsWith('--git-dir')))
    return false;
  const folder = fileKey(gitCall(args).folders.at(-1) ?? '.', cwd) || '.';
  return isKnown(folder) && isTemporary(place(folder, '.')) && facts.files.has(fileKey('.git', folder));
}

/** Whether the table says that a call prints a secret. */
export function printsSecretItself(call: Invocation): boolean {
  const ways = possibleDangers(call).filter(({ is }) => is === printsSecret);
  if (ways.length === 0 || asksForHelp(call)) return false;
  return ways.some((way) => fits(call, way));
}

/** A script for a database whose name says that it deletes. */
function readsScript({ redirects }: Invocation): boolean {
  return redirects.some(({ operator, target }) => operator === '<' && DROPS_BY_NAME.test(target));
}

const DROPS_BY_NAME = /(?:^|[/_.-])(?:drop|wipe|destroy|purge|truncate)[\w.-]{0,200}\.sql$/i;

function statementsOf({ args, stdin }: Invocation): string {
  return [...args, stdin !== undefined && isKnown(stdin) ? stdin : ''].join('\n');
}

/** Whether an option says that nothing is to be done. */
export function isDryRun(call: Invocation): boolean {
  const { dryRun } = call.known;
  if (asksForHelp(call)) return true;
  return dryRun !== undefined && fits(call, { option: dryRun });
}

/** `--help` of what is no starter of other programs, and `-WhatIf` of a cmdlet (`Remove-Item`, `ri`). */
function asksForHelp(call: Invocation): boolean {
  const { name, args, known } = call;
  if (args.some((arg) => /^-whatif$/i.test(arg)))
    return /^(?:\w+-\w+|r[im]|del|rd|m[iv]|c[ip]|spps|kill)$/.test(name);
  if (!args.some((arg) => /^--?help$/.test(arg)) || known.container || known.starter) return false;
  if (known.starts && !known.starts.verbs) return false;
  if (known.runs && known.runs !== 'queries') return false;
  return readCall(call).options.includes('--help');
}
