import type { ToolEvent } from '@hooks/core';
import type { Conversation } from './conversation.ts';
import { at } from './leaves.ts';
import type { Memory } from './memory.ts';
import type { Doubt } from './question.ts';
import { InputSchema } from './schema.ts';
import { type Demand, type Demands, MOST_VALUES } from './sinks.ts';
import { type Value, valuesOf } from './values/value.ts';

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
  const demanded = new Set(demands.values.map(({ argument }) => argument));
  const names = namesIn(call, schema?.arguments ?? [], demanded, memory);
  // The user says to whom, and nobody else has said what.
  const mayWrite = memory.isUntouched && found.known.length + names.size > 0;
  if (names.size === 0 && !mayWrite) return found;
  return lookedFor(call, demands, memory, ({ argument, enough }, { text }) => {
    const isOwn = mayWrite && enough === 'phrase' && isPhrase(text);
    return names.get(argument) ?? (isOwn ? 'the agent’s own words' : undefined);
  });
}

/** Whether a text is nothing but words, and no name or list of names: those have capitals, or signs between. */
function isPhrase(text: string): boolean {
  return /^(?:[\p{L}\p{M}'’]+[,.!?…]*(?:\s+|$))+$/u.test(text) && /[\p{L}\p{M}'’]\s+\p{Ll}/u.test(text);
}

function lookedFor(
  { toolName }: ToolEvent,
  { values, untouched }: Demands,
  memory: Memory,
  otherwise: (demand: Demand, value: Value) => string | undefined,
): Checked {
  const count = values.reduce((sum, demand) => sum + demand.values.length, 0);
  if (count > MOST_VALUES) {
    const most = values.reduce((one, other) => (other.values.length > one.values.length ? other : one));
    return { doubts: [{ kind: 'many', argument: most.argument }], known: [] };
  }
  const doubts = new Map<string, Doubt>();
  const known = new Set<string>();
  for (const demand of values) {
    const { argument, values: all, enough } = demand;
    for (const value of all) {
      const key = keyOf(toolName, argument, value);
      const origin =
        memory.origin(value, enough === 'below') ??
        (enough === 'anyCase' || enough === 'phrase' ? memory.saidInAnyCase(value) : undefined) ??
        (memory.endorsed.has(key) ? 'a person has approved it' : undefined) ??
        (enough === 'seen' ? memory.wholeSeen(value) : undefined) ??
        otherwise(demand, value);
      if (origin === undefined) doubts.set(key, { kind: 'value', argument, value });
      else known.add(`${toolName}.${argument}: ${origin}`);
    }
  }
  const choice: readonly Doubt[] =
    untouched && !memory.isUntouched ? [{ kind: 'choice', origin: memory.touched }] : [];
  return { doubts: [...doubts.values(), ...choice], known: [...known] };
}

/**
 * The arguments that are the parts of a name, and where it stands: a user writes `acme/web#7` for an owner, a repository and an
 * issue. All parts have to be arguments that are looked for, in the order of the tool's schema: `web/acme` is another repository,
 * and a model may choose what is not looked for. `24/7` is no name. Where the arguments make a name in two ways, as of
 * `transfer({ owner: 'acme', repo: 'web', new_owner: 'web' })`, or several names, which may be mixed, they say none.
 */
function namesIn(
  { input }: ToolEvent,
  order: readonly string[],
  demanded: ReadonlySet<string>,
  memory: Memory,
): ReadonlyMap<string, string> {
  const parts = order.flatMap((argument) => {
    const [only, ...more] = at(input, argument, 'nowhere').flatMap(({ value }) => partsOf(value));
    return only !== undefined && more.length === 0 && PART.test(only.text)
      ? [{ argument, text: only.text }]
      : [];
  });
  const names = new Map<string, string>();
  if (parts.length > MOST_PARTS) return names;
  const made: { readonly name: string; readonly of: readonly Part[] }[] = [];
  parts.forEach((one, nth) => {
    parts.slice(nth + 1).forEach((other, behind) => {
      const name = `${one.text}/${other.text}`;
      if (!/\p{L}/u.test(name)) return;
      made.push({ name, of: [one, other] });
      for (const third of parts.slice(nth + behind + 2))
        made.push({ name: `${name}#${third.text}`, of: [one, other, third] });
    });
  });
  const known = made.flatMap(({ name: text, of }) => {
    // The agent may have written the parts that a source puts together.
    const origin = memory.said({ kind: 'text', text, key: text });
    return origin === undefined ? [] : [{ text, of, origin }];
  });
  const [first] = known;
  if (known.some(({ of }) => of[0] !== first?.of[0] || of[1] !== first?.of[1])) return names;
  for (const { text, of, origin } of known)
    if (
      known.filter((one) => one.text === text).length === 1 &&
      of.every(({ argument }) => demanded.has(argument))
    )
      for (const { argument } of of) names.set(argument, origin);
  return names;
}

function partsOf(value: unknown): readonly Value[] {
  return typeof value === 'string' || typeof value === 'number' ? valuesOf(value) : [];
}

interface Part {
  readonly argument: string;
  readonly text: string;
}

/** A name such as that of a repository. */
const PART = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,98}[\p{L}\p{N}])?$/u;
const MOST_PARTS = 8;

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
