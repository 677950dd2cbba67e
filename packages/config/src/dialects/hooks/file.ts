import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import {
  address,
  commandText,
  common,
  environment,
  type HookType,
  headers,
  hookType,
  placeOf,
  systemText,
  variableName,
} from '../../file/hook.ts';
import { builtinHook, commandHook, modelHook, shared, sharedModel } from '../../file/hook-types.ts';
import type { FileReader } from '../../file/reader.ts';
import { type PartName, partSchemas } from '../../parts/schemas.ts';
import { hooks } from './dialect.ts';

/** Reads our own `hooks.yaml`: `hooks:`, by event, and the parts beside it, such as `flow:` and `journal:`. */
export function readHooks(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  const file = reader.check(fileSchema, value, []);
  if (file === undefined) return [];
  return [
    ...PART_NAMES.flatMap((name) => (name in file ? readPart(name, file[name], reader) : [])),
    ...('hooks' in file ? readEvents(hooksFormat, file.hooks, reader, ['hooks']) : []),
  ];
}

const PART_NAMES = Object.keys(partSchemas) as PartName[];

const fileSchema = z.strictObject({
  hooks: z.unknown().optional(),
  principal: z.unknown().optional(),
  journal: z.unknown().optional(),
  telemetry: z.unknown().optional(),
  sandbox: z.unknown().optional(),
  flow: z.unknown().optional(),
});

/** A name alone (`flow:`) has no options. */
function readPart(name: PartName, value: unknown, reader: FileReader): readonly HookEntry[] {
  const { fields, events } = partSchemas[name];
  const checked = reader.check(fields, value ?? {}, [name]);
  if (checked === undefined) return [];
  const args: Readonly<Record<string, unknown>> = { ...checked };
  const handler = { ...common({}), type: name === 'flow' ? 'builtin' : 'part', name, args } as const;
  const { tools } = args;
  return events(args).map((event) => ({
    event,
    wireEvent: event,
    ...(name === 'sandbox' && typeof tools === 'string' && { matcher: tools }),
    label: name,
    origin: reader.origin([name]),
    handler,
  }));
}

/** Our own hook types. */
const hooksTypes: Readonly<Record<string, HookType>> = {
  command: hookType(
    z.strictObject({
      type: z.literal('command'),
      command: z.union(
        [commandText, z.tuple([commandText], systemText)],
        'expected a line for the shell, or a list of a program and its arguments',
      ),
      env: environment.optional(),
      working_dir: systemText.optional(),
      ...shared,
    }),
    (value) => commandHook(value, value.command, [value.command].flat().join(' ')),
  ),
  http: hookType(
    z.strictObject({
      type: z.literal('http'),
      url: address,
      headers: headers.optional(),
      allowed_env_vars: z.array(variableName).optional(),
      ...shared,
    }),
    (value) => ({
      ...(value.name !== undefined && { name: value.name }),
      label: value.name ?? placeOf(value.url),
      handler: {
        ...common(value),
        type: 'http',
        url: value.url,
        headers: value.headers ?? {},
        allowedEnvVars: value.allowed_env_vars ?? [],
      },
    }),
  ),
  model: hookType(
    z.strictObject({
      ...sharedModel,
      base_url: address.optional(),
      api_key_env: variableName.optional(),
      redact_secrets: z.boolean().optional(),
    }),
    modelHook,
  ),
  builtin: hookType(
    z.strictObject({
      type: z.literal('builtin'),
      command: z.string().min(1),
      args: z
        .union([z.array(z.coerce.string()), z.record(z.string(), z.unknown())], 'expected a list or a map')
        .optional(),
      ...shared,
    }),
    builtinHook,
  ),
  module: hookType(
    z.strictObject({
      type: z.literal('module'),
      path: systemText.min(1),
      export: z.string().optional(),
      ...shared,
    }),
    (value) => ({
      label: value.name ?? value.path,
      handler: { ...common(value), type: 'module', path: value.path, export: value.export ?? 'default' },
    }),
  ),
};

/** The schema of our own lists of hooks. */
export const hooksFormat: FileFormat = {
  dialect: hooks,
  types: hooksTypes,
  group: z.strictObject({
    matcher: z.string().optional(),
    agents: z.array(z.string().min(1)).min(1).optional(),
    except_agents: z.array(z.string().min(1)).min(1).optional(),
    hooks: z.array(z.unknown()),
  }),
  ignoresUnknownEvents: false,
};
