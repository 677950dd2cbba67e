import type { ToolEvent } from '@hooks/core';
import { destroys, isCommand, isConsequential, type KnownTools, readsOnly, runs } from './defaults.ts';
import { at, type Leaf, leavesOf } from './leaves.ts';
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
 * Values of an argument that have to stand somewhere. `below`: a folder around them may do so, too. `seen`: in anything that was
 * read, whoever wrote it.
 */
interface Demand {
  readonly argument: string;
  readonly values: readonly Value[];
  readonly enough?: 'below' | 'seen';
}

/** What a call demands. */
export interface Demands {
  readonly values: readonly Demand[];
  readonly untouched: boolean;
}

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
    const names = isMap ? (await schemaOf(call)).names : undefined;
    const top = path === '*' ? Object.keys(Object(call.input)) : [];
    for (const leaf of leavesOf(found.value, found.path, (field) => names?.has(field) || top.includes(field)))
      leaves.push(leaf);
  }
  return leaves.map((leaf) => ({
    argument: leaf.path,
    values: valuesOf(leaf.value),
    ...(enough && { enough }),
  }));
}

/** The names of fields that a tool's schema knows, and whether an object of it is a map. All other names are chosen by the model, as values are. */
async function schemaOf({ tool }: ToolEvent): Promise<{ names: ReadonlySet<string>; hasMap: boolean }> {
  const schema: unknown = await tool?.inputSchema?.();
  const names = new Set<string>();
  let hasMap = false;
  const visit = (part: unknown, depth: number): void => {
    if (typeof part !== 'object' || part === null || depth > 64) return;
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'properties') for (const name of Object.keys(Object(inner))) names.add(name);
      hasMap ||= key === 'additionalProperties' && typeof inner === 'object';
      visit(inner, depth + 1);
    }
  };
  visit(schema, 0);
  return { names, hasMap };
}

/**
 * What a call demands where no sinks are named: by what is known of the tool, and the names of its arguments. A tool that only
 * reads may follow links as they stand in what was read. A URL that nobody wrote may carry data out, so it is asked about.
 */
export async function defaultDemands(call: ToolEvent, known: KnownTools): Promise<Demands> {
  const reads = readsOnly(call, known);
  if (reads && call.tool?.annotations?.openWorldHint === false) return NOTHING;
  const values: Demand[] = [];
  const takesCommands = runs(call.toolName);
  const matters = (field: string): boolean => isConsequential(field) || (takesCommands && isCommand(field));
  // Only a schema says where names are chosen, as in a map of roles by users. Some cannot be written as JSON Schema.
  const schema = await schemaOf(call).catch(() => undefined);
  const isName = (field: string): boolean =>
    schema?.hasMap ? schema.names.has(field) : /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(field);
  for (const { path, value } of leavesOf(call.input, '', isName)) {
    // What is switched on or off is no value of somebody.
    const isWhole = !reads && typeof value !== 'boolean' && path.split('.').some(matters);
    const found = isWhole ? valuesOf(value) : partsOf(value);
    const kept = reads ? found.filter(({ kind }) => kind === 'url') : found;
    if (kept.length > 0) values.push({ argument: path, values: kept, ...(reads && { enough: 'seen' }) });
  }
  const isDestructive = call.tool?.annotations?.destructiveHint === true || destroys(call.toolName);
  // Nothing says what is taken away, so the choice is all there is.
  return { values, untouched: !reads && values.length === 0 && isDestructive };
}

const NOTHING: Demands = { values: [], untouched: false };

function partsOf(value: unknown): readonly Value[] {
  return typeof value === 'string' ? valuesIn(value) : [];
}
