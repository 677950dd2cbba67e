import type { Finding } from '../effect.ts';
import type { Invocation, RuleName } from '../programs/program.ts';

/** What a rule may know beside the one program. */
export interface Facts {
  /** Files that the command wrote itself, with what it wrote. */
  readonly files: ReadonlyMap<string, string>;
  /** File descriptors that are open on a network connection. */
  readonly sockets: ReadonlySet<string>;
}

/** Looks at one program that is about to be started. */
export type Check = (call: Invocation, facts: Facts) => Finding | undefined;

/** Looks at one file that a program is about to change; `path` is in its normal form. */
export type CheckChange = (path: string, call: Invocation) => Finding | undefined;

/** Rules by the names that the table of programs has for them. */
export type Checks<Name extends RuleName> = Readonly<Record<Name, Check>>;
