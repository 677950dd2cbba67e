import { HooksError, type ToolInput, type ToolOutput } from '@hooks/core';
import { checkOptions, nestedOptions, type OptionCheck } from '@hooks/core/options';
import type { FlowStore } from './conversation.ts';
import type { KnownTools } from './defaults.ts';
import type { Sink } from './sinks.ts';
import type { Source } from './sources.ts';

/** Options of `flow`. */
export interface FlowOptions extends KnownTools {
  /** Who writes what a tool returns, by patterns of names. A tool that no pattern names is untrusted. */
  readonly sources?: { readonly [tools: string]: Source };
  /**
   * Which arguments matter, by patterns of names. Left out: of all tools that are not read-only, each short value, and of longer
   * texts the addresses, links, IBANs and telephone numbers. Not what the tool's schema lists itself.
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
export interface FlowOptionsFor<Tools extends object>
  extends Omit<FlowOptions, 'sources' | 'sinks' | 'ignore'> {
  readonly sources?: {
    readonly [Name in keyof Tools & string]?: Source<PathOf<ToolOutput<Tools[Name]>>>;
  };
  readonly sinks?: {
    readonly [Name in keyof Tools & string]?: Sink<PathOf<ToolInput<Tools[Name]>> | '*'>;
  };
  readonly ignore?: { readonly [Name in keyof Tools & string]?: readonly PathOf<ToolInput<Tools[Name]>>[] };
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

/** Only the name is checked here: what values are valid depends on others. */
const named: OptionCheck = () => undefined;

/** What the check looks into is copied, so that what it has seen is what counts. */
const data: OptionCheck = Object.assign(() => undefined, { copy: copyOf });

const FIELDS = {
  sources: data,
  sinks: data,
  otherwise: named,
  store: named,
  trustedServers: data,
  knownReadOnly: data,
  ignore: data,
};
const PATH_FIELDS = ['from', 'below', 'text'] as const;
const OF_SINKS = nestedOptions<{ readonly [field in (typeof PATH_FIELDS)[number] | 'untouched']?: unknown }>({
  from: named,
  below: named,
  text: named,
  untouched: named,
});
const OF_SOURCES = nestedOptions<{ readonly trusted?: unknown }>({ trusted: named });
const NO_SINK = 'expected "untouched" or { from: [paths], below: [paths], text: [paths], untouched: true }';

/** Refuses what is invalid, guards nothing or has no effect. */
export function validated(options: FlowOptions): FlowOptions {
  if (!isRecord(options)) invalid('expected an object of options');
  options = checkOptions<FlowOptions>('flow', options, FIELDS);
  const { otherwise = 'ask', sources, sinks, store } = options;
  if (!['ask', 'deny', 'report'].includes(otherwise))
    invalid(`otherwise: expected "ask", "deny" or "report", got ${JSON.stringify(otherwise)}`);
  if (store !== undefined && typeof Object(store).append !== 'function')
    invalid('store: expected a store of @hooks/store');
  for (const field of ['trustedServers', 'knownReadOnly', 'ignore'] as const) {
    if (options[field] === undefined) continue;
    if (field !== 'ignore' && !isListOf(options[field], isName))
      invalid(`${field}: expected a list of names, such as ["mail"]`);
    if (sinks !== undefined)
      invalid(`${field} has no effect with sinks, which say what is checked; leave out one`);
  }
  for (const [tool, paths] of entriesOf('ignore', options.ignore)) checkPaths(paths, `ignore["${tool}"]`);
  for (const [tools, source] of entriesOf('sources', sources)) checkSource(source, `sources["${tools}"]`);
  for (const [tools, sink] of entriesOf('sinks', sinks)) checkSink(sink, `sinks["${tools}"]`);
  return options;
}

/** @throws HooksError `CONFIG_INVALID` if these are no tools by their names */
export function checkTools(tools: object): void {
  if (!isRecord(tools))
    throw new HooksError('CONFIG_INVALID', 'flow.for: expected tools by their names, such as { send_mail }');
}

function checkSource(source: Source, where: string): void {
  if (source === 'trusted' || source === 'untrusted' || typeof source === 'function') return;
  if (!isRecord(source))
    invalid(`${where}: expected "trusted", "untrusted", { trusted: [paths] } or a function`);
  refuse(OF_SOURCES(source, where));
  checkPaths(source.trusted, `${where}.trusted`);
}

function checkSink(sink: Sink, where: string): void {
  if (sink === 'untouched') return;
  if (!isRecord(sink)) invalid(`${where}: ${NO_SINK}`);
  refuse(OF_SINKS(sink, where));
  const { untouched } = sink;
  if (untouched !== undefined && untouched !== true) invalid(`${where}.untouched: expected true`);
  const given = PATH_FIELDS.filter((field) => sink[field] !== undefined);
  if (given.length === 0 && untouched === undefined) invalid(`${where}: ${NO_SINK}`);
  for (const field of given) checkPaths(sink[field], `${where}.${field}`);
}

function checkPaths(value: unknown, where: string): void {
  if (!isListOf(value, isPath)) invalid(`${where}: expected a list of paths, such as ["to", "items.id"]`);
}

/** The entries of an option whose names are patterns of tools. */
function entriesOf<Entry>(
  name: string,
  value: { readonly [tools: string]: Entry } | undefined,
): readonly (readonly [string, Entry])[] {
  if (value === undefined) return [];
  if (!isRecord(value)) invalid(`${name}: expected an object with patterns of tools`);
  const entries = Object.entries(value);
  if (entries.length === 0) invalid(`${name}: it is empty; expected an entry, or leave it out`);
  if (entries.some(([tools]) => tools === '')) invalid(`${name}: an entry has no name of a tool`);
  return entries;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) invalid(problem);
}

function invalid(what: string): never {
  throw new HooksError('CONFIG_INVALID', `flow: ${what}`);
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, copyOf);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copyOf(entry)]));
}

/** An object with named values, not a list, a map or a date. */
function isRecord(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && !value.split('.').includes('');
}
