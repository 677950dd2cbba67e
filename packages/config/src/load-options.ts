import type { Builtin } from './builtins/builtin.ts';
import type { DialectName } from './dialects/dialect.ts';
import type { Failures } from './provider/failure.ts';
import type { RouteCall } from './provider/route.ts';
import type { Trust } from './trust/ask.ts';

/** Options of `loadHooks`. */
export interface LoadOptions {
  /** Whether the file may run: asked on the terminal and remembered unless given. An object needs no trust. */
  readonly trust?: Trust;
  /** Unless given, the file's shape tells. */
  readonly dialect?: DialectName;
  /** The environment of commands, and of `$NAME` in headers. Default: the program's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where commands run and what hooks are told as `cwd`. Default: the program's own. */
  readonly cwd?: string;
  /** `as-original`: a failed hook does what it does in the program whose dialect it is. @default 'closed' */
  readonly failures?: Failures;
  /** Reload when a file changes. A file that is wrong, or not trusted, changes nothing. */
  readonly watch?: boolean;
  /** Keep what was read of a right file beside what the user trusts, for a faster start. @default false */
  readonly cache?: boolean;
  /** Further built-in hooks by name, before those of `@hooks/guards`. */
  readonly builtins?: Readonly<Record<string, Builtin>>;
  /** Where `"decision": "route"` takes a call; without it, such an answer is a failed hook. */
  readonly route?: RouteCall;
  /** Gets what is worth knowing: events that never fire, a reload that was refused. @default console.warn */
  readonly onWarning?: (message: string) => void;
}
