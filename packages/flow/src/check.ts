import type { ToolEvent } from '@hooks/core';
import type { Conversation } from './conversation.ts';
import type { Memory } from './memory.ts';
import type { Doubt } from './question.ts';
import { type Demand, type Demands, MOST_BITS, MOST_VALUES } from './sinks.ts';
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
  { values, bits: bitsOfForm = 0, untouched }: Demands,
  { memory }: Conversation,
): Checked {
  const count = values.reduce((sum, demand) => sum + demand.values.length, 0);
  if (count > MOST_VALUES) {
    const most = values.reduce((one, other) => (other.values.length > one.values.length ? other : one));
    return { doubts: [{ kind: 'many', argument: most.argument }], known: [] };
  }
  const doubts = new Map<string, Doubt>();
  const phrases = new Map<string, string>();
  const known = new Set<string>();
  const choices = new Map<string, Doubt>();
  let bitsSent = bitsOfForm;
  for (const { argument, values: all, enough, bits, site } of values) {
    if (site !== undefined && bitsSent < MOST_BITS) bitsSent += Math.max(1, Math.log2(memory.linksOf(site)));
    for (const value of all) {
      const key = keyOf(toolName, argument, value);
      const said = enough === 'said' ? memory.said(value) : undefined;
      const origin =
        (enough === 'said' ? said?.origin : originOf(value, enough, memory)) ??
        (memory.endorsed.has(key) ? 'a person has approved it' : undefined) ??
        (enough === 'seen' ? memory.read(value) : undefined);
      const doubt: Doubt = { kind: 'value', argument, value, ...(enough === 'said' && { isSent: true }) };
      if (origin !== undefined) known.add(`${toolName}.${argument}: ${origin}`);
      else (bits === undefined ? doubts : choices).set(key, doubt);
      // What the user has said, or a person has approved, is one of several, too.
      if (enough === 'said')
        bitsSent +=
          origin === undefined ? (bits ?? 0) : Math.max(1, Math.min(bits ?? Infinity, said?.bits ?? 1));
      if (enough === 'phrase' && isPhrase(value.text)) phrases.set(key, argument);
    }
  }
  if (bitsSent >= MOST_BITS) for (const [key, doubt] of choices) doubts.set(key, doubt);
  // The user says to whom, and nobody else has said what.
  if (memory.isUntouched && known.size > 0)
    for (const [key, argument] of phrases)
      if (doubts.delete(key)) known.add(`${toolName}.${argument}: the agent’s own words`);
  const choice: readonly Doubt[] =
    untouched && !memory.isUntouched ? [{ kind: 'choice', origin: memory.touched }] : [];
  const message: readonly Doubt[] = bitsSent >= MOST_BITS && doubts.size === 0 ? [{ kind: 'message' }] : [];
  return { doubts: [...doubts.values(), ...message, ...choice], known: [...known] };
}

/** Where the user or a trusted source has a value, in the form that is enough. */
function originOf(value: Value, enough: Demand['enough'], memory: Memory): string | undefined {
  return (
    memory.origin(value, enough === 'below') ??
    (enough === 'anyCase' || enough === 'phrase' ? memory.saidInAnyCase(value) : undefined)
  );
}

/** Whether a text is nothing but words, and no name or list of names: those have capitals, or signs between. */
function isPhrase(text: string): boolean {
  return /^(?:[\p{L}\p{M}'’]+[,.!?…]*(?:\s+|$))+$/u.test(text) && /[\p{L}\p{M}'’]\s+\p{Ll}/u.test(text);
}

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
