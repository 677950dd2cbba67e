import type { SandboxOutput } from './command.ts';

/** What a provider implements for one sandbox. `openSession` turns it into a {@link SandboxSession}. */
export interface SandboxDriver {
  readonly provider: string;
  readonly workspace: string;
  /**
   * Runs a program and resolves when it and everything that it started have ended. Kills them all on `signal`. Rejects
   * only if the sandbox itself failed.
   */
  run(
    request: DriverRequest,
    output: (chunk: SandboxOutput) => void,
    signal: AbortSignal,
  ): Promise<DriverExit>;
  /** Ends the sandbox. Called once. */
  close(): Promise<void>;
  /** Resolves with the reason if the sandbox ended by itself. */
  readonly died?: Promise<string>;
}

/** A program to run. */
export interface DriverRequest {
  readonly argv: readonly [string, ...string[]];
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | undefined;
  readonly timeoutMs: number;
}

/** How it ended. */
export interface DriverExit {
  readonly exitCode: number | null;
  readonly limit?: string;
}
