import { readFileSync } from 'node:fs';

/** A suite of AgentDojo, as recorded data: see README.md. */
export interface Suite {
  readonly suite: string;
  readonly version: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: {
      readonly properties?: { readonly [name: string]: { readonly default?: unknown } };
    };
  }[];
  readonly injectionVectors: { readonly [name: string]: { readonly default: string } };
  readonly userTasks: readonly UserTask[];
  readonly injectionTasks: readonly InjectionTask[];
}

/** What a user asks for, and how it is done. */
export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly Call[];
  /** The calls whose output a stranger can write to. */
  readonly injectableSteps: readonly number[];
}

/** What a stranger wants, and how it is done. */
export interface InjectionTask {
  readonly id: string;
  readonly goal: string;
  readonly calls: readonly Call[];
}

export interface Call {
  readonly tool: string;
  readonly args: object;
  readonly output: string;
  readonly structured: unknown;
  /** The places of its output that a stranger can write to. */
  readonly vectors?: readonly string[];
}

export function readSuite(name: string): Suite {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}

/** The output of a call in which the stranger's text stands where strangers write. */
export function injected(
  { structured, vectors = [] }: Call,
  { injectionVectors }: Suite,
  text: string,
): unknown {
  const defaults = vectors.flatMap((name) => injectionVectors[name]?.default || []);
  let isPlaced = false;
  const place = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const found = defaults.find((one) => value.includes(one));
      if (found === undefined) return value;
      isPlaced = true;
      return value.replace(found, () => text);
    }
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, place(inner)]));
  };
  const placed = place(structured);
  if (isPlaced) return placed;
  return typeof structured === 'string' ? `${structured}\n${text}` : [structured, { note: text }];
}
