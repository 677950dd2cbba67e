import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import { commandText, common, hookType, seconds, shortly } from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { cursor } from './dialect.ts';

/** Reads the `hooks` of a `hooks.json`: `{ "version": 1, "hooks": { "beforeShellExecution": [{ "command": "./check.sh" }] } }`. */
export function readCursor(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  reader.check(z.literal(1).optional(), value['version'], ['version']);
  return readEvents(cursorFormat, value['hooks'] ?? {}, reader, ['hooks']);
}

const shared = {
  matcher: z.string().optional(),
  timeout: seconds.optional(),
  failClosed: z.boolean().optional(),
  loop_limit: z
    .number()
    .min(3, 'a limit below 3 is not supported here; check loop_count in the hook instead')
    .nullish(),
};

/** The schema of Cursor's lists of hooks. */
export const cursorFormat: FileFormat = {
  dialect: cursor,
  types: {
    command: hookType(
      z.object({ type: z.literal('command').optional(), command: commandText, ...shared }),
      (value) => ({
        label: shortly(value.command),
        handler: { ...settings(value), type: 'command', command: value.command, env: {} },
      }),
    ),
    prompt: hookType(z.object({ type: z.literal('prompt'), prompt: z.string(), ...shared }), (value) => ({
      label: 'prompt',
      handler: {
        ...settings(value),
        type: 'unsupported',
        reason: 'a hook of type "prompt" runs only in Cursor; use type "model" in our own dialect instead',
      },
    })),
  },
  ignoresUnknownEvents: false,
  defaultType: 'command',
};

function settings(value: {
  readonly timeout?: number | undefined;
  readonly failClosed?: boolean | undefined;
}) {
  return common({
    timeout: value.timeout,
    ...(value.failClosed !== undefined && { on_error: value.failClosed ? 'block' : 'warn' }),
  });
}
