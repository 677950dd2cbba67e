import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import type { Path } from '../../file/document.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import { commandText, common, environment, type HookType, hookType } from '../../file/hook.ts';
import { builtinHook, commandHook, modelHook, shared, sharedModel } from '../../file/hook-types.ts';
import type { FileReader } from '../../file/reader.ts';
import { dockerAgent } from './dialect.ts';

/** Reads docker-agent's YAML: `agents.<name>.hooks` with the agents' shorthand flags, or the `hooks:` block alone. */
export function readDockerAgent(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  if (value['agents'] === undefined) return readAgent(value, reader, []);
  const agents = reader.map(value['agents'], ['agents']) ?? {};
  return Object.entries(agents).flatMap(([name, agent]) => {
    const map = reader.map(agent, ['agents', name]);
    // An agent that the file does not know gets the hooks of all in it: better one too many than none.
    const exceptAgents = Object.keys(agents).filter((other) => other !== name);
    return map ? readAgent(map, reader, ['agents', name]).map((entry) => ({ ...entry, exceptAgents })) : [];
  });
}

/** The flags of an agent that stand for built-in hooks: the events that each goes to. */
const shorthands: Readonly<Record<string, readonly string[]>> = {
  add_date: ['turn_start'],
  add_environment_info: ['session_start'],
  add_prompt_files: ['turn_start'],
  redact_secrets: ['pre_tool_use', 'before_llm_call', 'tool_response_transform'],
};

/** docker-agent's hook types. */
const dockerAgentTypes: Readonly<Record<string, HookType>> = {
  command: hookType(
    z.strictObject({
      type: z.literal('command'),
      command: commandText,
      args: z.array(z.string()).optional(),
      env: environment.optional(),
      working_dir: z.string().optional(),
      ...shared,
    }),
    (value) => commandHook(value, value.args ? [value.command, ...value.args] : value.command, value.command),
  ),
  builtin: hookType(
    z.strictObject({
      type: z.literal('builtin'),
      command: z.string().min(1),
      args: z.array(z.coerce.string()).optional(),
      ...shared,
    }),
    builtinHook,
  ),
  model: hookType(z.strictObject(sharedModel), modelHook),
};

/** What docker-agent's lists of hooks look like. */
export const dockerAgentFormat: FileFormat = {
  dialect: dockerAgent,
  types: dockerAgentTypes,
  group: z.strictObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) }),
  ignoresUnknownEvents: false,
};

function readAgent(
  agent: Readonly<Record<string, unknown>>,
  reader: FileReader,
  path: Path,
): readonly HookEntry[] {
  const flags = Object.keys(shorthands).flatMap((flag) =>
    readShorthand(flag, agent[flag], reader, [...path, flag]),
  );
  if (agent['hooks'] === undefined || agent['hooks'] === null) return flags;
  const hooks = readEvents(dockerAgentFormat, agent['hooks'], reader, [...path, 'hooks']);
  return [...flags, ...hooks];
}

/** A flag is `true`, or for `add_prompt_files` the list of files. */
function readShorthand(flag: string, value: unknown, reader: FileReader, path: Path): readonly HookEntry[] {
  if (value === undefined || value === null || value === false) return [];
  const schema = flag === 'add_prompt_files' ? z.array(z.string()) : z.boolean();
  const checked = reader.check(schema, value, path);
  if (checked === undefined) return [];
  return (shorthands[flag] ?? []).map((wireEvent) => ({
    event: dockerAgent.events[wireEvent]?.event ?? 'turn_start',
    wireEvent,
    label: flag,
    origin: reader.origin(path),
    handler: { ...common({}), type: 'builtin', name: flag, args: Array.isArray(checked) ? checked : [] },
  }));
}
