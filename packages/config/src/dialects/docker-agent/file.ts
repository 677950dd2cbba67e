import * as z from 'zod';
import type { BuiltinHandler, HookEntry, Origin } from '../../entry.ts';
import { messageOf } from '../../error-message.ts';
import type { Path } from '../../file/document.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import {
  commandText,
  common,
  environment,
  type HookType,
  hookType,
  refuseMisspelt,
  systemText,
} from '../../file/hook.ts';
import { builtinHook, commandHook, modelHook, shared, sharedModel } from '../../file/hook-types.ts';
import type { FileReader } from '../../file/reader.ts';
import { dockerAgent } from './dialect.ts';
import { parsePattern } from './permission-pattern.ts';

/**
 * Reads docker-agent's YAML: `agents.<name>` with hooks, shorthand flags and permissions, and the team's permissions;
 * or the user's `settings`; or the `hooks:` block alone.
 */
export function readDockerAgent(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  const runtime = reader.map(value['runtime'] ?? {}, ['runtime']) ?? {};
  refuseMisspelt(['safety'], runtime, reader, ['runtime']);
  const agents = reader.map(value['agents'] ?? {}, ['agents']) ?? {};
  const withSafety = Object.keys(agents).filter((name) => Object(agents[name]).safety);
  const safety = readSafety(runtime['safety'], reader, ['runtime', 'safety']);
  const entries = readAll(value, reader);
  return [
    ...(runtime['safety'] === undefined ? askAboutTheRest(entries, Object.keys(agents), withSafety) : []),
    ...safety.map((entry) => ({ ...entry, exceptAgents: withSafety })),
    ...entries,
  ];
}

/** The hooks, flags and permissions of the team, of the user's settings and of each agent. */
function readAll(value: Readonly<Record<string, unknown>>, reader: FileReader): readonly HookEntry[] {
  const settings = reader.map(value['settings'] ?? {}, ['settings']) ?? {};
  const agents = reader.map(value['agents'] ?? {}, ['agents']) ?? {};
  return [
    ...readAgent(value, reader, []),
    ...readAgent(settings, reader, ['settings']),
    ...readShorthand('snapshot', settings['snapshot'], reader, ['settings', 'snapshot']),
    ...Object.entries(agents).flatMap(([name, agent]) => {
      const map = reader.map(agent ?? {}, ['agents', name]);
      // An agent that the file does not name gets every agent's hooks: one too many is safer than none.
      const exceptAgents = Object.keys(agents).filter((other) => other !== name);
      const entries = map ? readAgent(map, reader, ['agents', name]) : [];
      return entries.map((entry) =>
        isGrant(entry) ? { ...entry, agents: [name] } : { ...entry, exceptAgents },
      );
    }),
  ];
}

/**
 * docker-agent asks about every call that nothing has decided. A file that says how calls are approved (permissions, or
 * hooks about approval) means that rule, too. A safety mode replaces it. In a file that says nothing, approval is the
 * program's.
 */
function askAboutTheRest(
  entries: readonly HookEntry[],
  agents: readonly string[],
  withSafety: readonly string[],
): readonly HookEntry[] {
  const about = entries.find(
    ({ event, handler }) =>
      event === 'permission_request' ||
      event === 'tool_approval_decision' ||
      (handler.type === 'builtin' && handler.name === PERMISSIONS),
  );
  const allHaveSafety = agents.length > 0 && agents.length === withSafety.length;
  if (about === undefined || allHaveSafety) return [];
  const rule = toolRule('every other call', 'docker_agent_safety', ['ask'], about.origin);
  return [{ ...rule, exceptAgents: withSafety }];
}

/** The flags of an agent that are shorthand for built-in hooks, with their events. */
const shorthands: Readonly<Record<string, readonly string[]>> = {
  add_date: ['turn_start'],
  add_environment_info: ['session_start'],
  add_prompt_files: ['turn_start'],
  redact_secrets: ['pre_tool_use', 'before_llm_call', 'tool_response_transform'],
  // Of the user's settings only.
  snapshot: ['session_start', 'turn_start', 'pre_tool_use', 'post_tool_use', 'turn_end', 'session_end'],
};

/** docker-agent's hook types. */
const dockerAgentTypes: Readonly<Record<string, HookType>> = {
  command: hookType(
    z.strictObject({
      type: z.literal('command'),
      command: commandText,
      args: z.array(systemText).optional(),
      env: environment.optional(),
      working_dir: systemText.optional(),
      strict_output: z.boolean().optional(),
      ...shared,
    }),
    (value) => commandHook(value, value.args ? [value.command, ...value.args] : value.command, value.command),
  ),
  builtin: hookType(
    z.strictObject({
      type: z.literal('builtin'),
      command: z.string().min(1),
      args: z.array(z.coerce.string()).optional(),
      working_dir: systemText.optional(),
      strict_output: z.boolean().optional(),
      ...shared,
    }),
    builtinHook,
  ),
  // As documented, a model hook accepts these fields and ignores them.
  model: hookType(
    z.strictObject({
      ...sharedModel,
      env: environment.optional(),
      working_dir: systemText.optional(),
      strict_output: z.boolean().optional(),
    }),
    modelHook,
  ),
  evaluator: hookType(z.looseObject({ type: z.literal('evaluator'), evaluator: z.string() }), (value) => ({
    label: `evaluator ${value.evaluator}`,
    handler: {
      // A tool guard blocks when it fails, regardless of this. A hook that routes a run is ignored.
      ...common({ on_error: 'warn' }),
      type: 'unsupported',
      reason: 'a hook of type "evaluator" runs only in docker-agent; use type "model" instead',
    },
  })),
};

