import type { Function as FunctionNode, ParsedScript } from 'unbash';
import type { Effect, Finding } from '../effect.ts';
import type { Files } from './file-content.ts';
import type { Judged } from './judged.ts';
import type { RepeatedCalls } from './repeated-calls.ts';
import type { Scope } from './scope.ts';

/** Where a redirection leads. */
export interface RedirectTo {
  /** `<`, `>`, `>>`, `>|`, `&>`, `&>>`, `<>`, `<&`, `>&`. */
  readonly operator: string;
  readonly target: string;
  /** The descriptor, if it is not the operator's default: 2 in `2>file`. */
  readonly descriptor?: number;
}

/** Callbacks for analyzing nested commands. */
export interface Runner {
  /** Whether the budget is used up. */
  readonly done: boolean;
  /** Analyzes a script given as text. Returns its output as far as it is known. */
  script(text: string, scope: Scope, stdin?: string): string;
  /** Analyzes a substitution in a subshell. Returns its output. */
  substitute(script: ParsedScript, scope: Scope): string;
  /** Starts a program: its name and arguments as expanded fields. */
  run(fields: readonly string[], call: Call): string;
  report(finding: Finding, call: Call): void;
  /** Adds an effect that is not dangerous by itself. */
  add(effect: Omit<Effect, 'cwd' | 'part'>, call: Call): void;
  /** Charges work to the budget, in characters. Returns false if the budget is used up. */
  spend(characters: number): boolean;
  /** Registers the walk of a function for the end of the script, unless it is called before. */
  later(node: FunctionNode, walk: () => void): void;
  called(node: FunctionNode): void;
  /** Files that the script wrote itself, by path, with what it wrote. */
  readonly files: Files;
  /** Calls of functions that were walked through. */
  readonly repeated: RepeatedCalls;
  /** Programs that were judged in functions, with all that their judgement depends on. */
  readonly judged: Judged;
  /** Descriptors that the script opened, with the files that they lead to. */
  readonly descriptors: Map<string, string>;
  /** Descriptors that are open on a network connection. */
  readonly sockets: Set<string>;
  /** The arguments of the last checksum or signature check, which name the files. */
  checked: readonly string[];
}

/** The context in which a program is started. */
export interface Call {
  readonly scope: Scope;
  readonly env: ReadonlyMap<string, string>;
  readonly redirects: readonly RedirectTo[];
  readonly stdin: string | undefined;
  /** A wrapper started it, so functions and aliases do not apply. */
  readonly wrapped?: boolean;
  /** The command as it stands in the script. */
  readonly part: string;
}

/** The context of a node that is not a program: a loop, a group, a statement. */
export function callOf(scope: Scope, part: string): Call {
  return { scope, env: new Map(), redirects: [], stdin: undefined, part };
}
