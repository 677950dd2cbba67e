import { type EventSpec, HooksError } from '@hooks/core';
import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import type { Failure } from '../protocol/answer.ts';

/** The effect of a failed hook: that of the event, or that of the original program. */
export type Failures = 'closed' | 'as-original';

/** Whether the hook's failure closes the gate. Otherwise it is ignored. */
export function closes(
  dialect: Dialect,
  { handler, wireEvent }: Pick<HookEntry, 'handler' | 'wireEvent'>,
  event: EventType,
  failures: Failures,
): boolean {
  if (dialect.alwaysClosed(event)) return true;
  if (handler.onError !== undefined) return handler.onError === 'block';
  // A hook whose answer counts for nothing only watches.
  if (dialect.events[wireEvent]?.takes.length === 0) return false;
  return failures === 'closed' || dialect.originalFailure(event) === 'block';
}

/**
 * The `onFailure` of a built-in or module, if the file or its dialect sets one; else the provider's own. An event that
 * cannot be blocked continues.
 */
export function nativeFailure(
  dialect: Dialect,
  entry: HookEntry,
  event: EventType,
  { permits, onFailure }: EventSpec,
  failures: Failures,
): 'block' | 'proceed' | undefined {
  if (entry.handler.onError === undefined && failures === 'closed') return undefined;
  const closed = closes(dialect, entry, event, failures);
  if (!closed) return 'proceed';
  return permits.includes('block') || onFailure === 'withhold' ? 'block' : undefined;
}

/** The failure as an error of core, which applies the event's rule and reports it. */
export function failureError(entry: HookEntry, failure: Failure, spec: EventSpec): HooksError {
  const { file, line } = entry.origin;
  const cause = new Error(`${file}:${line}: ${failure.failed}${failure.detail ? `: ${failure.detail}` : ''}`);
  return new HooksError('HOOK_FAILED', describeFailure(entry, failure), { event: spec.type, cause });
}

/**
 * `hook "curl" failed: it ended with exit code 127 (command not found)`. A model may read it, so it
 * has neither output of the hook nor its command line or URL path, which may hold a secret.
 */
export function describeFailure(entry: HookEntry, { failed }: Failure): string {
  return `hook "${publicName(entry)}" failed: ${failed}`;
}

function publicName({ name, label, handler }: HookEntry): string {
  if (name !== undefined) return name;
  if (handler.type === 'command') return programOf(handler.command);
  return handler.type === 'http' ? new URL(handler.url).origin : label;
}

/** The program that a command begins with, behind plain assignments. */
function programOf(command: string | readonly string[]): string {
  const [program = '', ...args] = typeof command === 'string' ? ['sh', '-c', command] : command;
  const line = SHELL.test(program) ? args[args.indexOf('-c') + 1] : program;
  return PROGRAM.exec(line?.trim() ?? '')?.[1] ?? 'command';
}

/** Whatever is quoted may hold a secret with spaces, so no program is looked for behind it. */
const PROGRAM = /^(?:\w+=[\w./:~-]*\s+)*([\w./~-]{1,60})(?=\s|$)/;

const SHELL = /^(?:ba|da|z)?sh$/;
