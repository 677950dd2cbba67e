import type { Builtin } from './builtins/builtin.ts';
import type { DialectName } from './dialects/dialect.ts';
import type { Failures } from './provider/failure.ts';
import type { RouteCall } from './provider/route.ts';
import type { Trust } from './trust/ask.ts';

/** Options of `loadHooks`. */
export interface LoadOptions {
  /** Whether the file may run. Default: ask on the terminal and remember the answer. An object needs no trust. */
  readonly trust?: Trust;
  /** The file's dialect. Default: detected from its shape. */
  readonly dialect?: DialectName;
  /** The environment of commands, and of `$NAME` in headers. Default: the program's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory that commands run in, and the `cwd` that hooks see. Default: the program's own. */
  readonly cwd?: string;
  /** `as-original`: a failed hook has the effect that it has in the original program. @default 'closed' */
  readonly failures?: Failures;
  /** Reload when a file changes. A file that is invalid or not trusted changes nothing. */
  readonly watch?: boolean;
  /** Cache valid files in the trust directory, for a faster start. @default false */
  readonly cache?: boolean;
  /** Additional built-in hooks by name. They take precedence over those of `@hooks/guards`, and cannot have the name of a part of files. */
  readonly builtins?: Readonly<Record<string, Builtin>>;
  /**
   * A file in which `limits` and `rate_limit` count, and `injection` with `no-tools` keeps its flags, where they name no `store`, for
   * programs that live for one event, such as `hooks run`. Default: they do so in this process.
   */
  readonly counters?: string;
  /** Where `"decision": "route"` sends a call. Without it, such an answer is a failed hook. */
  readonly route?: RouteCall;
  /** Gets notices: events that never fire, a rejected reload. @default console.warn */
  readonly onWarning?: (message: string) => void;
}
