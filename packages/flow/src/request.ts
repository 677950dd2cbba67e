import type { ToolEvent } from '@hooks/core';
import { isWritingVerb, opensPages, searches } from './defaults.ts';
import { type Leaf, within } from './leaves.ts';
import { asWritten, BITS_OF_URL_NAME, isUrlNamed, linksIn, siteOf } from './links.ts';
import type { InputSchema } from './schema.ts';
import type { Demand } from './sinks.ts';
import { valuesOf } from './values/value.ts';
import { wordsOf } from './words.ts';

/** What a tool that only reads sends out. */
interface Request {
  readonly values: readonly Demand[];
  /** How many bits its form says: lists, objects, the order of names, further links, and empty values. */
  readonly bits: number;
}

/**
 * Reads the arguments of a tool that only reads as a request. It may open links that stand in what was read, whoever chose the
 * server. So whatever stands beside one may be sent there, and **what a call chooses is what it carries**: each value and each name
 * has to be the user's, or one of a few, and each choice counts in bits, also one among the user's words. Together they have to say
 * less than a PIN. Undefined where a tool does not only read: it has no link, and an argument that says that it writes.
 */
export function requestOf(
  { toolName, input }: ToolEvent,
  leaves: readonly Leaf[],
  schema: InputSchema,
  isFree: (path: string) => boolean,
): Request | undefined {
  const tool = { opensPages: opensPages(toolName), searches: searches(toolName) };
  const read = leaves.map((leaf) => ({ ...linksIn(leaf, schema, tool), leaf }));
  const reachesOut = read.some(({ isOpened }) => isOpened);
  const writes = leaves.some((leaf) => asksToWrite(leaf, reachesOut));
  if (writes && !reachesOut) return undefined;
  // The links of one argument are opened, and one in another is sent beside them.
  const target = read.find(({ isWhole, leaf }) => isWhole && !leaf.isField)?.leaf.path;
  const isOwn = ({ isWhole, leaf }: (typeof read)[number]): boolean => isWhole && leaf.path === target;
  // Nobody knows what a request that writes does at a server.
  const linkOf = ({ leaf, values }: (typeof read)[number]): Demand => ({
    argument: leaf.path,
    values,
    ...(!writes && { enough: 'seen' }),
  });
  const texts = read.filter(({ leaf }) => !leaf.isField);
  if (!reachesOut) return { values: texts.map(linkOf), bits: 0 };
  let links = 0;
  const values = texts.map((one): Demand => {
    if (!isOwn(one)) return besideLink(one.leaf, schema);
    const site = siteOf(String(one.leaf.value));
    // Which one comes first is chosen among all that were read.
    return { ...linkOf(one), ...(links++ > 0 && { site }) };
  });
  const empty = values.filter((demand) => demand.values.length === 0).length;
  return {
    // A question shows values before names.
    values: [...values, ...namesBesideLink(objectsIn(input), schema, { target, isFree })],
    bits: empty * BITS_OF_KIND + bitsOfForm(input, { schema, isFree, target }),
  };
}

interface Known {
  readonly schema: InputSchema;
  /** Whether what is at a path reaches nobody. */
  readonly isFree: (path: string) => boolean;
  /** Where the links are that the tool opens. */
  readonly target: string | undefined;
}

/** How many bits it says how lists and objects lie, what type the entries of lists have, and in which order objects have the names of the schema. */
function bitsOfForm(value: unknown, known: Known, path = '', isTyped = true): number {
  const { schema, isFree, target } = known;
  if (typeof value !== 'object' || value === null || isFree(path)) return 0;
  const own = isTyped ? 0 : 1;
  if (Array.isArray(value)) {
    const bitsOf = (entry: unknown): number =>
      path === target ? 0 : 1 + bitsOfType(entry, path, schema) + bitsOfForm(entry, known, path);
    return own + sum(value.map(bitsOf));
  }
  const order = new Map([...schema.fields(path).keys()].map((name, nth) => [name, nth]));
  // Other names come last.
  const places = Object.keys(value).map((name) => order.get(name) ?? Infinity);
  const isInOrder = places.every((place, nth) => nth === 0 || (places[nth - 1] ?? 0) <= place);
  const parts = Object.entries(value).map(([name, inner]) => {
    const at = within(path, name);
    return bitsOfForm(inner, known, at, schema.types(at).length > 0);
  });
  return own + sum([...parts, ...(isInOrder ? [] : places.map((_, nth) => Math.log2(nth + 1)))]);
}

/** How many bits it says that an entry is a number or a text, and that a text is a number. Entries of other types say it with their values. */
function bitsOfType(entry: unknown, path: string, schema: InputSchema): number {
  if ((typeof entry !== 'number' && typeof entry !== 'string') || entry === '') return 0;
  if (schema.choices(path, entry) !== undefined) return 0;
  const isText = typeof entry === 'string';
  const isTyped = schema.types(path).some((type) => (type === 'string') === isText && type !== 'array');
  return (isTyped ? 0 : 1) + (isText && isNumber(entry) ? 1 : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

/** The objects of a value, each with its path. Lists leave no trace in it. */
function* objectsIn(
  value: unknown,
  path = '',
): Iterable<{ readonly path: string; readonly names: readonly string[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const entry of value) yield* objectsIn(entry, path);
    return;
  }
  yield { path, names: Object.keys(value) };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, within(path, name));
}

