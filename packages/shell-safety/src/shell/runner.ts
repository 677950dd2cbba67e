import type { Function as FunctionNode, ParsedScript } from 'unbash';
import type { Effect, Finding } from '../effect.ts';
import type { Files } from './file-content.ts';
import type { RepeatedCalls } from './repeated-calls.ts';
import type { Scope } from './scope.ts';

/** Where a redirection leads. */
export interface RedirectTo {
  /** `<`, `>`, `>>`, `>|`, `&>`, `&>>`, `<>`, `<&`, `>&`. */
  readonly operator: string;
  readonly target: string;
  /** What is redirected where it is not what the operator says: 2 in `2>file`. */
  readonly descriptor?: number;
}

/** What the parts of the walk need of it: to go through what stands inside of what they look at. */
export interface Runner {
  /** The budget is used up; nothing more is looked at. */
  readonly done: boolean;
  /** Goes through a script given as text; what it prints, as far as that is known. */
  script(text: string, scope: Scope, stdin?: string): string;
  /** Goes through a substitution, in a shell of its own. */
  substitute(script: ParsedScript, scope: Scope): string;
  /** Starts a program: its name and arguments as expanded fields. */
  run(fields: readonly string[], call: Call): string;
  report(finding: Finding, call: Call): void;
  /** Adds an effect that is not dangerous by itself. */
  add(effect: Omit<Effect, 'cwd' | 'part'>, call: Call): void;
  /** Charges work to the budget, in characters; false where there is none left for it. */
  spend(characters: number): boolean;
  /** Remembers what to do with a function at the end of the script, unless it is called before. */
  later(node: FunctionNode, walk: () => void): void;
  called(node: FunctionNode): void;
  /** Files that the script wrote itself, by path, with what it wrote. */
  readonly files: Files;
  /** Calls of functions that were walked through. */
  readonly repeated: RepeatedCalls;
  /** Descriptors that the script opened, with the files that they lead to. */
  readonly descriptors: Map<string, string>;
  /** Descriptors that are open on a network connection. */
  readonly sockets: Set<string>;
  /** What was compared last with its checksum or signature: the arguments that name the files. */
  checked: readonly string[];
}

/** The circumstances in which a program is started. */
export interface Call {
  readonly scope: Scope;
  readonly env: ReadonlyMap<string, string>;
  readonly redirects: readonly RedirectTo[];
  readonly stdin: string | undefined;
  /** A wrapper started it, so that functions and aliases do not count. */
  readonly wrapped?: boolean;
  /** The command as it stands in the script. */
  readonly part: string;
}

/** The circumstances of what is no program: a loop, a group, a statement. */
export function callOf(scope: Scope, part: string): Call {
  return { scope, env: new Map(), redirects: [], stdin: undefined, part };
}
