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
  { handler }: Pick<HookEntry, 'handler'>,
  event: EventType,
  failures: Failures,
): boolean {
  if (dialect.alwaysClosed(event)) return true;
  if (handler.onError !== undefined) return handler.onError === 'block';
  return failures === 'closed' || dialect.originalFailure(event) === 'block';
}

/**
 * The `onFailure` of a built-in or module, if the file or its dialect sets one; else the provider's own. An event that
 * cannot be blocked continues.
 */
export function nativeFailure(
  dialect: Dialect,
  { handler }: HookEntry,
  event: EventType,
  { permits, onFailure }: EventSpec,
  failures: Failures,
): 'block' | 'proceed' | undefined {
  if (handler.onError === undefined && failures === 'closed') return undefined;
  const closed = closes(dialect, { handler }, event, failures);
  if (!closed) return 'proceed';
  return permits.includes('block') || onFailure === 'withhold' ? 'block' : undefined;
}

/** The failure as an error of core, which applies the event's rule and reports it. */
export function failureError({ label, origin }: HookEntry, failure: Failure, spec: EventSpec): HooksError {
  const where = `${origin.file}:${origin.line}`;
  const cause = new Error(`${where}: ${failure.failed}${failure.detail ? `: ${failure.detail}` : ''}`);
  return new HooksError('HOOK_FAILED', describeFailure({ label }, failure), { event: spec.type, cause });
}

/** `hook "./check.sh" failed: it ended with exit code 127 (command not found)`. Contains no output of the hook. */
export function describeFailure({ label }: Pick<HookEntry, 'label'>, { failed }: Failure): string {
  return `hook "${label}" failed: ${failed}`;
}
