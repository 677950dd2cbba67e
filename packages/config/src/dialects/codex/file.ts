import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import { commandText, common, hookType, refuseMisspelt, seconds, shortly } from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { codex } from './dialect.ts';

/** Reads Codex's `hooks.json`, or the `[hooks]` of its `config.toml`. `features.hooks = false` empties it. */
export function readCodex(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  const features = reader.map(value['features'] ?? {}, ['features']) ?? {};
  refuseMisspelt(['hooks', 'codex_hooks'], features, reader, ['features']);
  if (features['hooks'] === false || features['codex_hooks'] === false) {
    reader.notice(['features'], 'it switches hooks off, so no hook of this file runs');
    return [];
  }
  // Codex keeps the hashes of trusted hooks beside the events.
  const { state: _, ...events } = reader.map(value['hooks'] ?? {}, ['hooks']) ?? {};
  return readEvents(codexFormat, events, reader, ['hooks']);
}

/** The schema of Codex's lists of hooks. */
export const codexFormat: FileFormat = {
  dialect: codex,
  types: {
    command: hookType(
      z.object({
        type: z.literal('command'),
        command: commandText,
        commandWindows: z.string().optional(),
        timeout: seconds.optional(),
        async: z.boolean().optional(),
        statusMessage: z.string().optional(),
        additionalContextLimit: z.number().optional(),
      }),
      (value) => ({
        label: shortly(value.command),
        handler: {
          ...common({ timeout: value.timeout ?? 600 }),
          type: 'command',
          command: value.command,
          env: {},
          ...(value.async && { background: true }),
        },
      }),
    ),
    ...Object.fromEntries(['prompt', 'agent', 'mcp_tool'].map((type) => [type, elsewhere(type)])),
  },
  group: z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) }),
  needsGroups: true,
  ignoresUnknownEvents: false,
};

function elsewhere(type: string) {
  return hookType(z.looseObject({ type: z.literal(type) }), () => ({
    label: type,
    handler: {
      ...common({ timeout: 60 }),
      type: 'unsupported',
      reason: `a hook of type "${type}" runs only in Codex; use a command, or type "model" in our own dialect`,
    },
  }));
}
