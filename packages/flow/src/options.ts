import { HooksError, type ToolInput, type ToolOutput } from '@hooks/core';
import type { FlowStore } from './conversation.ts';
import type { KnownTools } from './defaults.ts';
import type { Sink } from './sinks.ts';
import type { Source } from './sources.ts';

/** Options of `flow`. */
export interface FlowOptions extends KnownTools {
  /** Who writes what a tool returns, by patterns of names. A tool that no pattern names is untrusted. */
  readonly sources?: { readonly [tools: string]: Source };
  /**
   * Which arguments matter, by patterns of names. Left out: all tools that are not read-only, and of their arguments those
   * whose names say where something goes or what is acted on.
   */
  readonly sinks?: { readonly [tools: string]: Sink };
  /**
   * What happens to a call in doubt. `ask`: a person decides, and no hook can in their place. `deny`: the model reads why.
   * `report`: it runs, and trace and journal have what would have been asked. Default: `ask`.
   */
  readonly otherwise?: 'ask' | 'deny' | 'report';
  /**
   * Keeps what is known of a conversation for a week, so that it survives a restart and other processes know it, too. A store of
   * `@hooks/store`. Without one, a process asks about what it has not seen itself.
   */
  readonly store?: FlowStore;
}

/** {@link FlowOptions} for tools that are known. */
export interface FlowOptionsFor<Tools extends object> extends Omit<FlowOptions, 'sources' | 'sinks'> {
  readonly sources?: {
    readonly [Name in keyof Tools & string]?: Source<PathOf<ToolOutput<Tools[Name]>>>;
  };
  readonly sinks?: {
    readonly [Name in keyof Tools & string]?: Sink<PathOf<ToolInput<Tools[Name]>> | '*'>;
  };
}

/** The paths in a value: `to`, `items.id`. Lists leave no trace in them. Any text where the type is not known. */
export type PathOf<T, Depth extends readonly unknown[] = []> = unknown extends T
  ? string
  : Depth['length'] extends 5
    ? never
    : T extends readonly (infer Entry)[]
      ? PathOf<Entry, Depth>
      : T extends object
        ? {
            [Field in keyof T & string]: Field | `${Field}.${PathOf<NonNullable<T[Field]>, [...Depth, 0]>}`;
          }[keyof T & string]
        : never;

const FIELDS = ['sources', 'sinks', 'otherwise', 'store', 'trustedServers', 'knownReadOnly'];
const SINK_FIELDS = ['from', 'below', 'text', 'untouched'];

/** Refuses what would otherwise do nothing. */
export function validated(options: FlowOptions): FlowOptions {
  const invalid = (what: string): never => {
    throw new HooksError('CONFIG_INVALID', `flow: ${what}`);
  };
  const only = (value: object, fields: readonly string[], where: string): void => {
    const other = Object.keys(value).find((field) => !fields.includes(field));
    if (other !== undefined) invalid(`${where}unknown field "${other}"; known: ${fields.join(', ')}`);
  };
  const paths = (value: unknown, where: string): void => {
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((path) => typeof path === 'string' && path !== '')
    )
      return;
    invalid(`${where}: expected a list of paths, such as ["to", "items.id"]`);
  };
  only(options, FIELDS, '');
  const { otherwise = 'ask', sources = {}, sinks = {} } = options;
  if (!['ask', 'deny', 'report'].includes(otherwise))
    invalid(`otherwise: expected "ask", "deny" or "report", got ${JSON.stringify(otherwise)}`);
  for (const [tools, source] of Object.entries(sources)) {
    if (source === 'trusted' || source === 'untrusted' || typeof source === 'function') continue;
    const where = `sources["${tools}"]`;
    if (typeof source !== 'object' || source === null)
      invalid(`${where}: expected "trusted", "untrusted", { trusted: [paths] } or a function`);
    only(source, ['trusted'], `${where}: `);
    paths(source.trusted, `${where}.trusted`);
  }
  for (const [tools, sink] of Object.entries(sinks)) {
    if (sink === 'untouched') continue;
    const where = `sinks["${tools}"]`;
    if (typeof sink !== 'object' || sink === null || Object.keys(sink).length === 0)
      invalid(
        `${where}: expected "untouched" or { from: [paths], below: [paths], text: [paths], untouched: true }`,
      );
    only(sink, SINK_FIELDS, `${where}: `);
    for (const field of ['from', 'below', 'text'] as const)
      if (sink[field] !== undefined) paths(sink[field], `${where}.${field}`);
    if (sink.untouched !== undefined && sink.untouched !== true) invalid(`${where}.untouched: expected true`);
  }
  return options;
}
