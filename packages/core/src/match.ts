import { HooksError } from './error.ts';

/** Names of tools: a regular expression as a string (anchored at both ends) or as a RegExp (as it is). */
export type NamePattern = string | RegExp;

/** Which tools a point is narrowed to: by name, or one tool by identity. */
export type ToolMatcher =
  | { readonly kind: 'name'; readonly pattern: NamePattern }
  | { readonly kind: 'tool'; readonly tool: object; readonly name: string | undefined };

/** The names that a user has set for the tools of all frameworks. */
export interface ToolNames {
  /** Other names of a tool: `{ bash: 'exec' }` makes calls of `bash` calls of `exec`. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Names for sets of tools, as a matcher writes them: `{ 'group:fs': ['read', 'write'] }`. */
  readonly groups?: { readonly [group: string]: readonly string[] };
  /** All tools there are: a matcher that meets none of them is an error at registration. */
  readonly knownTools?: readonly string[];
}

/** The canonical name of a tool. */
export function canonicalName(name: string, names: ToolNames): string {
  const aliases = names.aliases;
  return aliases !== undefined && Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/**
 * Compiles a pattern to a test of canonical names; a pattern that meets an alias meets its tool.
 *
 * @throws HooksError `CONFIG_INVALID` where the pattern is no regular expression
 */
export function compileMatcher(pattern: NamePattern, names: ToolNames): (name: string) => boolean {
  if (pattern === '*') return () => true;
  const expression = compileExpression(pattern, names);
  const aliasesOf = new Map<string, string[]>();
  for (const [alias, name] of Object.entries(names.aliases ?? {})) {
    aliasesOf.set(name, [...(aliasesOf.get(name) ?? []), alias]);
  }
  return (name) =>
    expression.test(name) || (aliasesOf.get(name)?.some((alias) => expression.test(alias)) ?? false);
}

function compileExpression(pattern: NamePattern, names: ToolNames): RegExp {
  // A /g or /y expression keeps lastIndex between calls; a copy without those flags does not.
  if (pattern instanceof RegExp) return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  const groups = names.groups ?? {};
  const expanded = pattern.replace(/group:[\w-]+/g, (group) => {
    const members = groups[group];
    if (members === undefined)
      throw new HooksError(
        'CONFIG_INVALID',
        `Tool matcher "${pattern}" names the unknown ${group}; known groups: ${Object.keys(groups).join(', ') || 'none'}.`,
      );
    return `(?:${members.map(escapeName).join('|')})`;
  });
  try {
    return new RegExp(`^(?:${expanded})$`);
  } catch (cause) {
    throw new HooksError(
      'CONFIG_INVALID',
      `Tool matcher "${pattern}" is no regular expression: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function escapeName(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** How a matcher is shown in lists and errors. */
export function describeMatcher(matcher: ToolMatcher): string {
  return matcher.kind === 'name' ? String(matcher.pattern) : (matcher.name ?? '(a tool without a name)');
}

/** The name under which a framework's tool object is known, where it has one. */
export function toolName(tool: object): string | undefined {
  const { name, id } = tool as { readonly name?: unknown; readonly id?: unknown };
  if (typeof name === 'string') return name;
  return typeof id === 'string' ? id : undefined;
}

const ORIGINAL = '~hooks.original';

/** Marks a tool that an adapter made as the hooked copy of another, so that both are the same tool to matchers. */
export function markHooked<T extends object>(copy: T, original: object): T {
  return Object.defineProperty(copy, ORIGINAL, { value: originalTool(original), configurable: true });
}

/** The tool that a hooked copy was made of, or the tool itself. */
export function originalTool(tool: object): object {
  const original: unknown = (tool as { readonly [ORIGINAL]?: unknown })[ORIGINAL];
  return typeof original === 'object' && original !== null ? original : tool;
}

/** Those of `names` that are most like what was written, nearest first, for error messages. */
export function nearestNames(written: string, names: Iterable<string>, most = 3): readonly string[] {
  return [...names]
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
