import type { ToolEvent } from '@hooks/core';
import { at, type Leaf, leavesOf } from './leaves.ts';
import { InputSchema } from './schema.ts';
import { type Value, valuesIn, valuesOf } from './values/value.ts';

/**
 * What a tool may be called with:
 *
 * - `from`: arguments whose values have to stand in the user's words or in a trusted source.
 * - `below`: the same for paths and URLs, which may also lie below a folder that stands there.
 * - `text`: free text, in which the same holds for each address, URL, IBAN and telephone number.
 * - `untouched`: a person is asked once the agent has read anything that others wrote. For calls where the choice itself
 *   matters. `'untouched'` alone is short for it.
 *
 * A path names an argument (`to`), a field of one (`payment.recipient`), also in each entry of a list, or all (`*`).
 */
export type Sink<Path extends string = string> =
  | 'untouched'
  | {
      readonly from?: readonly Path[];
      readonly below?: readonly Path[];
      readonly text?: readonly Path[];
      readonly untouched?: true;
    };

/**
 * Values of an argument that have to stand somewhere. `below`: a folder around them may do so, too. `seen`: also in what others
 * wrote. `anyCase`: words may be written with capitals or without. `phrase`: the same, and some words may be the agent's own as long
 * as it has read nothing that others wrote. `said`: in the user's words, letter for letter: it is sent out.
 */
export interface Demand {
  readonly argument: string;
  readonly values: readonly Value[];
  readonly enough?: 'below' | 'seen' | 'anyCase' | 'phrase' | 'said';
  /** With `said`: how many bits a value says that is one of a few, where the user has not said it. */
  readonly bits?: number;
  /** Of a link that a call opens beside another one: which of the links of this site that were read it is says something. */
  readonly site?: string;
}

/** How many values of a call are looked for. */
export const MOST_VALUES = 500;

/** What a call demands. */
export interface Demands {
  readonly values: readonly Demand[];
  /** How many bits the form of what is sent out says. */
  readonly bits?: number;
  readonly untouched: boolean;
}

/** From so many bits on, a person is asked: a PIN of four digits says as much. */
export const MOST_BITS: number = Math.log2(10_000);

/** What the sinks that match a call demand of it. */
export async function demandsOf(call: ToolEvent, sinks: readonly Sink[]): Promise<Demands> {
  const all: Demand[] = [];
  let untouched = false;
  for (const sink of sinks) {
    if (sink === 'untouched') {
      untouched = true;
      continue;
    }
    untouched ||= sink.untouched ?? false;
    const { from = [], below = [], text = [] } = sink;
    for (const path of from) for (const value of await wholeValues(call, path)) all.push(value);
    for (const path of below) for (const value of await wholeValues(call, path, 'below')) all.push(value);
    for (const path of text)
      for (const leaf of at(call.input, path, 'here'))
        for (const { path: inner, value } of leavesOf(leaf.value, leaf.path, () => false))
          all.push({ argument: inner, values: partsOf(value) });
  }
  return { values: all.filter(({ values }) => values.length > 0), untouched };
}

async function wholeValues(call: ToolEvent, path: string, enough?: 'below'): Promise<Demand[]> {
  const leaves: Leaf[] = [];
  for (const found of at(call.input, path, 'here')) {
    const isMap = typeof found.value === 'object' && found.value !== null;
    const schema = isMap ? await InputSchema.of(call) : undefined;
    const top = path === '*' ? Object.keys(Object(call.input)) : [];
    for (const leaf of leavesOf(
      found.value,
      found.path,
      (field) => schema?.hasName(field) || top.includes(field),
    ))
      leaves.push(leaf);
  }
  return leaves.map((leaf) => ({
    argument: leaf.path,
    values: valuesOf(leaf.value),
    ...(enough && { enough }),
  }));
}

function partsOf(value: unknown): readonly Value[] {
  return typeof value === 'string' ? valuesIn(value) : [];
}
