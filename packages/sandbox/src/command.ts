/** What to run: a line for `/bin/sh -c`, or a program with its arguments and no shell. */
export type SandboxCommand = SandboxCommandOptions &
  (
    | { readonly command: string; readonly argv?: never }
    | { readonly argv: readonly [string, ...string[]]; readonly command?: never }
  );

/** Options of both kinds of command. */
export interface SandboxCommandOptions {
  /** The id for canceling the command. Default: a random one. */
  readonly id?: string;
  /** Working directory inside the sandbox, relative to the workspace. Default: the workspace. */
  readonly cwd?: string;
  /** The command's stdin. Default: empty. */
  readonly stdin?: string | Uint8Array;
  /** Wall-clock limit in milliseconds. At the limit, the whole process tree is killed. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Added to the spec's `env`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum bytes to keep of stdout and of stderr each. The middle of longer output is dropped. Default: 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Also list the files that the session has written so far, in `result.artifacts`. */
  readonly artifacts?: boolean;
}

/** A piece of output. */
export interface SandboxOutput {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** How to watch and stop a command. */
export interface ExecuteOptions {
  /** Cancels the command when it fires. */
  readonly signal?: AbortSignal;
  /** Called with every piece of output as it arrives, including what the result will leave out. */
  readonly onOutput?: (output: SandboxOutput) => void;
}

/**
 * The command in the input of a shell tool: its `command` or `cmd` (a line, an array, or a program next to `args`), or
 * the input itself if it is a string. A relative `cwd` is used; an absolute one refers to this machine, which the
 * sandbox does not know.
 */
export function commandOf(input: unknown): SandboxCommand {
  if (typeof input === 'string') return { command: input };
  const { command, cmd = command, args = [], workdir, cwd = workdir } = (input ?? {}) as CommandInput;
  const where = typeof cwd === 'string' && RELATIVE.test(cwd) ? { cwd } : {};
  if (Array.isArray(args)) {
    if (typeof cmd === 'string' && args.length === 0) return { command: cmd, ...where };
    const argv: readonly unknown[] = [cmd, ...args].flat();
    if (isArgv(argv)) return { argv, ...where };
  }
  throw new TypeError(
    'The input of the call has no `command` or `cmd` (with `args`) to run in a sandbox. Pass the option `command`, a function that returns one.',
  );
}

/** Excludes `/srv`, `~/x`, `$HOME` and `C:\x`. */
const RELATIVE = /^(?![/\\~$]|[A-Za-z]:)./;

interface CommandInput {
  readonly command?: unknown;
  readonly cmd?: unknown;
  readonly args?: unknown;
  readonly cwd?: unknown;
  readonly workdir?: unknown;
}

function isArgv(value: readonly unknown[]): value is readonly [string, ...string[]] {
  return value.length > 0 && value.every((part) => typeof part === 'string');
}
