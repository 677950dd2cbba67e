import * as z from 'zod';
import { common, onError, type ReadHook, seconds, shortly } from './hook.ts';
import { modelName, promptTemplate } from './prompt.ts';

/*
 * The hook types that our own dialect shares with docker-agent: their common fields, and the handlers made from them.
 * Each dialect's schema lists which of the optional fields it has.
 */

interface SharedFields {
  readonly name: z.ZodOptional<z.ZodString>;
  readonly timeout: z.ZodOptional<typeof seconds>;
  readonly on_error: z.ZodOptional<typeof onError>;
}

/** Fields of every hook. */
export const shared: SharedFields = {
  name: z.string().optional(),
  timeout: seconds.optional(),
  on_error: onError.optional(),
};

interface ModelFields extends SharedFields {
  readonly type: z.ZodLiteral<'model'>;
  readonly model: typeof modelName;
  readonly prompt: typeof promptTemplate;
  readonly schema: z.ZodOptional<z.ZodEnum<{ pre_tool_use_decision: 'pre_tool_use_decision' }>>;
}

/** Fields of a hook that calls a model. */
export const sharedModel: ModelFields = {
  type: z.literal('model'),
  model: modelName,
  prompt: promptTemplate,
  schema: z.enum(['pre_tool_use_decision']).optional(),
  ...shared,
};

/** The output of a schema of these fields. */
type Read<Fields extends Readonly<Record<keyof Fields, z.ZodType>>> = z.output<
  z.ZodObject<{ [Name in keyof Fields]: Fields[Name] }>
>;

/** A command hook: a line for the shell, or a program with its arguments. */
export function commandHook(
  value: Read<SharedFields> & {
    readonly env?: Record<string, string> | undefined;
    readonly working_dir?: string | undefined;
    readonly strict_output?: boolean | undefined;
  },
  command: string | readonly string[],
  label: string,
): ReadHook {
  return {
    ...named(value),
    label: value.name ?? shortly(label),
    handler: {
      ...common(value),
      type: 'command',
      command,
      env: value.env ?? {},
      ...(value.working_dir && { workingDir: value.working_dir }),
      ...(value.strict_output && { strictOutput: true }),
    },
  };
}

function named({ name }: Pick<Read<SharedFields>, 'name'>): Pick<ReadHook, 'name'> {
  return name === undefined ? {} : { name };
}

/** A built-in hook. */
export function builtinHook(
  value: Read<SharedFields> & {
    readonly command: string;
    readonly args?: readonly string[] | Readonly<Record<string, unknown>> | undefined;
    readonly working_dir?: string | undefined;
  },
): ReadHook {
  return {
    label: value.name ?? value.command,
    handler: {
      ...common(value),
      type: 'builtin',
      name: value.command,
      args: value.args ?? [],
      ...(value.working_dir && { workingDir: value.working_dir }),
    },
  };
}

/** A hook that calls a model. */
export function modelHook(
  value: Read<ModelFields> & {
    readonly base_url?: string | undefined;
    readonly api_key_env?: string | undefined;
    readonly redact_secrets?: boolean | undefined;
  },
): ReadHook {
  return {
    label: value.name ?? value.model,
    handler: {
      ...common(value),
      type: 'model',
      model: value.model,
      prompt: value.prompt,
      ...(value.schema && { schema: value.schema }),
      ...(value.base_url && { baseUrl: value.base_url }),
      ...(value.api_key_env && { apiKeyEnv: value.api_key_env }),
      redactSecrets: value.redact_secrets ?? false,
    },
  };
}
