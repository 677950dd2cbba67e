import type { HookProvider } from '@hooks/core';
import type { EventType } from '../events.ts';
import type { Variables } from '../parts/variables.ts';

/** The arguments of a built-in hook, as the file has them. */
export type BuiltinArgs = readonly string[] | Readonly<Record<string, unknown>>;

/** Makes the provider of a built-in hook. Throws if the arguments are invalid. */
export type Builtin = (args: BuiltinArgs, options: BuiltinOptions) => HookProvider | Promise<HookProvider>;

/** A built-in of a file: what makes it, and what its arguments demand of the file. */
export interface DeclaredBuiltin {
  readonly make: Builtin;
  /** The events under which a hook with these arguments has to stand. Default: any on which it has hooks. */
  readonly needs?: (args: BuiltinArgs) => readonly Need[];
  /**
   * Why a hook with these arguments has no effect where each event is a process, as a sentence without its full stop. Default: it has
   * one.
   */
  readonly forgets?: (args: BuiltinArgs) => string | undefined;
}

/** An event under which a hook has to stand. */
export interface Need {
  readonly event: EventType;
  /** What the hook does there, as a sentence without its full stop. */
  readonly why: string;
}

/** What a built-in gets besides its arguments. */
export interface BuiltinOptions {
  readonly cwd: string;
  /** The directory that the paths of stores and journals are relative to. */
  readonly storesIn: string;
  /**
   * The file in which limits count, and `injection` keeps that no tool may run, where their arguments name none. Default: they do so
   * in this process.
   */
  readonly counters?: string;
  /** The environment, for the variables that a file names. */
  readonly env: Variables;
  readonly onWarning: (message: string) => void;
}
