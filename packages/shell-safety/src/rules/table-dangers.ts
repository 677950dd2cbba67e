import { accounts, destroysData, discards, discardsIgnored, printsSecret } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { fileKey, place } from '../paths/places.ts';
import { gitCall } from '../programs/calls.ts';
import { beginsWith, isNamed } from '../programs/pattern.ts';
import type { DangerousCall, Facts, Invocation } from '../programs/program.ts';
import { ALL_OF_A_KIND, CHANGED, isKnown } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
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
  const said = readCall(call);
  const found = program.dangers.filter((danger) => matches(danger, said)).map(({ is }) => is);
  // Whether a secret is shown depends on where it goes: `rules/secret-output.ts`.
  const passes = new Set<Finding>([
    printsSecret,
    ...(isThrownAway(call, facts) ? [discards, discardsIgnored] : []),
  ]);
  if (call.host === 'container' || call.host === 'mounted') passes.add(accounts);
  return found.filter((danger) => !passes.has(danger));
}

/** A working tree in a temporary folder that this command created itself: a clone to try something in. */
function isThrownAway({ known, args, env, cwd, host, project = '.' }: Invocation, { files }: Facts): boolean {
  if (known.reads !== 'git' || host !== 'here' || isTemporary(project)) return false;
  if (env.has('GIT_DIR') || env.has('GIT_WORK_TREE') || args.some((arg) => arg.startsWith('--git-dir')))
    return false;
  const folder = fileKey(gitCall(args).folders.at(-1) ?? '.', cwd) || '.';
  return isKnown(folder) && isTemporary(place(folder, '.')) && files.has(fileKey('.git', folder));
}

/** Whether the table says that a call prints a secret. */
export function printsSecretItself(call: Invocation): boolean {
  const ways = call.known.dangers?.filter(({ is }) => is === printsSecret) ?? [];
  if (ways.length === 0 || asksForHelp(call)) return false;
  const said = readCall(call);
  return ways.some((way) => matches(way, said));
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
  return dryRun !== undefined && matches({ option: dryRun }, readCall(call));
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

interface Said {
  readonly line: string;
  readonly terminal: boolean;
  /** `NAME=value` */
  readonly variables: () => readonly string[];
  /** The operands, joined by blanks; `--` among them. */
  readonly words: string;
  /** `-f`, `--force`, and with their values: `-X=DELETE`. */
  readonly options: readonly string[];
}

function readCall(call: Invocation): Said {
  if (latest?.call !== call) latest = { call, said: read(call) };
  return latest.said;
}

/** Rules ask about one call after the other, and several about the same. */
let latest: { readonly call: Invocation; readonly said: Said } | undefined;

function read({ args, stdin, env, known: { valued = '', oneDash } }: Invocation): Said {
  const dashes = args.indexOf('--');
  const before = dashes === -1 ? args : args.slice(0, dashes);
  const { flags, given, operands } = options(
    oneDash ? before.map((arg) => (/^-\w\w/.test(arg) ? `-${arg}` : arg)) : before,
    valued,
  );
  const words = dashes === -1 ? operands : [...operands, '--', ...args.slice(dashes + 1)];
  return {
    line: [...args, ...[ALL_OF_A_KIND, CHANGED].filter((mark) => stdin?.includes(mark))].join(' '),
    terminal: stdin === undefined,
    variables: () => Array.from(env, ([name, value]) => `${name}=${value}`),
    words: words.join(' '),
    options: [...flags, ...given.map(([name, value]) => `${name}=${value}`)],
  };
}

function matches(way: Omit<DangerousCall, 'is'>, said: Said): boolean {
  const { words, line, terminal, everything, variable, option, unless } = way;
  if (words && !beginsWith(said.words, words)) return false;
  if ((line && !line.test(said.line)) || (terminal !== undefined && terminal !== said.terminal)) return false;
  if (everything && !said.line.includes(ALL_OF_A_KIND)) return false;
  if (variable && !said.variables().some((given) => variable.test(given))) return false;
  if (option && !isNamed(said.options, option)) return false;
  // `RAILS_ENV=test` is as good as an option.
  return !unless || !isNamed([...said.options, ...said.variables()], unless);
}
