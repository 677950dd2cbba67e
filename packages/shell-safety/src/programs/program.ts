import type { Finding } from '../effect.ts';

/** A way to call a program that is dangerous. */
export interface DangerousCall {
  /** Its operands, joined by blanks: `/^stash (?:drop|clear)\b/`. */
  readonly words?: RegExp;
  /** One of its options, as `-f` or `--force`; clusters are taken apart. */
  readonly option?: RegExp;
  /** With one of these options it is something else, a dry run above all. */
  readonly unless?: RegExp;
  readonly is: Finding;
}

/** What is known of a program. */
export interface Program {
  /** Options that take a value: letters and long names, joined by blanks. */
  readonly valued?: string;
  /** Its long options begin with one dash: `-chdir=dir`. */
  readonly oneDash?: true;
  /** What stands in its arguments and its input are statements for a database. */
  readonly statements?: true;
  /** The options with which it only says what it would do. */
  readonly dryRun?: RegExp;
  readonly dangers?: readonly DangerousCall[];
  /** What it prints where these words are its operands: a secret, or all variables. */
  readonly printsSecret?: readonly {
    readonly words?: RegExp;
    readonly option?: RegExp;
    readonly unless?: RegExp;
  }[];
}

/** A row of the table: the names of a program, joined by blanks, and what is known of it. */
export type Row = readonly [names: string, program: Program];
