import { parse } from 'unbash';
import { type Context, inContext } from './context.ts';
import { forkingFunction, noShell, remoteCode, tooLong, tooMuch } from './dangers.ts';
import { type Effect, Effects, type Finding } from './effect.ts';
import { normalizePath } from './paths/normalize.ts';
import { Budget, parsingCost } from './shell/budget.ts';
import { Machine } from './shell/machine.ts';
import { withoutMarks } from './shell/marks.ts';
import type { Start } from './shell/scope.ts';
import { MAX_ALONE } from './shell/simple-command.ts';
import type { WindowsShell } from './shell/windows.ts';

/** Where a command would run. */
export interface AnalyzeOptions {
  /** The folder in which it starts. Default: the folder of the project. */
  readonly cwd?: string;
  /** The home folder, if its path is unusual. `/home/ann`, `/Users/ann` and `/root` are known. */
  readonly home?: string;
  /** The shell that runs it. Default: `posix`. Of PowerShell and cmd, only the worst commands are recognized. */
  readonly shell?: 'posix' | WindowsShell;
  /** The kind of machine. Default: `workstation`. On the others, a danger that breaks only the machine is `low`. */
  readonly context?: Context;
}

/** What a command would do. */
export interface Analysis {
  /** In the order in which they would happen. A repeated effect is listed once. */
  readonly effects: readonly Effect[];
  /** The cost of the analysis, in characters read. */
  readonly steps: number;
}

/** Longer commands are refused without analysis. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Says what a shell command would do: what it reads, writes, deletes, sends and runs, and what of that is dangerous. The
 * command is parsed, never run. Wrappers, substitutions, variables and scripts within scripts are followed. A command that
 * takes too long to analyze has the effect `unjudged`. It never throws, and its time grows with the length of the command.
 *
 * @example
 * ```ts
 * analyzeCommand('tar -xf a.tgz && rm -rf ~').effects.at(-1)?.danger?.rule; // 'filesystem/delete'
 * ```
 */
export function analyzeCommand(command: string, options: AnalyzeOptions = {}): Analysis {
  return analyzeCommands([command], options);
}

/** The same for several commands, each by itself, with one budget for all. */
export function analyzeCommands(commands: readonly string[], options: AnalyzeOptions): Analysis {
  const long = commands.find(({ length }) => length > MAX_LENGTH);
  if (long !== undefined) return { effects: [unjudged(tooLong, long)], steps: 0 };
  const budget = new Budget(commands.map(({ length }) => length));
  const effects = new Effects((danger, kind) => inContext(danger, kind, options.context ?? 'workstation'));
  for (const command of commands) {
    if (budget.exhausted) {
      effects.add(unjudged(tooMuch, command));
      break;
    }
    analyzeOne(command, options, budget, effects);
  }
  return { effects: effects.all, steps: budget.spent };
}

function analyzeOne(command: string, options: AnalyzeOptions, budget: Budget, effects: Effects): void {
  const { cwd = '.', home, shell = 'posix' } = options;
  const source = withoutMarks(command);
  try {
    let isWhole = false;
    const again: { readonly start: Start; readonly most: number; readonly spent: number }[] = [];
    for (const folder of new Set(['.', cwd || '.'])) {
      const start = {
        cwd: folder,
        home,
        project: cwd === '.' || cwd === '' ? undefined : normalizePath(cwd),
      };
      const machine = new Machine(budget, start, effects);
      const before = budget.spent;
      if (shell === 'posix') machine.start(source);
      else machine.startWindows(source, shell);
      for (const text of machine.unread) guess(text, start, budget, effects);
      // What only the folder's name would tell is looked for as far as the budget goes.
      isWhole ||= !budget.exhausted;
      again.push({ start, most: Math.min(machine.most, MAX_ALONE), spent: budget.spent - before });
    }
    // What one value of several does may decide what follows: `$v x > f; sh f`. In a long script that is left out.
    for (const { start, most, spent } of again) {
      const affords = budget.affords(most * spent);
      for (let choice = 0; affords && choice < most; choice++)
        new Machine(budget, { ...start, choice }, effects).start(source);
    }
    if (!isWhole) effects.add(unjudged(tooMuch, command));
  } catch {
    // The parser overflowed the stack. That must not let a command pass.
    effects.add(unjudged(tooMuch, command));
  }
}

/** Guesses what a text does that is not valid shell: bash that the parser cannot read, or zsh or fish. */
function guess(text: string, start: Start, budget: Budget, effects: Effects): void {
  effects.add(unjudged(noShell, text));
  if (FORK_BOMB.test(text)) effects.add(unjudged(forkingFunction, text));
  if (RUNS_DOWNLOAD.test(text)) effects.add(unjudged(remoteCode, text));
  const machine = (): Machine => new Machine(budget, { ...start, guessed: true }, effects);
  const substituting = text.replace(FISH_FILE, '<($1)').replace(FISH_SUBSTITUTION, '$(');
  if (substituting !== text && isValid(substituting, budget)) machine().start(substituting);
  machine().startEach(pieces(text, budget));
}

/**
 * The possible commands in a text that is not valid shell: the whole text, its lines, or the parts between separators, whichever
 * is valid first. Quotes and escapes are removed, so quoted text counts as a command.
 */
function pieces(text: string, budget: Budget): readonly string[] {
  const plain = text
    .replace(/\\\r?\n/g, ' ')
    .replace(/["'\\]/g, '')
    .replace(
      SHORT_LOOP,
      (_, name: string, words: string) => `${name}=${words.trim().replace(/\s+/g, '\\ ')};`,
    );
  return split(plain, /\n/, budget)
    .flatMap((line) => split(line, SEPARATOR, budget))
    .map((part) => part.replace(BEFORE_COMMAND, ''));
}

/** The text itself, where it is valid; else its parts. */
function split(text: string, separator: RegExp, budget: Budget): readonly string[] {
  if (isValid(text, budget)) return [text];
  return budget.exhausted ? [] : text.split(separator);
}

function isValid(text: string, budget: Budget): boolean {
  return budget.charge(parsingCost(text)) && !parse(text).errors?.length;
}

const SEPARATOR = /&&|\|\||[;&\n()`{}]/;
/** What is left of the syntax around a command when it is cut out. */
const BEFORE_COMMAND = /^(?:[\s|&!]+|(?:if|then|elif|else|while|until|do|time|always|begin|and|or|not)\b)*/;
/** `source (curl x | psub)` of fish. */
const FISH_FILE = /\(([^()|]{1,400})\|\s{0,9}psub\s{0,9}\)/g;
/** `eval (curl x)` of fish. */
const FISH_SUBSTITUTION = /(?<=[^\s;|&$<>()]\s{1,9})\(/g;
/** `for x (a b) rm $x` of zsh. */
const SHORT_LOOP = /\b(?:for|foreach)\s{1,9}(\w{1,40})\s{0,9}\(([^()\n]{0,400})\)/g;
/** A function that starts itself twice, as shells take it and as they do not. */
const FORK_BOMB = /(?:^|[\s;&|({`])([\w:.]{1,32})\s?\(\s?\)\s?\{\s?\1\s?[|&]\s?\1?\s?&?/;
/** PowerShell that runs what it loads. */
const RUNS_DOWNLOAD =
  /^(?=[\s\S]*\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b)[\s\S]*\b(?:iex|Invoke-Expression)\b/i;

export function unjudged({ kind, ...danger }: Finding, part: string): Effect {
  return { kind, program: '', certainty: 'possible', cwd: '.', part, danger };
}
