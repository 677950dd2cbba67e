import type { ToolEvent } from '@hooks/core';
import type { Conversation } from './conversation.ts';
import type { Doubt } from './question.ts';
import type { Demands } from './sinks.ts';
import type { Value } from './values/value.ts';

/** What came of checking a call. */
export interface Checked {
  readonly doubts: readonly Doubt[];
  /** Where the other values come from: `send_money.recipient: your words`. */
  readonly known: readonly string[];
}

/** Looks for each value that a call demands. */
export function checked(
  { toolName }: ToolEvent,
  { values, untouched }: Demands,
  { memory }: Conversation,
): Checked {
  const count = values.reduce((sum, demand) => sum + demand.values.length, 0);
  if (count > MOST_VALUES)
    return { doubts: [{ kind: 'many', argument: values[0]?.argument ?? '', count }], known: [] };
  const doubts = new Map<string, Doubt>();
  const known = new Set<string>();
  for (const { argument, values: all, enough } of values)
    for (const value of all) {
      const key = keyOf(toolName, argument, value);
      const origin =
        memory.origin(value, enough === 'below') ??
        (enough === 'anyCase' ? memory.saidInAnyCase(value) : undefined) ??
        (memory.endorsed.has(key) ? 'a person has approved it' : undefined) ??
        (enough === 'seen' ? memory.wholeSeen(value) : undefined);
      if (origin === undefined) doubts.set(key, { kind: 'value', argument, value });
      else known.add(`${toolName}.${argument}: ${origin}`);
    }
  // Where no prompt was seen, as in a proxy or around a single tool, nobody knows what the agent has read.
  const isUntouched = memory.touched === undefined && memory.words.length > 0;
  const choice: readonly Doubt[] =
    untouched && !isUntouched ? [{ kind: 'choice', origin: memory.touched }] : [];
  return { doubts: [...doubts.values(), ...choice], known: [...known] };
}

/** How many values of a call are looked for. */
const MOST_VALUES = 500;

/** What an approval of some doubts endorses. */
export function keysOf({ toolName }: ToolEvent, doubts: readonly Doubt[]): readonly string[] {
  return doubts.flatMap((doubt) =>
    doubt.kind === 'value' ? [keyOf(toolName, doubt.argument, doubt.value)] : [],
  );
}

/** The same of all values of a call, in the order in which a question would show them. */
export function allKeysOf({ toolName }: ToolEvent, { values }: Demands): readonly string[] {
  const keys = values.flatMap(({ argument, values: all }) =>
    all.map((value) => keyOf(toolName, argument, value)),
  );
  return [...new Set(keys)];
}

/** What an approval endorses: this value in this argument of this tool. */
function keyOf(toolName: string, argument: string, { kind, key }: Value): string {
  return JSON.stringify([toolName, argument, kind, key]);
}