/** The schema of docker-agent's lists of hooks. */
export const dockerAgentFormat: FileFormat = {
  dialect: dockerAgent,
  types: dockerAgentTypes,
  group: z.strictObject({
    matcher: z.string().optional(),
    // Only a judge is skipped where the permissions allow a call, and not with this.
    preempt_yolo: z.boolean().optional(),
    hooks: z.array(z.unknown()),
  }),
  ignoresUnknownEvents: false,
  takesOneAlone: true,
};

/** The keys that count in a team, an agent and the user's settings. */
export const dockerAgentKeys: readonly string[] = [
  'hooks',
  'permissions',
  'safety',
  ...Object.keys(shorthands),
];

function readAgent(
  agent: Readonly<Record<string, unknown>>,
  reader: FileReader,
  path: Path,
): readonly HookEntry[] {
  // At the top, all dialects are checked.
  if (path.length > 0) refuseMisspelt(dockerAgentKeys, agent, reader, path);
  const permissions = readPermissions(agent['permissions'], reader, [...path, 'permissions']);
  const flags = Object.keys(shorthands).flatMap((flag) =>
    flag === 'snapshot' ? [] : readShorthand(flag, agent[flag], reader, [...path, flag]),
  );
  const safety = readSafety(agent['safety'], reader, [...path, 'safety']);
  const hooks = readEvents(dockerAgentFormat, agent['hooks'] ?? {}, reader, [...path, 'hooks']);
  return [...permissions, ...safety, ...flags, ...hooks];
}

/** A hook for calls that nothing else has decided. In the mode `autonomous` there is none. */
function readSafety(value: unknown, reader: FileReader, path: Path): readonly HookEntry[] {
  const mode = reader.check(safetyMode.nullish(), value, path);
  if (!mode || mode === 'autonomous') return [];
  return [toolRule(`safety: ${mode}`, 'docker_agent_safety', [mode], reader.origin(path))];
}

/** docker-agent's safety modes. */
export const safetyMode: z.ZodEnum<{ [Mode in SafetyMode]: Mode }> = z.enum([
  'strict',
  'balanced',
  'restricted',
  'autonomous',
]);

/** What the file says about calls that no rule decides. */
export type SafetyMode = 'strict' | 'balanced' | 'restricted' | 'autonomous';

/** A built-in that decides about every tool call. */
function toolRule(label: string, name: string, args: BuiltinHandler['args'], origin: Origin): HookEntry {
  const handler = { ...common({}), type: 'builtin', name, args } as const;
  return { event: 'before_tool_call', wireEvent: 'pre_tool_use', label, origin, handler };
}

/**
 * Permission rules as a built-in. Rules that allow are separate from rules that restrict, which also hold for other
 * agents.
 */
function readPermissions(value: unknown, reader: FileReader, path: Path): readonly HookEntry[] {
  if (value === undefined || value === null) return [];
  const { allow, ...restricting } = reader.check(permissionsSchema, value, path) ?? {};
  for (const [list, patterns] of Object.entries({ allow, ...restricting })) {
    for (const [index, pattern] of (patterns ?? []).entries()) {
      try {
        parsePattern(pattern);
      } catch (error) {
        reader.issue([...path, list, index], messageOf(error));
      }
    }
  }
  return [restricting, { allow }]
    .map((lists) => Object.fromEntries(Object.entries(lists).filter(([, patterns]) => patterns?.length)))
    .filter((args) => Object.keys(args).length > 0)
    .map((args) =>
      toolRule(`permissions: ${Object.keys(args).join(', ')}`, PERMISSIONS, args, reader.origin(path)),
    );
}

function isGrant({ handler }: HookEntry): boolean {
  return handler.type === 'builtin' && handler.name === PERMISSIONS && 'allow' in handler.args;
}

const PERMISSIONS = 'docker_agent_permissions';

/** `permissions:` of a team, an agent, or the user. */
export const permissionsSchema: z.ZodType<Permissions> = z.strictObject({
  allow: z.array(z.string()).nullish(),
  ask: z.array(z.string()).nullish(),
  deny: z.array(z.string()).nullish(),
});

interface Permissions {
  readonly allow?: readonly string[] | null | undefined;
  readonly ask?: readonly string[] | null | undefined;
  readonly deny?: readonly string[] | null | undefined;
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
