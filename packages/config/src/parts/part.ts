import type { BeforeToolCall, HookProvider, Principal } from '@hooks/core';
import type { BuiltinArgs, BuiltinOptions } from '../builtins/builtin.ts';
import type { RouteCall } from '../provider/route.ts';

/** What stands beside `hooks:` in a file, as hooks, and what it gives the program besides. */
export interface Part extends HookProvider {
  /** The user whom the program works for. */
  readonly principal?: Principal | undefined;
  /** Where a hook's `"decision": "route"` sends a call. */
  readonly route?: RouteCall;
  /** Whether its rules allow a call, so that no judge of the same file has to decide about it. */
  readonly allows?: (call: BeforeToolCall) => boolean;
  /** Ends what it has open. */
  close?(): Promise<void>;
}

/** A part of a file. */
export interface DeclaredPart {
  readonly make: MakePart;
  /** What follows where a variable that it names is not set. Default: the file does not load. */
  readonly unset?: string;
  /** What it does not do in every program. */
  readonly elsewhere?: string;
}

/** Makes a part from its arguments. */
export type MakePart = (args: BuiltinArgs, options: BuiltinOptions) => Promise<Part>;
