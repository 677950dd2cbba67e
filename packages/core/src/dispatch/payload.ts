import { fail } from '../error.ts';
import type { EventPayload, EventSpec } from '../event/event.ts';
import { parse } from '../schema.ts';
import { isThenable } from '../thenable.ts';

/** Why an event does not fit the schema of its token, which describes the event's own fields. */
export function misfitOf({ schema }: EventSpec, event: Partial<EventPayload>): string | undefined {
  if (schema === undefined) return undefined;
  const { type, session, agent, run, turn, principal, native, ...own } = event;
  const problem = parse(
    schema,
    own,
    () => undefined,
    (text) => text,
  );
  return isThenable(problem) ? 'its schema must not be asynchronous' : problem;
}

/** @throws HooksError `INVALID_INPUT` if the event does not fit */
export function checkPayload(spec: EventSpec, event: Partial<EventPayload>): void {
  const problem = misfitOf(spec, event);
  if (problem !== undefined) fail('INVALID_INPUT', `${spec.type}: ${problem}`);
}
