import { type Function as FunctionNode, type ParsedScript, parse } from 'unbash';
import type { Effect, Effects, Finding } from '../effect.ts';
import { type Budget, CALL, KEPT, parsingCost } from './budget.ts';
import { Files } from './file-content.ts';
import { Judged } from './judged.ts';
import { UNKNOWN } from './marks.ts';
import { runStatements } from './nodes.ts';
import { runProgram } from './program.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import type { Call, Runner } from './runner.ts';
import { type Choice, newScope, type Scope, type Start, subshell } from './scope.ts';
import { runWindows, type WindowsShell } from './windows.ts';

/**
 * Walks through a script as a shell would, without running anything: every branch, every loop once. Each program is judged
 * with what is known of its arguments and its input.
 */
export class Machine implements Runner {
  /** Texts that are no valid shell. */
  readonly unread: string[] = [];
  readonly files: Files = new Files();
  readonly repeated: RepeatedCalls = new RepeatedCalls();
  readonly judged: Judged = new Judged();
  readonly descriptors: Map<string, string> = new Map();
  readonly sockets: Set<string> = new Set();
  checked: readonly string[] = [];
  readonly #budget: Budget;
  readonly #effects: Effects;
  readonly #start: Start;
  readonly #choice: Choice;
  /** Functions that were defined; those that were called have nothing left to do. */
  readonly #functions = new Map<FunctionNode, (() => void) | undefined>();
  #left: { readonly source: string; readonly pos: number; readonly end: number } | undefined;

  constructor(budget: Budget, start: Start, effects: Effects) {
    this.#budget = budget;
    this.#effects = effects;
    this.#start = start;
    this.#choice = { at: start.choice, here: 0, most: 0, varied: false };
  }

  /** The most values of a variable that each count by themselves; 0 where none had several. */
  get most(): number {
    return this.#choice.most;
  }

  get done(): boolean {
    return this.#budget.exhausted;
  }

  start(source: string): void {
    for (const text of readingsOf(source)) {
      if (!this.spend(parsingCost(text))) return;
      this.#parsed(parse(text), newScope(text, this.#budget, this.#choice, this.#start));
      this.#end();
    }
  }

  /** Analyzes parts of a command in order, as one script. */
  startEach(sources: readonly string[]): void {
    const scope = newScope('', this.#budget, this.#choice, this.#start);
    for (const source of sources) {
      if (!this.spend(parsingCost(source))) return;
      this.#parsed(parse(source), { ...scope, source });
    }
    this.#end();
  }

  /** Analyzes a whole command for another shell. */
  startWindows(source: string, shell: WindowsShell): void {
    runWindows(source, shell, newScope(source, this.#budget, this.#choice, this.#start), this);
  }

  script(text: string, scope: Scope, stdin?: string): string {
    let output = '';
    for (const source of readingsOf(text)) {
      if (!this.spend(CALL + parsingCost(source)) || scope.depth >= MAX_DEPTH) {
        this.#budget.giveUp();
        return UNKNOWN;
      }
      output += this.#parsed(parse(source), { ...scope, source, depth: scope.depth + 1 }, stdin);
    }
    return output;
  }

  substitute(script: ParsedScript, scope: Scope): string {
    if (!this.spend(CALL)) return UNKNOWN;
    return this.#parsed(script, { ...subshell(scope), forked: false, heard: true, weighs: true });
  }

  run(fields: readonly string[], call: Call): string {
    let cost = CALL;
    for (const field of fields) cost += 4 + field.length / KEPT;
    return this.spend(cost) ? runProgram(fields, call, this) : '';
  }

  report({ kind, ...danger }: Finding, call: Call): void {
    this.add({ kind, program: '', certainty: 'certain', danger }, call);
  }

  add(effect: Omit<Effect, 'cwd' | 'part'>, { scope, part }: Call): void {
    this.spend(CALL);
    const possible = this.#start.guessed || this.#choice.at !== undefined;
    const certainty = possible ? 'possible' : effect.certainty;
    this.#effects.add({ ...effect, certainty, cwd: scope.shell.cwd, part });
  }

  later(node: FunctionNode, walk: () => void): void {
    if (!this.#functions.has(node)) this.#functions.set(node, walk);
  }

  called(node: FunctionNode): void {
    this.#functions.set(node, undefined);
  }

  /** Analyzes the functions that nothing called. */
  #end(): void {
    for (const walk of this.#functions.values()) if (!this.done) walk?.();
  }

  spend(characters: number): boolean {
    return this.#budget.charge(characters);
  }

  #parsed(script: ParsedScript, scope: Scope, stdin?: string): string {
    if (script.errors?.length) this.#leave(script, scope.source);
    // Deeper nodes are not in the tree, and no ordinary script nests so deep.
    if (script.errors?.some(({ message }) => message.endsWith('nesting depth exceeded')))
      this.#budget.giveUp();
    const inner = script.source === undefined ? scope : { ...scope, source: script.source };
    return runStatements(script.commands, inner, stdin, this);
  }

  /** Remembers a script that is not valid shell, unless it is part of another such script. */
  #leave({ pos, end }: ParsedScript, source: string): void {
    const left = this.#left;
    if (left?.source === source && left.pos <= pos && end <= left.end) return;
    this.#left = { source, pos, end };
    this.unread.push(source.slice(pos, end) || source);
  }
}

const MAX_DEPTH = 24;

/**
 * What a text may mean to bash: the text with lines joined that end in `\` within an operator or a variable (`&\`, `$na\`), which
 * the parser does not do. In a comment bash does not join them either, so a text that has one is also read as it stands.
 */
function readingsOf(text: string): readonly string[] {
  const plain = asBash(text);
  const joined = plain.includes('\\\n') ? plain.replace(CONTINUED, '') : plain;
  return joined !== plain && plain.includes('#') ? [joined, plain] : [joined];
}

/**
 * The text without NUL characters and the line ends of Windows, with `<(…)` for `=(…)` and `${x}` for `${(e)x}`, which mean the
 * same in zsh and nothing in bash.
 */
function asBash(text: string): string {
  const read = text.replaceAll('\0', '');
  const lines = read.includes('\r') ? read.replace(/\r$/gm, '') : read;
  const plain = lines.includes('=(') ? lines.replace(ZSH_SUBSTITUTION, '<(') : lines;
  return plain.includes('${(') ? plain.replace(ZSH_FLAGS, '${') : plain;
}

const CONTINUED =
  /(?<=[&|;<>$(])(?:\\\n)+(?=[&|;<>({])|(?<=\$\{?\w{0,40}:?)(?:\\\n)+(?=[\w{}(:@*?!$#/%^,-])/g;
const ZSH_FLAGS = /\$\{\([\w@.:,#%+~-]{1,20}\)/g;
const ZSH_SUBSTITUTION = /(?<=^|[\s;|&(])=\(/g;
