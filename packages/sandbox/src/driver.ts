import type { SandboxOutput } from './command.ts';

/** What a provider has to bring for one sandbox; `openSession` makes a {@link SandboxSession} of it. */
export interface SandboxDriver {
  readonly provider: string;
  readonly workspace: string;
  /**
   * Runs one program and settles when it and everything that it started are gone. On `signal` it kills them all.
   * It rejects only where the sandbox itself failed.
   */
  run(
    request: DriverRequest,
    output: (chunk: SandboxOutput) => void,
    signal: AbortSignal,
  ): Promise<DriverExit>;
  /** Ends the sandbox. Called once. */
  close(): Promise<void>;
  /** Settles with the reason when the sandbox died by itself. */
  readonly died?: Promise<string>;
}

/** One program to run. */
export interface DriverRequest {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
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