/** What has to be known of the names beside a link. Each is a choice among those of the schema, or among what everybody's tools have. */
function namesBesideLink(
  objects: Iterable<{ readonly path: string; readonly names: readonly string[] }>,
  schema: InputSchema,
  { target, isFree }: Omit<Known, 'schema'>,
): readonly Demand[] {
  const isOnWay = (path: string): boolean => `${target}.`.startsWith(`${path}.`);
  return [...objects].flatMap(({ path: argument, names }) => {
    const all = schema.fields(argument);
    const isOpen = argument === '' && !schema.hasNames;
    // The tool knows where its links are.
    const isLinks = (path: string): boolean =>
      argument === '' && isOnWay(path) && (all.has(path) || isUrlNamed(path));
    const isChoice = (name: string): boolean => {
      const path = within(argument, name);
      return !all.get(name)?.isRequired && !isFree(path) && !isLinks(path);
    };
    const known = [...all.keys()].filter(isChoice);
    const sent = names.filter(isChoice);
    const chosen = sent.filter((name) => all.has(name)).length;
    const bitsOfName = bitsOfChoice(chosen, known.length) / chosen;
    return sent.map((name): Demand => {
      const path = within(argument, name);
      const bits = all.has(name)
        ? bitsOfName
        : isUrlNamed(name) && isOnWay(path)
          ? BITS_OF_URL_NAME
          : isOpen && OPTIONS.has(name)
            ? Math.log2(OPTIONS.size)
            : bitsOf(argument, name, schema);
      return { argument, values: [asWritten(name)], enough: 'said', ...(bits !== undefined && { bits }) };
    });
  });
}

/** How many bits it says which of some are chosen. */
function bitsOfChoice(chosen: number, all: number): number {
  return sum(Array.from({ length: Math.min(chosen, all) }, (_, nth) => Math.log2((all - nth) / (nth + 1))));
}

/** What tools that fetch call their arguments. Each says no more than which of these it is, where no schema is known. */
const OPTIONS: ReadonlySet<string> = new Set(
  `max_length start_index raw format formats headers params method page limit offset id link target timeout prompt`.split(
    ' ',
  ),
);

/** What has to be known of a value beside a link, and how many bits it says where it is not the user's. */
function besideLink({ path: argument, value }: Leaf, schema: InputSchema): Demand {
  if (value === undefined || value === null || value === '') return { argument, values: [] };
  const sent = typeof value === 'number' ? valuesOf(value) : [asWritten(String(value))];
  const bits = bitsOf(argument, value, schema);
  return { argument, values: sent, enough: 'said', ...(bits !== undefined && { bits }) };
}

/** What it says which of `true`, `false`, `null`, `''`, `[]` and `{}` stands somewhere. */
const BITS_OF_KIND = Math.log2(6);

/** How many bits a value says that is one of a few. Undefined for all others. */
function bitsOf(path: string, value: unknown, schema: InputSchema): number | undefined {
  if (typeof value === 'boolean') return schema.types(path).length > 0 ? 1 : BITS_OF_KIND;
  const choices = [
    schema.choices(path, value),
    isNumber(value) ? choicesOfNumber(Number(value)) : undefined,
    COMMON.has(String(value)) ? COMMON.size : undefined,
  ].filter((one) => one !== undefined);
  return choices.length > 0 ? Math.max(1, Math.log2(Math.min(...choices))) : undefined;
}

/** Whether a value is a number, also in a text. */
function isNumber(value: unknown): boolean {
  return Number.isFinite(Number(value)) && String(Number(value)) === String(value);
}

/** How many numbers have as many digits before as many zeros or fewer: 5000 says no more than 5 and 3. */
function choicesOfNumber(value: number): number | undefined {
  // Counting on in a list is one choice of a hundred.
  const most = Number.isInteger(value) && value >= 0 && value < 100 ? 100 : Infinity;
  if (value === 0) return 1;
  const [written = '', zeros = '0'] = value.toExponential().split('e');
  if (Math.abs(Number(zeros)) > MOST_ZEROS) return undefined;
  const digits = written.replace(/\D/g, '').length;
  const signs = (value < 0 ? 2 : 1) * (zeros.startsWith('-') ? 2 : 1);
  return Math.min(most, 9 * 10 ** (digits - 1) * (1 + Math.abs(Number(zeros))) * signs);
}

/** Behind a number, and behind its point. */
const MOST_ZEROS = 6;

/** What the requests of everybody have. Each says no more than which of these it is. */
const COMMON: ReadonlySet<string> = new Set(
  `GET HEAD Accept Accept-Language Content-Type accept content-type */* application/json application/xml text/html text/plain
  text/markdown en en-US utf-8 page per_page page_size limit offset sort order asc desc q json html text markdown raw`.split(
    /\s+/,
  ),
);

/** Whether a value makes a call one that writes, whatever its tool is called. Without a link, `post` may be what to look for. */
function asksToWrite(leaf: Leaf, hasLink: boolean): boolean {
  const { path, value } = leaf;
  if (hasLink && [...path.split('.'), String(value)].some((one) => WRITING_METHOD.test(one))) return true;
  if (isMutation(leaf)) return true;
  return METHODS.has(wordsOf(path).at(-1) ?? '') && wordsOf(String(value)).some(isWritingVerb);
}

/** Names of arguments that say what is done. */
const METHODS = new Set(['method', 'verb', 'operation', 'op', 'action']);
const WRITING_METHOD = /^\s*(?:post|put|patch|delete)\s*$/i;

/** Whether a value is what GraphQL calls an operation that writes. Comments may stand before its bracket. */
export function isMutation({ value }: Leaf): boolean {
  if (typeof value !== 'string') return false;
  const at = value.search(/(?<![\p{L}\p{N}_])mutation(?![\p{L}\p{N}_])/u);
  return at !== -1 && value.includes('{', at);
}
