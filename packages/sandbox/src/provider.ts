import type { ExecuteOptions, SandboxCommand } from './command.ts';
import type { SandboxResult } from './result.ts';
import type { SandboxSpec } from './spec.ts';

/** Runs commands isolated from the agent's machine. */
export interface SandboxProvider {
  /** Its name in traces and results: `local`, `docker`, `e2b`, `daytona`. */
  readonly id: string;
  /**
   * The parts of `spec` that this provider cannot meet here, each as a sentence that tells what would help. Empty if it
   * can meet all. It never weakens the spec.
   */
  supports(spec: SandboxSpec): Promise<readonly string[]>;
  /**
   * Opens a sandbox.
   * @throws SandboxError `UNSUPPORTED` with the reasons of `supports`; `UNAVAILABLE` if it could not be started.
   */
  createSession(spec: SandboxSpec, signal?: AbortSignal): Promise<SandboxSession>;
}

/** A sandbox. Its files last from command to command; its processes end with the command that started them. */
export interface SandboxSession extends AsyncDisposable {
  readonly id: string;
  /** The provider's `id`. */
  readonly provider: string;
  /** Absolute path of the workspace inside the sandbox. */
  readonly workspace: string;
  /** `failed`: the sandbox ended by itself and takes no more commands. */
  readonly status: 'open' | 'failed' | 'closed';
  /**
   * Runs a command to its end. Several may run at the same time.
   * @throws SandboxError `CLOSED` or `FAILED` if the sandbox could not run it. A failing command is a result.
   */
  execute(command: SandboxCommand, options?: ExecuteOptions): Promise<SandboxResult>;
  /** Kills the running command with this id and everything that it started. Returns false if there is none. */
  cancel(commandId: string): boolean;
  /** Writes a file inside the sandbox, with its directories. A relative path starts at the workspace. */
  writeFile(path: string, data: string | Uint8Array): Promise<void>;
  /** Reads a file inside the sandbox. Symlinks resolve inside the sandbox, never on the agent's machine. */
  readFile(path: string): Promise<Uint8Array>;
  /** The files written in the workspace since the session began, relative to the workspace. */
  artifacts(): Promise<readonly string[]>;
  /**
   * The changes in a copied workspace, as a unified diff for `git apply` or `patch -p1`; empty if nothing changed.
   * The original does not change.
   * @throws SandboxError `UNSUPPORTED` if the workspace is not a copy.
   */
  changes(): Promise<string>;
  /** Ends the sandbox with its commands and files. Idempotent. */
  close(): Promise<void>;
}
