/** What a sandbox shall be like. Everything has a default; a provider refuses what it cannot keep. */
export interface SandboxSpec {
  /** A machine prepared at the provider, by its name there: an E2B template, a Daytona snapshot. */
  readonly profile?: string;
  /** The container image to run in (Docker, Daytona). */
  readonly image?: string;
  /** What the commands find in their working directory. Default: `{ kind: 'scratch' }`. */
  readonly workspace?: SandboxWorkspace;
  /** What the commands may use up. */
  readonly resources?: SandboxResources;
  /** `none` (default): no network at all. `open`: whatever the provider's network reaches. */
  readonly network?: 'none' | 'open';
  /** Environment of every command. Nothing is inherited from the agent's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Marks on the container or machine, to find it again at the provider. A local sandbox has none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * What stands in the working directory.
 *
 * - `scratch`: nothing; it is gone with the session.
 * - `copy`: a copy of the directory at `path`. The original is never written to; `session.changes()` gives what
 *   differs, as a diff. `exclude` takes patterns of `tar --exclude`, such as `node_modules` or `.env`.
 * - `mount`: the directory at `path` itself, on this machine's own disk. With `readOnly`, nobody can write to it.
 */
export type SandboxWorkspace =
  | { readonly kind: 'scratch' }
  | { readonly kind: 'copy'; readonly path: string; readonly exclude?: readonly string[] }
  | { readonly kind: 'mount'; readonly path: string; readonly readOnly?: boolean };

/** Limits. A provider that cannot keep one that is set refuses the spec. */
export interface SandboxResources {
  /** Memory of all processes of a command together, in MiB. Default 1024. */
  readonly memoryMb?: number;
  /** Processes and threads of a command at one time. Default 128. */
  readonly processes?: number;
  /** CPU time of one process, in seconds. Default 60. */
  readonly cpuSeconds?: number;
  /** Size of one file, in MiB. Default 256. */
  readonly fileMb?: number;
  /** Everything that is written to workspace (unless mounted) and `/tmp` together, in MiB. Default 512. */
  readonly diskMb?: number;
}

/** The limits that hold where a spec names none. */
export const DEFAULT_RESOURCES: Required<SandboxResources> = {
  memoryMb: 1024,
  processes: 128,
  cpuSeconds: 60,
  fileMb: 256,
  diskMb: 512,
};

/** What is wrong with limits, a sentence each. */
export function resourceProblems(resources: SandboxResources = {}): readonly string[] {
  return Object.entries(resources)
    .filter(([, value]) => !Number.isInteger(value) || value < 1)
    .map(([name, value]) => `resources.${name} must be a whole number from 1, not ${value}.`);
}
