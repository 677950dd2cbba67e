import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import { commandText, common, environment, hookType, refuseIgnored, shortly } from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { gemini } from './dialect.ts';

/** Reads the `hooks` of Gemini CLI's `settings.json`. `hooksConfig.enabled: false` empties it. */
export function readGemini(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  const config = reader.check(hooksConfig, value['hooksConfig'] ?? {}, ['hooksConfig']);
  refuseIgnored(hooksConfig, reader.map(value['hooksConfig'] ?? {}, ['hooksConfig']) ?? {}, reader, [
    'hooksConfig',
  ]);
  if (config?.enabled === false) {
    reader.notice(['hooksConfig', 'enabled'], 'it is false, so no hook of this file runs');
    return [];
  }
  const entries = readEvents(geminiFormat, value['hooks'] ?? {}, reader, ['hooks']);
  const disabled = new Set(config?.disabled ?? []);
  return entries.filter((entry) => {
    const { handler, name } = entry;
    const command = handler.type === 'command' ? handler.command.at(-1) : undefined;
    const key = [name, command].find((one) => one !== undefined && disabled.has(one));
    if (key !== undefined)
      reader.notice(['hooksConfig', 'disabled'], `it lists "${entry.label}", so this hook does not run`);
    return key === undefined;
  });
}

const hooksConfig = z.object({
  enabled: z.boolean().optional(),
  disabled: z.array(z.string()).optional(),
  notifications: z.unknown().optional(),
});

const milliseconds = z
  .number()
  .positive()
  .max(24 * 60 * 60 * 1000);

/** The schema of Gemini CLI's lists of hooks. A timeout is in milliseconds. */
export const geminiFormat: FileFormat = {
  dialect: gemini,
  types: {
    command: hookType(
      z.object({
        type: z.literal('command'),
        command: commandText,
        name: z.string().optional(),
        description: z.string().optional(),
        timeout: milliseconds.optional(),
        env: environment.optional(),
      }),
      (value) => ({
        ...(value.name !== undefined && { name: value.name }),
        label: value.name ?? shortly(value.command),
        handler: {
          ...common({ timeout: (value.timeout ?? 60_000) / 1000 }),
          type: 'command',
          // Gemini CLI runs lines in Bash, which takes a socket as its stdin for a remote shell and would read .bashrc.
          command: ['bash', '--norc', '-c', value.command],
          env: value.env ?? {},
        },
      }),
    ),
  },
  group: z.object({
    matcher: z.string().optional(),
    sequential: z.boolean().optional(),
    hooks: z.array(z.unknown()),
  }),
  needsGroups: true,
  ignoresUnknownEvents: false,
};
