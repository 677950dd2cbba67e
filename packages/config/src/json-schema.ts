import * as z from 'zod';
import { ai4jEvents } from './dialects/ai4j/events.ts';
import { ai4jHook } from './dialects/ai4j/file.ts';
import { claudeCodeFormat } from './dialects/claude-code/file.ts';
import { codexFormat } from './dialects/codex/file.ts';
import { copilotFormat } from './dialects/copilot/file.ts';
import { cursorFormat } from './dialects/cursor/file.ts';
import type { DialectName } from './dialects/dialect.ts';
import { dockerAgentFormat, permissionsSchema, safetyMode } from './dialects/docker-agent/file.ts';
import { geminiFormat } from './dialects/gemini/file.ts';
import { hooksFormat } from './dialects/hooks/file.ts';
import type { FileFormat } from './file/events.ts';
import { partSchemas } from './parts/schemas.ts';

/** A JSON Schema (draft 2020-12), for editors. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a dialect's files, which is also published as `@hooks/config/schemas/<dialect>.json`.
 *
 * @example
 * ```yaml
 * # yaml-language-server: $schema=node_modules/@hooks/config/dist/schemas/hooks.json
 * hooks:
 *   before_tool_call: []
 * ```
 */
export function jsonSchemaOf(dialect: DialectName): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', ...contents[dialect]() };
}

const contents: Readonly<Record<DialectName, () => JsonSchema>> = {
  hooks: () => ({
    properties: { hooks: eventsOf(hooksFormat), ...partsOf() },
    additionalProperties: false,
    $defs: definitionsOf(hooksFormat),
  }),
  'docker-agent': () => {
    const flag = { type: 'boolean' };
    const files = { type: 'array', items: { type: 'string' } };
    const properties = {
      hooks: eventsOf(dockerAgentFormat),
      add_date: flag,
      add_environment_info: flag,
      add_prompt_files: files,
      redact_secrets: flag,
      permissions: plain(permissionsSchema),
      safety: plain(safetyMode),
    };
    const settings = { type: 'object', properties };
    const agents = { type: 'object', additionalProperties: settings };
    const runtime = { type: 'object', properties: { safety: properties.safety } };
    return {
      properties: { ...properties, agents, runtime, settings },
      $defs: definitionsOf(dockerAgentFormat),
    };
  },
  'claude-code': () => ({
    properties: { hooks: eventsOf(claudeCodeFormat), disableAllHooks: { type: 'boolean' } },
    $defs: definitionsOf(claudeCodeFormat),
  }),
  ai4j: () => ({
    properties: { hooks: listsOf(Object.keys(ai4jEvents)) },
    $defs: { entry: plain(ai4jHook) },
  }),
  cursor: () => versioned(cursorFormat),
  gemini: () => ({
    properties: { hooks: eventsOf(geminiFormat), hooksConfig: { type: 'object' } },
    $defs: definitionsOf(geminiFormat),
  }),
  codex: () => ({ properties: { hooks: eventsOf(codexFormat) }, $defs: definitionsOf(codexFormat) }),
  copilot: () => versioned(copilotFormat, { disableAllHooks: { type: 'boolean' } }),
};

/** The parts beside `hooks:`. One without a mandatory field may be empty. */
function partsOf(): JsonSchema {
  const entries = Object.entries(partSchemas).map(([name, { fields }]) => [
    name,
    fields.safeParse({}).success ? { anyOf: [plain(fields), { type: 'null' }] } : plain(fields),
  ]);
  return Object.fromEntries(entries);
}

/** The schema of a JSON file with a version and lists of hooks, each with a matcher. */
function versioned(format: FileFormat, more: JsonSchema = {}): JsonSchema {
  const entry = { anyOf: Object.values(format.types).map(({ schema }) => plain(schema)) };
  return { properties: { version: { const: 1 }, ...more, hooks: eventsOf(format) }, $defs: { entry } };
}

function eventsOf({ dialect, ignoresUnknownEvents, takesOneAlone = false }: FileFormat): JsonSchema {
  const lists = listsOf([...Object.keys(dialect.events), ...dialect.neverFire], takesOneAlone);
  return { ...lists, additionalProperties: ignoresUnknownEvents };
}

/** The schema of the lists: hooks, and groups of hooks. */
function definitionsOf({ types, group }: FileFormat): JsonSchema {
  const hook = { anyOf: Object.values(types).map(({ schema }) => plain(schema)) };
  const groups = group ? plain(group) : {};
  const hooks = { type: 'array', items: { $ref: '#/$defs/hook' } };
  const properties = { ...Object(groups['properties']), hooks };
  return { hook, entry: { anyOf: [{ $ref: '#/$defs/hook' }, { ...groups, properties }] } };
}

function listsOf(events: readonly string[], orOne = false): JsonSchema {
  const entry = { $ref: '#/$defs/entry' };
  const several = { type: 'array', items: entry };
  const list = orOne ? { anyOf: [several, entry] } : several;
  return { type: 'object', properties: Object.fromEntries(events.map((event) => [event, list])) };
}

function plain(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
