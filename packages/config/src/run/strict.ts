import type { Dialect, Taken, WireEvent } from '../dialects/dialect.ts';
import { messageOf } from '../error-message.ts';
import type { Answer } from '../protocol/answer.ts';

/** The problem with the output of a `strict_output` hook, which has to be JSON with fields that the event takes. */
export function whyNotStrict(
  dialect: Dialect,
  wireEvent: string,
  row: WireEvent,
  stdout: string,
): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(stdout);
  } catch {
    return 'it printed no JSON object';
  }
  try {
    const answer = dialect.readOutput(json, wireEvent);
    const foreign = fieldsOf(answer).find((field) => !row.takes.includes(field));
    return foreign === undefined ? undefined : `its answer has ${foreign}, which ${wireEvent} does not take`;
  } catch (error) {
    return `its answer is not valid in the dialect ${dialect.name}: ${messageOf(error)}`;
  }
}

/** The parts of an answer, by their names in events. */
function fieldsOf({ permission, reason: _, messages: __, ...rest }: Answer): readonly Taken[] {
  const decided: readonly Taken[] =
    permission === undefined
      ? []
      : [permission === 'deny' ? 'deny' : permission === 'ask' ? 'ask' : 'approval'];
  return [...decided, ...(Object.keys(rest) as (keyof typeof rest)[])];
}
