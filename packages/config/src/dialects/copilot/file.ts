import * as z from 'zod';
import type { CommandHandler, HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import {
  address,
  commandText,
  common,
  environment,
  headers,
  hookType,
  placeOf,
  seconds,
  shortly,
  systemText,
  variableName,
} from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { copilot } from './dialect.ts';

/** Reads a file of hooks: `{ "version": 1, "hooks": { "preToolUse": [{ "type": "command", "bash": "./check.sh" }] } }`. */
export function readCopilot(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  reader.check(z.literal(1).optional(), value['version'], ['version']);
  if (value['disableAllHooks'] === true) {
    reader.notice(['disableAllHooks'], 'it is true, so no hook of this file runs');
    return [];
  }
  return readEvents(copilotFormat, value['hooks'] ?? {}, reader, ['hooks']);
}

const shared = {
  matcher: z.string().optional(),
  timeout: seconds.optional(),
  timeoutSec: seconds.optional(),
};

const noCommand = 'expected a command in "bash", "command" or "exec"; hooks do not run in PowerShell here';

/** The schema of Copilot's lists of hooks. */
export const copilotFormat: FileFormat = {
  dialect: copilot,
  types: {
    command: hookType(
      z
        .object({
          type: z.literal('command').optional(),
          bash: commandText.optional(),
          powershell: z.string().optional(),
          command: commandText.optional(),
          exec: commandText.optional(),
          args: z.array(systemText).optional(),
          cwd: systemText.optional(),
          env: environment.optional(),
          ...shared,
        })
        .refine(({ bash, command, exec }) => bash ?? command ?? exec, noCommand),
      (value) => {
        const line = value.bash ?? value.command;
        return {
          label: shortly(value.exec ?? line ?? ''),
          handler: {
            ...settings(value),
            type: 'command',
            command: value.exec === undefined ? inBash(line ?? '') : [value.exec, ...(value.args ?? [])],
            env: value.env ?? {},
            ...(value.cwd && { workingDir: value.cwd }),
          },
        };
      },
    ),
    http: hookType(
      z.object({
        type: z.literal('http'),
        url: address,
        headers: headers.optional(),
        allowedEnvVars: z.array(variableName).optional(),
        ...shared,
      }),
      (value) => ({
        label: placeOf(value.url),
        handler: {
          ...settings(value),
          type: 'http',
          url: value.url,
          headers: value.headers ?? {},
          allowedEnvVars: value.allowedEnvVars ?? [],
        },
      }),
    ),
    prompt: hookType(z.object({ type: z.literal('prompt'), prompt: z.string(), ...shared }), (value) => ({
      label: 'prompt',
      handler: {
        ...settings(value),
        type: 'unsupported',
        reason:
          'a hook of type "prompt" runs only in Copilot; print additionalContext from a command instead',
      },
    })),
  },
  ignoresUnknownEvents: false,
  defaultType: 'command',
};

/** The command that runs a line in Bash. */
function inBash(line: string): CommandHandler['command'] {
  // Bash takes a socket as its stdin for a remote shell, and would read the user's .bashrc first.
  return ['bash', '--norc', '-c', line];
}

function settings({
  timeout,
  timeoutSec,
}: {
  timeout?: number | undefined;
  timeoutSec?: number | undefined;
}) {
  return common({ timeout: timeoutSec ?? timeout ?? 30 });
}
