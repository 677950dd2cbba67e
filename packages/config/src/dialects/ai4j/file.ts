import * as z from 'zod';
import type { HookEntry } from '../../entry.ts';
import { checkMatcher, knows } from '../../file/events.ts';
import { commandText, common, refuseIgnored, seconds, shortly } from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { ai4j } from './dialect.ts';

/** Reads the `hooks` of ai4j's workspace JSON: `{ "preToolUse": [{ "command": "python guard.py", "match": "bash" }] }`. */
export function readAi4j(value: Readonly<Record<string, unknown>>, reader: FileReader): readonly HookEntry[] {
  const events = reader.map(value['hooks'] ?? {}, ['hooks']) ?? {};
  return Object.entries(events).flatMap(([wireEvent, list]) => {
    const row = Object.hasOwn(ai4j.events, wireEvent) ? ai4j.events[wireEvent] : undefined;
    const isKnown = knows({ dialect: ai4j, ignoresUnknownEvents: true }, wireEvent, reader, [
      'hooks',
      wireEvent,
    ]);
    if (!row || !isKnown) return [];
    return (reader.list(list, ['hooks', wireEvent]) ?? []).flatMap((item, index): HookEntry[] => {
      const path = ['hooks', wireEvent, index];
      if (typeof item === 'object' && item !== null) refuseIgnored(ai4jHook, { ...item }, reader, path);
      const hook = reader.check(ai4jHook, item, path);
      if (!hook) return [];
      if (hook.match !== undefined) checkMatcher(ai4j, hook.match, reader, [...path, 'match']);
      return [
        {
          event: row.event,
          wireEvent,
          label: shortly(hook.command),
          origin: reader.origin(path),
          handler: { ...common(hook), type: 'command', command: hook.command, env: {} },
          ...(hook.match !== undefined && row.matched && { matcher: hook.match }),
        },
      ];
    });
  });
}

/** One hook of ai4j. */
export const ai4jHook: z.ZodType<Ai4jHook> = z.object({
  command: commandText,
  match: z.string().optional(),
  timeout: seconds.optional(),
});

interface Ai4jHook {
  readonly command: string;
  readonly match?: string | undefined;
  readonly timeout?: number | undefined;
}
