/** What to run: a line for `/bin/sh -c`, or a program with its arguments and no shell. */
export type SandboxCommand = SandboxCommandOptions &
  (
    | { readonly command: string; readonly argv?: never }
    | { readonly argv: readonly [string, ...string[]]; readonly command?: never }
  );

/** What both kinds of command take. */
export interface SandboxCommandOptions {
  /** The name to cancel it by. Minted where missing. */
  readonly id?: string;
  /** Working directory inside the sandbox; a relative one starts at the workspace. Default: the workspace. */
  readonly cwd?: string;
  /** What the command reads; without it, stdin is empty. */
  readonly stdin?: string | Uint8Array;
  /** Wall-clock limit in milliseconds, after which the whole process tree is killed. Default 60 000. */
  readonly timeoutMs?: number;
  /** Added to the spec's `env`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Bytes kept of stdout and of stderr, each; the middle of anything longer is dropped. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Also list the files that the session has written so far, in `result.artifacts`. */
  readonly artifacts?: boolean;
}

/** One piece of output, as it comes. */
export interface SandboxOutput {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** How one execution is watched and stopped. */
export interface ExecuteOptions {
  /** Cancels the command when it fires. */
  readonly signal?: AbortSignal;
  /** Called with every piece of output as it arrives, also with what the result will leave out. */
  readonly onOutput?: (output: SandboxOutput) => void;
}

/**
 * The command in the input of a shell tool: its `command` or `cmd`, a line, an array, or a program beside its `args`; or
 * the input itself where it is a text. Its `cwd` counts where it is relative: of the folders of this machine a sandbox
 * knows none.
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
    'The call has no `command` or `cmd` (with `args`) to run in a sandbox; say with `command` how to make one.',
  );
}

/** Not `/srv`, `~/x`, `$HOME`, nor `C:\x`. */
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
