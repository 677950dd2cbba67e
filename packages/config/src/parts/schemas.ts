import * as z from 'zod';
import { flowSchema, notEmpty } from '../builtins/flow-schema.ts';
import type { EventType } from '../events.ts';
import { environment, folderText, storeText, systemText, variableName as variable } from '../file/hook.ts';

/** `principal:` of a file. */
export const principalSchema: z.ZodType<PrincipalArguments> = z.strictObject({
  id_env: variable,
  roles_env: variable.exactOptional(),
  tenant_env: variable.exactOptional(),
});

/** What `principal:` of a file has. */
export interface PrincipalArguments {
  readonly id_env: string;
  /** Its value has the roles, separated by commas. */
  readonly roles_env?: string;
  readonly tenant_env?: string;
}

const whole: z.ZodNumber = z.number().int().min(1);

const resources = z
  .strictObject({
    memory_mb: whole,
    processes: whole,
    cpu_seconds: whole,
    file_mb: whole,
    disk_mb: whole,
  })
  .partial();

const workspace = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('scratch') }),
    z.strictObject({
      kind: z.literal('copy'),
      path: systemText.min(1),
      exclude: z.array(systemText.min(1)).min(1).exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('mount'),
      path: systemText.min(1),
      read_only: z.boolean().exactOptional(),
    }),
  ],
  'expected a kind: scratch, copy or mount',
);

/** `sandbox:` of a file. */
export const sandboxSchema: z.ZodType<SandboxArguments> = z
  .strictObject({
    provider: z
      .enum(['local', 'docker'], 'expected local or docker; others are made in code')
      .exactOptional(),
    tools: z.string().min(1).exactOptional(),
    image: z.string().min(1).exactOptional(),
    workspace: workspace.exactOptional(),
    resources: notEmpty(resources, 'memory_mb, processes, cpu_seconds, file_mb or disk_mb').exactOptional(),
    network: z.enum(['none', 'open']).exactOptional(),
    env: notEmpty(environment).exactOptional(),
    labels: notEmpty(z.record(z.string(), z.string())).exactOptional(),
    read_only: z.array(systemText.startsWith('/', 'expected absolute paths')).min(1).exactOptional(),
    idle_ms: whole.exactOptional(),
  })
  .superRefine(({ provider = 'local', image, network, labels, read_only }, context) => {
    const only = (path: string, on: string): void =>
      context.addIssue({ code: 'custom', path: [path], message: `only the provider ${on} has it` });
    if (provider === 'docker') {
      if (read_only !== undefined) only('read_only', 'local');
      return;
    }
    if (image !== undefined) only('image', 'docker');
    if (labels !== undefined) only('labels', 'docker');
    if (network === 'open')
      context.addIssue({
        code: 'custom',
        path: ['network'],
        message: 'the provider local has no network; expected none, or the provider docker',
      });
  });

/** What `sandbox:` of a file has. */
export interface SandboxArguments {
  readonly provider?: 'local' | 'docker';
  /** A matcher. */
  readonly tools?: string;
  readonly image?: string;
  readonly workspace?:
    | { readonly kind: 'scratch' }
    | { readonly kind: 'copy'; readonly path: string; readonly exclude?: readonly string[] }
    | { readonly kind: 'mount'; readonly path: string; readonly read_only?: boolean };
  readonly resources?: {
    readonly memory_mb?: number | undefined;
    readonly processes?: number | undefined;
    readonly cpu_seconds?: number | undefined;
    readonly file_mb?: number | undefined;
    readonly disk_mb?: number | undefined;
  };
  readonly network?: 'none' | 'open';
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly read_only?: readonly string[];
  readonly idle_ms?: number;
}

/** `journal:` of a file. */
export const journalSchema: z.ZodType<JournalArguments> = z
  .strictObject({
    sink: folderText.exactOptional(),
    store: storeText.exactOptional(),
    required: z.boolean().exactOptional(),
    key_env: variable.exactOptional(),
    replaces_env: variable.exactOptional(),
    checkpoint_ms: whole.max(2 ** 31 - 1).exactOptional(),
    keep_days: whole.exactOptional(),
  })
  .superRefine(({ sink, store, key_env, replaces_env }, context) => {
    const wrong = (message: string, ...path: readonly string[]): void =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (sink === undefined && store === undefined) wrong('expected sink (a directory) or store (a file)');
    if (sink !== undefined && store !== undefined) wrong('expected sink or store, not both', 'store');
    if (replaces_env !== undefined && key_env === undefined)
      wrong('it is the key before key_env: name that variable, too', 'replaces_env');
  });

/** What `journal:` of a file has. */
export interface JournalArguments {
  /** A directory, relative to the working directory; under `hooks run`, to the file. */
  readonly sink?: string;
  /** A file, relative to the same. */
  readonly store?: string;
  readonly required?: boolean;
  /** Its value is an Ed25519 private key as PEM. */
  readonly key_env?: string;
  readonly replaces_env?: string;
  readonly checkpoint_ms?: number;
  /** How many days are kept. */
  readonly keep_days?: number;
}

/** `telemetry:` of a file. */
export const telemetrySchema: z.ZodType<TelemetryArguments> = z.strictObject({
  reasons: z.boolean().exactOptional(),
});

/** What `telemetry:` of a file has. */
export interface TelemetryArguments {
  readonly reasons?: boolean;
}

/** A part in files: its fields, and the events on which it decides. */
export interface PartSchema {
  readonly fields: z.ZodType<object>;
  /** What only records decides nothing, and stands at the end of a session. */
  readonly events: (args: Readonly<Record<string, unknown>>) => readonly EventType[];
}

/** What stands beside `hooks:`, in the order in which it is registered. `flow` is a built-in, too. */
export const partSchemas: Readonly<Record<PartName, PartSchema>> = {
  principal: { fields: principalSchema, events: () => ['session_start'] },
  journal: {
    fields: journalSchema,
    events: ({ required }) => [required === true ? 'before_tool_call' : 'session_end'],
  },
  telemetry: { fields: telemetrySchema, events: () => ['session_end'] },
  sandbox: { fields: sandboxSchema, events: () => ['before_tool_call'] },
  flow: { fields: flowSchema, events: () => ['user_prompt_submit', 'before_tool_call'] },
};

/** The parts of a file beside `hooks:`. */
export type PartName = 'principal' | 'journal' | 'telemetry' | 'sandbox' | 'flow';
