import type { ExecuteOptions, SandboxCommand } from './command.ts';
import type { SandboxResult } from './result.ts';
import type { SandboxSpec } from './spec.ts';

/** A place where commands run isolated from the agent's machine. One file each; all pass the same contract test. */
export interface SandboxProvider {
  /** Its name in traces and results: `local`, `docker`, `e2b`, `daytona`. */
  readonly id: string;
  /**
   * What of `spec` this provider cannot keep here and now, each a sentence that says what would help.
   * Empty: it can. It never answers by weakening the spec.
   */
  supports(spec: SandboxSpec): Promise<readonly string[]>;
  /**
   * Opens a sandbox.
   * @throws SandboxError `UNSUPPORTED` with the reasons of `supports`, `UNAVAILABLE` where it could not be started.
   */
  createSession(spec: SandboxSpec, signal?: AbortSignal): Promise<SandboxSession>;
}

/** One sandbox: its files last from command to command, its processes do not outlive the command that started them. */
export interface SandboxSession extends AsyncDisposable {
  readonly id: string;
  /** The provider's `id`. */
  readonly provider: string;
  /** Absolute path of the workspace inside the sandbox. */
  readonly workspace: string;
  /** `failed`: the sandbox died underneath; it takes no more commands. */
  readonly status: 'open' | 'failed' | 'closed';
  /**
   * Runs one command to its end. Several may run at a time.
   * @throws SandboxError where the sandbox could not run it: `CLOSED`, `FAILED`. What the command did wrong is a result.
   */
  execute(command: SandboxCommand, options?: ExecuteOptions): Promise<SandboxResult>;
  /** Kills the running command of this id with everything it started; false where there is none. */
  cancel(commandId: string): boolean;
  /** Writes a file inside the sandbox, with its directories. A relative path starts at the workspace. */
  writeFile(path: string, data: string | Uint8Array): Promise<void>;
  /** Reads a file inside the sandbox. Symlinks lead where they lead inside of it, never to the agent's machine. */
  readFile(path: string): Promise<Uint8Array>;
  /** Paths, relative to the workspace, of the files that were written in it since the session began. */
  artifacts(): Promise<readonly string[]>;
  /**
   * What the commands changed in a copied workspace, as a unified diff for `git apply` or `patch -p1`; empty where
   * nothing changed. Nothing is ever written back by itself.
   * @throws SandboxError `UNSUPPORTED` where the workspace is no copy.
   */
  changes(): Promise<string>;
  /** Ends the sandbox with all that runs and lies in it. Idempotent. */
  close(): Promise<void>;
}
