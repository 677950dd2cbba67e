import {
  needed,
  nestedOptions,
  type OptionCheck,
  type OptionChecks,
  oneOfWords,
  optionKinds,
} from '@hooks/core/options';

/** The properties of a sandbox. Everything has a default. A provider refuses what it cannot meet. */
export interface SandboxSpec {
  /** A prepared machine, by its name at the provider: an E2B template, a Daytona snapshot. */
  readonly profile?: string;
  /** The container image to run in (Docker, Daytona). */
  readonly image?: string;
  /** The content of the working directory. Default: `{ kind: 'scratch' }`. */
  readonly workspace?: SandboxWorkspace;
  /** Limits of the commands. */
  readonly resources?: SandboxResources;
  /** `none` (default): no network at all. `open`: whatever the provider's network reaches. */
  readonly network?: 'none' | 'open';
  /** Environment of every command. Commands inherit nothing from the agent's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Labels on the container or machine, to find it at the provider. A local sandbox has none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The content of the working directory.
 *
 * - `scratch`: empty, and deleted with the session.
 * - `copy`: a copy of the directory at `path`. The original never changes; `session.changes()` returns the differences.
 *   `exclude` takes patterns of `tar --exclude`, such as `node_modules` or `.env`.
 * - `mount`: the directory at `path` itself, on this machine. With `readOnly`, nothing can write to it.
 */
export type SandboxWorkspace =
  | { readonly kind: 'scratch' }
  | { readonly kind: 'copy'; readonly path: string; readonly exclude?: readonly string[] }
  | { readonly kind: 'mount'; readonly path: string; readonly readOnly?: boolean };

/** Limits. A provider that cannot enforce one that is set refuses the spec. */
export interface SandboxResources {
  /**
   * Memory of all processes of a command, in MiB. Default: 1024. A local sandbox does not count memory that no process has mapped:
   * that of a `memfd`, and of a detached System V segment.
   */
  readonly memoryMb?: number;
  /** Processes and threads of a command at the same time. Default: 128. */
  readonly processes?: number;
  /** CPU time of one process, in seconds. Default: 60. */
  readonly cpuSeconds?: number;
  /** Size of one file, in MiB. Default: 256. */
  readonly fileMb?: number;
  /** Everything written to the workspace (unless mounted) and `/tmp`, in MiB. Default: 512. */
  readonly diskMb?: number;
}

/** The limits of a spec that sets none. */
export const DEFAULT_RESOURCES: Required<SandboxResources> = {
  memoryMb: 1024,
  processes: 128,
  cpuSeconds: 60,
  fileMb: 256,
  diskMb: 512,
};

/** The problems of the limits, one sentence each. */
export function resourceProblems(resources: SandboxResources = {}): readonly string[] {
  return Object.entries(resources)
    .filter(([, value]) => !Number.isInteger(value) || value < 1)
    .map(([name, value]) => `resources.${name} must be a whole number of 1 or more, not ${value}.`);
}

/** The provider, which refuses a spec, checks the value. */
const checkedByProvider: OptionCheck = () => undefined;

const { text, texts, flag, object } = optionKinds;

type WorkspaceOf<Kind> = Extract<SandboxWorkspace, { readonly kind: Kind }>;

const OF_WORKSPACES: { readonly [Kind in SandboxWorkspace['kind']]: OptionCheck } = {
  scratch: nestedOptions<WorkspaceOf<'scratch'>>({ kind: needed(text) }),
  copy: nestedOptions<WorkspaceOf<'copy'>>({ kind: needed(text), path: needed(text), exclude: texts }),
  mount: nestedOptions<WorkspaceOf<'mount'>>({ kind: needed(text), path: needed(text), readOnly: flag }),
};

const workspaceCheck: OptionCheck = (value, path) => {
  const kind: unknown = Reflect.get(Object(value), 'kind');
  const problem = oneOfWords(...Object.keys(OF_WORKSPACES))(kind, `${path}.kind`);
  return problem ?? OF_WORKSPACES[kind as SandboxWorkspace['kind']](value, path);
};

export const OF_SPECS: OptionChecks<SandboxSpec> = {
  profile: text,
  image: text,
  workspace: workspaceCheck,
  resources: nestedOptions<SandboxResources>({
    memoryMb: checkedByProvider,
    processes: checkedByProvider,
    cpuSeconds: checkedByProvider,
    fileMb: checkedByProvider,
    diskMb: checkedByProvider,
  }),
  network: oneOfWords('none', 'open'),
  env: object,
  labels: object,
};
