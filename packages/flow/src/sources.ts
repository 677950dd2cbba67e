import { at, leavesOf } from './leaves.ts';

/** Who wrote a result. */
export type Trust = 'trusted' | 'untrusted';

/** What a tool returned, as its labels are read from it. */
export interface SourceResult {
  readonly toolName: string;
  /** As hooks left it. */
  readonly output: unknown;
}

/**
 * Who writes what a tool returns:
 *
 * - `trusted`: nobody but you, the user, or a service that you trust.
 * - `{ trusted: ['id', 'owner.name'] }`: only these fields, in each entry of a list. Others wrote the rest.
 * - a function such as {@link ifcLabels}, which reads it from the result.
 * - `untrusted`: others. The same as not to name the tool.
 */
export type Source<Path extends string = string> =
  | Trust
  | { readonly trusted: readonly Path[] }
  | ((result: SourceResult) => Trust | { readonly trusted: readonly string[] });

/** A result in its parts. */
export interface ResultParts {
  readonly trusted: readonly string[];
  readonly untrusted: readonly string[];
}

/**
 * Reads the label that an MCP server gives a result: `_meta.ifc.integrity`, as GitHub's server does. Name servers whose
 * labels you trust: `{ 'mcp__github__.*': ifcLabels }`. A result without a label is untrusted. A label counts only where
 * the adapter hands on the whole result of the server.
 */
export function ifcLabels({ output }: SourceResult): Trust {
  // The whole result of a server, and not data that a stranger may have written.
  if (!Array.isArray(field(output, 'content'))) return 'untrusted';
  const labels = field(field(output, '_meta'), 'ifc');
  return field(labels, 'integrity') === 'trusted' ? 'trusted' : 'untrusted';
}

/** Takes a result apart by the labels of all sources that match. Where they differ, the least trust counts. */
export function partsOf(result: SourceResult, sources: readonly Source[]): ResultParts {
  const { output } = result;
  // An error may quote anything, also where a framework hands on the server's result as it is.
  const parsed = sources.length === 0 ? undefined : parsedJson(output);
  if (sources.length === 0 || saysError(parsed)) return { trusted: [], untrusted: textsOf(output) };
  const labels = sources.map((source) => (typeof source === 'function' ? source(result) : source));
  if (labels.includes('untrusted')) return { trusted: [], untrusted: textsOf(output) };
  const named = labels.flatMap((label) => (typeof label === 'object' ? [label.trusted] : []));
  if (named.length === 0) return { trusted: textsOf(dataOf(output, parsed)), untrusted: [] };
  const [first = [], ...others] = named;
  const fields = first.filter((path) => others.every((paths) => paths.includes(path)));
  const data = unwrapped(dataOf(output, parsed));
  const trusted = fields.flatMap((path) => at(data, path, 'nowhere')).flatMap(({ value }) => textsOf(value));
  // The rest is not told apart: the whole is what others may have written.
  return { trusted, untrusted: textsOf(output) };
}

/** Whether a result says that it is a failure, in the form of a framework or a protocol, also as a text or in what is put around it. */
function saysError(data: unknown, depth = 0): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (isFailure(data)) return true;
  const inner = Array.isArray(data)
    ? data.length === 1
      ? data
      : []
    : [...WRAPPERS.map((name) => field(data, name)), ...listed(field(data, 'messages'))];
  return depth < DEEPEST_WRAPPER && inner.some((one) => saysError(parsedJson(one), depth + 1));
}

/** What a tool may catch and return, and the forms of MCP and Anthropic, Mastra, LangChain, and the AI SDK. */
function isFailure(data: unknown): boolean {
  return (
    data instanceof Error ||
    (field(data, 'jsonrpc') !== undefined && field(data, 'error') !== undefined) ||
    ['isError', 'is_error', 'error'].some((mark) => field(data, mark) === true) ||
    (field(data, 'status') === 'error' && field(data, 'content') !== undefined) ||
    (/^error-/.test(String(field(data, 'type'))) && field(data, 'value') !== undefined) ||
    field(data, 'type') === 'tool-error' ||
    field(data, 'state') === 'output-error'
  );
}

const WRAPPERS = ['result', 'output', 'value', 'kwargs', 'update', 'toolResult'];
const DEEPEST_WRAPPER = 4;

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a result says nothing but that the call has been made. */
export function isEmpty({ trusted, untrusted }: ResultParts): boolean {
  return [...trusted, ...untrusted].every((text) => ACKNOWLEDGED.test(text));
}

/** A text that says nothing but that the call has been made. */
export const ACKNOWLEDGED: RegExp = /^\s*(?:(?:ok|okay|done|success|true)[.!]?)?\s*$/i;

/** All texts, numbers and names of fields in a value, in the order in which they are read. Not the names that `isName` knows. */
export function textsOf(value: unknown, isName: (field: string) => boolean = () => false): readonly string[] {
  const texts: string[] = [];
  for (const leaf of leavesOf(value, '', isName)) {
    if (leaf.value === undefined || leaf.value === null) continue;
    texts.push(leaf.value instanceof Date ? leaf.value.toISOString() : String(leaf.value));
  }
  return texts;
}

/** The data of a result: that of a server's result, or of JSON in a text. */
function dataOf(output: unknown, parsed: unknown): unknown {
  if (typeof output === 'string') return parsed;
  const structured = field(output, 'structuredContent');
  const content = field(output, 'content') ?? output;
  if (structured !== undefined && Array.isArray(content)) return structured;
  if (!Array.isArray(content) || !content.every(isTextPart)) return parsedJson(output);
  const texts = content.map((part) => field(part, 'text'));
  // Of several, a stranger may have written one: it is a text, whatever it looks like.
  return texts.length === 1 ? parsedJson(texts[0]) : texts;
}

function isTextPart(part: unknown): boolean {
  return field(part, 'type') === 'text' && typeof field(part, 'text') === 'string';
}

/** The value of a text that is JSON. All others are as they are. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Servers put a list into an object with one field, since a structured result is an object. */
function unwrapped(data: unknown): unknown {
  const result = field(data, 'result');
  return result !== undefined && Object.keys(Object(data)).length === 1 ? result : data;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
