import { AfterToolCall, createHooks, proceed } from '@hooks/core';
import { destroys, looksReadOnly } from './defaults.ts';
import type { FlowOptions } from './options.ts';
import type { Sink } from './sinks.ts';
import type { Source } from './sources.ts';
import { wordsOf } from './words.ts';

/** What is doubtful in a policy. */
export interface FlowAdvice {
  /** Where: `sources.get_transactions`. */
  readonly at: string;
  readonly message: string;
}

/** A tool, as far as {@link lintFlow} reads it. */
export interface LintedTool {
  readonly name: string;
  /** The JSON schema of the input. */
  readonly inputSchema?: object;
}

/**
 * Reads a policy and says what is doubtful in it: a trusted tool that returns what others wrote, a tool that writes and is
 * trusted to say what it did, a tool that destroys and that no sink names. With tools, also patterns that match none of them, and
 * arguments that they do not have.
 *
 * @example
 * ```ts
 * lintFlow({ sources: { get_transactions: 'trusted' } });
 * // [{ at: 'sources.get_transactions', message: 'get_transactions is trusted, and its name says that it returns …' }]
 * ```
 */
export function lintFlow(
  { sources = {}, sinks }: Pick<FlowOptions, 'sources' | 'sinks'>,
  tools: readonly LintedTool[] = [],
): readonly FlowAdvice[] {
  const advice: FlowAdvice[] = [];
  for (const [pattern, source] of Object.entries(sources)) {
    const at = `sources.${pattern}`;
    for (const name of namesOf(pattern, tools)) advice.push(...ofSource(at, name, source));
    if (matches(pattern, tools).length === 0 && tools.length > 0)
      advice.push({ at, message: `${pattern} matches no tool` });
  }
  for (const [pattern, sink] of Object.entries(sinks ?? {})) {
    const at = `sinks.${pattern}`;
    const found = matches(pattern, tools);
    if (found.length === 0 && tools.length > 0) advice.push({ at, message: `${pattern} matches no tool` });
    for (const tool of found) advice.push(...ofSink(at, tool, sink));
  }
  if (sinks !== undefined)
    for (const tool of tools) {
      if (Object.keys(sinks).some((pattern) => matches(pattern, [tool]).length > 0)) continue;
      if (destroys(tool.name))
        advice.push({
          at: 'sinks',
          message: `${tool.name} takes something away, and no sink names it; add "${tool.name}": "untouched"`,
        });
      else if (!looksReadOnly(tool.name))
        advice.push({ at: 'sinks', message: `${tool.name} does not only read, and no sink names it` });
    }
  return advice;
}

/** Words of tools and fields whose texts others write. */
const OTHERS = new Set(
  `transaction transactions message messages mail mails email emails inbox thread threads issue issues comment comments pull pr
  page pages webpage web website url search file files document documents doc docs note notes event events calendar review reviews
  post posts feed ticket tickets chat channel channels drive invoice invoices history log logs`.split(/\s+/),
);
const FREE_TEXT = new Set(
  'body text content contents message subject title description note notes comment comments summary name bio'.split(
    ' ',
  ),
);

function ofSource(at: string, name: string, source: Source): readonly FlowAdvice[] {
  if (typeof source === 'function' || source === 'untrusted') return [];
  const writes = looksReadOnly(name)
    ? []
    : [
        {
          at,
          message: `${name} does not only read: what it returns may repeat what others wrote and the agent passed on; name fields that the service sets, such as ["id"]`,
        },
      ];
  if (source === 'trusted') {
    const word = wordsOf(name).find((one) => OTHERS.has(one));
    if (word === undefined || writes.length > 0) return writes;
    return [
      {
        at,
        message: `${name} is trusted, and its name says that it returns text that others wrote ("${word}"); name fields: { trusted: ["id"] }`,
      },
    ];
  }
  const free = source.trusted.filter((path) => FREE_TEXT.has(wordsOf(path).at(-1) ?? ''));
  return [
    ...writes,
    ...free.map((path) => ({
      at,
      message: `the field "${path}" is trusted, and may be free text that others wrote`,
    })),
  ];
}

function ofSink(at: string, { name, inputSchema }: LintedTool, sink: Sink): readonly FlowAdvice[] {
  if (sink === 'untouched' || inputSchema === undefined) return [];
  const { from = [], below = [], text = [] } = sink;
  return [...from, ...below, ...text]
    .filter((path) => path !== '*' && !has(inputSchema, path.split('.')))
    .map((path) => ({ at, message: `${name} has no argument "${path}"` }));
}

/** Whether a JSON schema may have something at a path. What it does not say is possible. */
function has(schema: unknown, [field, ...rest]: readonly string[]): boolean {
  if (field === undefined || typeof schema !== 'object' || schema === null) return true;
  const { properties, items, anyOf, oneOf, allOf, $ref, additionalProperties } = schema as {
    readonly [keyword: string]: unknown;
  };
  const any = [anyOf, oneOf, allOf].flatMap((all) => (Array.isArray(all) ? all : []));
  if (any.some((one) => has(one, [field, ...rest]))) return true;
  if (items !== undefined) return has(items, [field, ...rest]);
  if (typeof properties === 'object' && properties !== null)
    return Object.hasOwn(properties, field)
      ? has(Reflect.get(properties, field), rest)
      : typeof additionalProperties === 'object';
  return $ref !== undefined || any.length === 0;
}

/** The tools that a pattern matches, or the names that are written out in it. */
function namesOf(pattern: string, tools: readonly LintedTool[]): readonly string[] {
  const found = matches(pattern, tools).map(({ name }) => name);
  return tools.length > 0 ? found : pattern.split('|').map((name) => name.replace(/\.\*$/, ''));
}

function matches(pattern: string, tools: readonly LintedTool[]): readonly LintedTool[] {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.on(AfterToolCall.matching(pattern), () => proceed());
  return tools.filter(({ name }) => hooks.get(AfterToolCall, name).length > 0);
}
