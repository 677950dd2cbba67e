import type { ToolEvent } from '@hooks/core';
import type { Conversation } from './conversation.ts';
import type { Memory } from './memory.ts';
import type { Doubt } from './question.ts';
import { InputSchema } from './schema.ts';
import type { Demands } from './sinks.ts';
import type { Value } from './values/value.ts';

/** What came of checking a call. */
export interface Checked {
  readonly doubts: readonly Doubt[];
  /** Where the other values come from: `send_money.recipient: your words`. */
  readonly known: readonly string[];
}

/** Looks for each value that a call demands. */
export async function checked(call: ToolEvent, demands: Demands, { memory }: Conversation): Promise<Checked> {
  const found = lookedFor(call, demands, memory, () => undefined);
  if (found.doubts.length === 0 || demands.values.length < 2) return found;
  const schema = await InputSchema.of(call).catch(() => undefined);
  const names = namesIn(demands, schema?.arguments ?? [], memory);
  return names.size === 0 ? found : lookedFor(call, demands, memory, (argument) => names.get(argument));
}

function lookedFor(
  { toolName }: ToolEvent,
  { values, untouched }: Demands,
  memory: Memory,
  nameOf: (argument: string) => string | undefined,
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
        (enough === 'seen' ? memory.wholeSeen(value) : undefined) ??
        nameOf(argument);
      if (origin === undefined) doubts.set(key, { kind: 'value', argument, value });
      else known.add(`${toolName}.${argument}: ${origin}`);
    }
  // Where no prompt was seen, as in a proxy or around a single tool, nobody knows what the agent has read.
  const isUntouched = memory.touched === undefined && memory.words.length > 0;
  const choice: readonly Doubt[] =
    untouched && !isUntouched ? [{ kind: 'choice', origin: memory.touched }] : [];
  return { doubts: [...doubts.values(), ...choice], known: [...known] };
}

/**
 * The arguments that are the parts of a name, and where it stands: a user writes `acme/web#7` for an owner, a repository and an
 * issue. All parts have to be arguments, in the order of the tool's schema: `web/acme` is another repository.
 */
function namesIn({ values }: Demands, order: readonly string[], memory: Memory): ReadonlyMap<string, string> {
  const parts = order.flatMap((argument) => {
    const [only, ...more] = values
      .filter((demand) => demand.argument === argument)
      .flatMap((one) => one.values);
    return only !== undefined && more.length === 0 && PART.test(only.text)
      ? [{ argument, text: only.text }]
      : [];
  });
  const names = new Map<string, string>();
  if (parts.length > MOST_PARTS) return names;
  const note = (text: string, of: readonly { readonly argument: string }[]): void => {
    const origin = memory.origin({ kind: 'text', text, key: text });
    if (origin !== undefined) for (const { argument } of of) names.set(argument, origin);
  };
  parts.forEach((one, nth) => {
    parts.slice(nth + 1).forEach((other, behind) => {
      const name = `${one.text}/${other.text}`;
      note(name, [one, other]);
      for (const third of parts.slice(nth + behind + 2)) note(`${name}#${third.text}`, [one, other, third]);
    });
  });
  return names;
}

/** A name such as that of a repository. */
const PART = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,98}[\p{L}\p{N}])?$/u;
const MOST_PARTS = 8;

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
