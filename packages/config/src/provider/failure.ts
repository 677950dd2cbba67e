import { type EventSpec, HooksError } from '@hooks/core';
import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import type { Failure } from '../protocol/answer.ts';

/** What becomes of a failed hook: as the event has it, or as the original program would. */
export type Failures = 'closed' | 'as-original';

/** Whether a failure of this hook closes the gate; else it is passed over. */
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
 * What a failed handler of a built-in or a module does, where the file or its dialect has a word in it; else the provider
 * says. An event that cannot be blocked goes on.
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

/** The failure as the error that core takes for one: then the event says what follows, and it is reported. */
export function failureError({ label, origin }: HookEntry, failure: Failure, spec: EventSpec): HooksError {
  const where = `${origin.file}:${origin.line}`;
  const cause = new Error(`${where}: ${failure.failed}${failure.detail ? `: ${failure.detail}` : ''}`);
  return new HooksError('HOOK_FAILED', describeFailure({ label }, failure), { event: spec.type, cause });
}

/** `hook "./check.sh" failed: it ended with exit code 127 (command not found)`; holds nothing that the hook printed. */
export function describeFailure({ label }: Pick<HookEntry, 'label'>, { failed }: Failure): string {
  return `hook "${label}" failed: ${failed}`;
}
