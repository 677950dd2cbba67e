import type { RedirectTo } from './invocation.ts';
import type { Scope } from './scope.ts';
import type { Finding } from './verdict.ts';

/** What wrappers, builtins and interpreters need of the walk: to run what they stand in front of. */
export interface Runner {
  /** Goes through a script given as text; what it prints, as far as that is known. */
  script(text: string, scope: Scope, stdin: string | undefined): string;
  /** Starts a program: its name and arguments as expanded fields. */
  run(fields: readonly string[], call: Call): string;
  report(finding: Finding, call: Call): void;
  /** Files that the script wrote itself, by path, with what it wrote. */
  readonly files: Map<string, string>;
  /** File descriptors that are open on a network connection. */
  readonly sockets: Set<string>;
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
