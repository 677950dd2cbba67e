import type { Finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';

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

/** A rule and the programs that it is asked for. */
export interface Rule {
  readonly programs: readonly string[];
  readonly check: Check;
}
