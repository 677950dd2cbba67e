import { type ParsedScript, parse } from 'unbash';
import { UNKNOWN } from './marks.ts';
import { runStatements } from './nodes.ts';
import type { PlainCall } from './plain-calls.ts';
import { runProgram } from './program.ts';
import type { Call, Runner } from './runner.ts';
import { type Choice, newScope, type Scope, subshell } from './scope.ts';
import { type CommandVerdict, type Finding, verdict } from './verdict.ts';

/**
 * Goes through a script as a shell would, without running anything: every branch, every loop once, every program
 * handed to the rules with what is known of its arguments and its input. It ends at the first verdict.
 */
export class Machine implements Runner {
  #files: Map<string, string> | undefined;
  #sockets: Set<string> | undefined;
  verdict: CommandVerdict | undefined;
  /** Texts that were no valid shell, or too much to go through: for the fallback. */
  readonly unread: string[] = [];
  #left: { readonly source: string; readonly pos: number; readonly end: number } | undefined;
  readonly #choice: Choice;
  #steps = 0;

  /** `at`: the one value to take of a variable that may have several; all of them, unless set. */
  constructor(at?: number) {
    this.#choice = { at, most: 0 };
  }

  /** How many values some variable may have had, of which each counts by itself; 0 where none had several. */
  get most(): number {
    return this.#choice.most;
  }

  get done(): boolean {
    return this.verdict !== undefined;
  }

  /** There was more to go through than can be: what was left is not judged. */
  get exhausted(): boolean {
    return this.#steps > MAX_STEPS;
  }

  /** Goes through a whole command. */
  start(source: string): void {
    this.spend(1 + source.length / 256);
    this.#parsed(parse(source), newScope(source, this.#choice), undefined);
  }

  /** Goes through a command that is one program with these words. */
  startProgram({ words, from, to }: PlainCall, source: string): void {
    this.run(words, {
      scope: newScope(source, this.#choice),
      env: NO_VARIABLES,
      redirects: [],
      stdin: undefined,
      looked: true,
      part: source.slice(from, to),
    });
  }

  script(text: string, scope: Scope, stdin: string | undefined): string {
    if (this.spend(1 + text.length / 256) || scope.depth >= MAX_DEPTH) {
      this.skip(text);
      return UNKNOWN;
    }
    return this.#parsed(parse(text), { ...scope, source: text, depth: scope.depth + 1 }, stdin);
  }

  readonly substitute = (script: ParsedScript, scope: Scope): string =>
    this.done ? UNKNOWN : this.#parsed(script, { ...subshell(scope), forked: false, heard: true }, undefined);

  run(fields: readonly string[], call: Call): string {
    return this.done || this.spend(1 + fields.length / 16) ? '' : runProgram(fields, call, this);
  }

  report(found: Finding, call: Call): void {
    this.verdict ??= verdict(found, call.part);
  }

  spend(cost: number): boolean {
    this.#steps += cost;
    return this.exhausted;
  }

  get files(): ReadonlyMap<string, string> {
    return this.#files ?? NO_FILES;
  }

  keep(path: string, text: string): void {
    this.#files ??= new Map();
    this.#files.set(path, text);
  }

  get sockets(): ReadonlySet<string> {
    return this.#sockets ?? NO_SOCKETS;
  }

  connect(descriptor: string): void {
    this.#sockets ??= new Set();
    this.#sockets.add(descriptor);
  }

  skip(text: string): void {
    this.unread.push(text);
  }

  /** Leaves a script that is no valid shell to the fallback; one that stands in another left one is judged with that. */
  #leave({ pos, end }: ParsedScript, source: string): void {
    const left = this.#left;
    if (left?.source === source && left.pos <= pos && end <= left.end) return;
    this.#left = { source, pos, end };
    this.skip(source.slice(pos, end) || source);
  }

  #parsed(script: ParsedScript, scope: Scope, stdin: string | undefined): string {
    if (script.errors?.length) this.#leave(script, scope.source);
    const inner = script.source === undefined ? scope : { ...scope, source: script.source };
    return runStatements(script.commands, inner, stdin, this);
  }
}

const NO_VARIABLES: ReadonlyMap<string, string> = new Map();
const NO_FILES: ReadonlyMap<string, string> = new Map();
const NO_SOCKETS: ReadonlySet<string> = new Set();
const MAX_DEPTH = 24;
const MAX_STEPS = 20_000;
