import type { ToolEvent } from '@hooks/core';
import { isWritingVerb, opensPages } from './defaults.ts';
import type { Leaf } from './leaves.ts';
import { asWritten, linksIn } from './links.ts';
import type { InputSchema } from './schema.ts';
import type { Demand } from './sinks.ts';
import { valuesOf } from './values/value.ts';
import { wordsOf } from './words.ts';

/** What a tool that only reads sends out. */
interface Request {
  readonly values: readonly Demand[];
  /** How many bits its form says: lists, objects, and empty values. */
  readonly bits: number;
}

/**
 * Reads the arguments of a tool that only reads as a request. It may open links that stand in what was read, whoever chose the
 * server. So whatever stands beside one may be sent there: each value has to be the user's, whatever its argument is called. What
 * the tool's schema lists, switches, and short numbers are counted: together they have to say less than a PIN. Undefined where a
 * tool does not only read: it has no link, and an argument that says that it writes.
 */
export function requestOf(
  { toolName, input }: ToolEvent,
  leaves: readonly Leaf[],
  schema: InputSchema,
): Request | undefined {
  const opens = opensPages(toolName);
  const read = leaves.map((leaf) => ({ ...linksIn(leaf, schema, opens), leaf }));
  const reachesOut = read.some(({ isOpened }) => isOpened);
  const writes = leaves.some((leaf) => asksToWrite(leaf, reachesOut));
  if (writes && !reachesOut) return undefined;
  // The links of one argument are opened, and one in another is sent beside them.
  const target = read.find(({ isWhole }) => isWhole)?.leaf.path;
  const values = read.map(({ leaf, values, isWhole }): Demand => {
    if (reachesOut && !(isWhole && leaf.path === target)) return besideLink(leaf, schema);
    // Nobody knows what a request that writes does at a server.
    return { argument: leaf.path, values, ...(!writes && { enough: 'seen' }) };
  });
  if (!reachesOut) return { values, bits: 0 };
  const wholes = read.filter(({ isWhole }) => isWhole).length;
  const empty = values.filter((demand) => demand.values.length === 0).length;
  // The input itself is an object.
  const containers = (JSON.stringify(input).match(/[[{]/g)?.length ?? 1) - 1;
  return { values, bits: wholes - 1 + empty + containers };
}

/** What has to be known of a value beside a link, and how many bits it says where it is not the user's. */
function besideLink({ path: argument, value }: Leaf, schema: InputSchema): Demand {
  if (value === undefined || value === null || value === '') return { argument, values: [] };
  const sent = typeof value === 'number' ? valuesOf(value) : [asWritten(String(value))];
  const bits = bitsOf(argument, value, schema);
  return { argument, values: sent, enough: 'said', ...(bits !== undefined && { bits }) };
}

/** How many bits a value says that is one of a few. Undefined for all others. */
function bitsOf(path: string, value: unknown, schema: InputSchema): number | undefined {
  if (typeof value === 'boolean') return 1;
  const isNumber = String(Number(value)) === String(value);
  const choices = [
    schema.choices(path, value),
    isNumber ? choicesOfNumber(Number(value)) : undefined,
    COMMON.has(String(value)) ? COMMON.size : undefined,
  ].filter((one) => one !== undefined);
  return choices.length > 0 ? Math.max(1, Math.log2(Math.min(...choices))) : undefined;
}

/** How many numbers have as many digits before as many zeros or fewer: 5000 says no more than 5 and 3. */
function choicesOfNumber(value: number): number {
  if (value === 0) return 1;
  const [written = '', zeros = '0'] = value.toExponential().split('e');
  const digits = written.replace(/\D/g, '').length;
  const signs = (value < 0 ? 2 : 1) * (zeros.startsWith('-') ? 2 : 1);
  return 9 * 10 ** (digits - 1) * (1 + Math.abs(Number(zeros))) * signs;
}

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
