import { fail } from './error.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { StandardSchema } from './schema.ts';

/**
 * Tool names: a regular expression as a string, which must match the whole name, or a RegExp, which is used as it is. The
 * time of a match is linear in the length of the name, so backreferences, the flag `v` and flags of groups are refused.
 */
export type NamePattern = string | RegExp;

/** Which tools a point is limited to: by name, or one tool by identity. */
export interface ToolMatcher {
  readonly pattern?: NamePattern;
  readonly tool?: object;
  /** The name of `tool`, if it has one. */
  readonly name?: string | undefined;
  /** The schema that the input must fit. */
  readonly schema?: StandardSchema | undefined;
  /**
   * Marks a hook that allows these tools and refuses all others. Who adds the names of other agents to the pattern, as `hooks run`
   * does, must not add a tool that can do more.
   */
  readonly allows?: true;
  /** Further names of the tool of this name. The pattern also matches a tool by one of them. */
  readonly otherNames?: (name: string) => readonly string[];
}

/** Names of tools, for all frameworks. */
export interface ToolNames {
  /** Other names of a tool: with `{ bash: 'exec' }`, a call of `bash` is a call of `exec`. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Names for sets of tools, as a matcher writes them: `{ 'group:fs': ['read', 'write'] }`. */
  readonly groups?: { readonly [group: string]: readonly string[] };
  /** All tools that exist. A matcher that matches none of them is an error at registration. */
  readonly knownTools?: readonly string[];
}

/** The canonical name of a tool. */
export function canonicalName(name: string, { aliases = {} }: ToolNames): string {
  return (Object.hasOwn(aliases, name) && aliases[name]) || name;
}

/** All names of that tool: the given one, the canonical one, and the aliases. */
export function namesOf(name: string, names: ToolNames): readonly string[] {
  const canonical = canonicalName(name, names);
  const aliases = Object.entries(names.aliases ?? {}).filter(([, of]) => of === canonical);
  return [name, canonical, ...aliases.map(([alias]) => alias)];
}

/** Whether a name matches. Without a name, only a test that matches everything does. */
export type NameTest = (name: string | undefined) => boolean;

/**
 * Compiles a pattern to a test of canonical names. A pattern that matches an alias matches its tool. No pattern matches
 * everything, `*` every name.
 *
 * @throws HooksError `CONFIG_INVALID` if the pattern is not a regular expression, is one that is refused, or empty
 */
export function compileMatcher(pattern: NamePattern | undefined, names: ToolNames): NameTest {
  if (pattern === undefined) return () => true;
  if (pattern === '*') return (name) => name !== undefined;
  if (pattern === '') fail('CONFIG_INVALID', 'Matcher "" matches no tool; write "*" for all');
  const aliases = Object.entries(names.aliases ?? {});
  // Most patterns are names, and a registry may have thousands.
  if (typeof pattern === 'string' && NAMES.test(pattern)) {
    const written = new Set(pattern.split('|'));
    const met = new Set([...written, ...aliases.flatMap(([alias, of]) => (written.has(alias) ? of : []))]);
    return (name) => name !== undefined && met.has(name);
  }
  const expression = compileLinear(compileExpression(pattern, names));
  const prefix = prefixOf(pattern);
  const matches = (name: string): boolean => name.startsWith(prefix) && expression(name);
  // A hook is asked again and again about the same agent.
  let last: string | undefined;
  let met = false;
  return (name) => {
    if (name !== last)
      met =
        name !== undefined && (matches(name) || aliases.some(([alias, of]) => of === name && matches(alias)));
    last = name;
    return met;
  };
}

/** Names, which match themselves. */
const NAMES = /^[\w-]+(?:\|[\w-]+)*$/;

/** What a name begins with that matches. Comparing it costs a hundredth of following the expression. */
function prefixOf(pattern: NamePattern): string {
  if (typeof pattern !== 'string' || /\||group:/.test(pattern)) return '';
  const [written = ''] = /^[\w-]*/.exec(pattern) ?? [];
  return /^[*+?{]/.test(pattern.slice(written.length)) ? written.slice(0, -1) : written;
}

function compileLinear(expression: RegExp): Pattern {
  try {
    return compilePattern(expression);
  } catch (cause) {
    const what = cause instanceof SyntaxError ? cause.message : 'too many groups in each other';
    return fail(
      'CONFIG_INVALID',
      `Matcher ${expression} has ${what}, which cannot be matched in linear time; write the names out, or decide in the handler`,
      { cause },
    );
  }
}

/** Also one of another realm. */
function isExpression(pattern: unknown): pattern is RegExp {
  return Object.prototype.toString.call(pattern) === '[object RegExp]';
}

function compileExpression(pattern: NamePattern, { groups = {} }: ToolNames): RegExp {
  if (isExpression(pattern)) return pattern;
  if (typeof pattern !== 'string') fail('CONFIG_INVALID', 'A matcher must be a text or a regular expression');
  const expanded = pattern.replace(/group:[\w-]+/g, (group) => {
    const members =
      groups[group] ??
      fail(
        'CONFIG_INVALID',
        `Matcher "${pattern}": ${group} is not a known group; known groups: ${Object.keys(groups)}`,
      );
    return `(?:${members.map((name) => name.replace(/\W/g, '\\$&')).join('|')})`;
  });
  try {
    // A server may name a tool in two lines, too.
    return new RegExp(`^(?:${expanded})$`, 's');
  } catch (cause) {
    return fail('CONFIG_INVALID', `Matcher "${pattern}" is not a valid regular expression`, { cause });
  }
}

/** The name of a framework's tool object, if it has one. */
export function toolName(tool: object): string | undefined {
  const { name, id } = tool as { readonly name?: unknown; readonly id?: unknown };
  return [name, id].find((known) => typeof known === 'string');
}

const ORIGINAL = '~hooks.original';

/** Marks a tool as the hooked copy of another, so that matchers treat both as the same tool. */
export function markHooked<T extends object>(copy: T, original: object): T {
  return Object.defineProperty(copy, ORIGINAL, { value: originalTool(original), configurable: true });
}

/** The original of a hooked copy, or the tool itself. */
export function originalTool(tool: object): object {
  return (tool as { readonly [ORIGINAL]?: object })[ORIGINAL] ?? tool;
}
