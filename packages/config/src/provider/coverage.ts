import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
import { allNames, ownNames } from '../protocol/tool-names.ts';
import { toWireTool } from '../protocol/tools.ts';

/** The gaps between a file's matchers and an agent's tools. */
export interface Coverage {
  /** Hooks whose matcher matches no tool: probably a name of another agent, or a typo. */
  readonly unmatched: readonly HookEntry[];
  /** Tools without a hook before their calls. */
  readonly unguarded: readonly string[];
}

/** Compares a file's matchers with an agent's tools. Tool names are translated as for each call. */
export function coverageOf(
  entries: readonly HookEntry[],
  dialect: Dialect,
  tools: readonly string[],
): Coverage {
  const names = tools.map((tool) => toWireTool(dialect.tools, tool, undefined).namesFor(''));
  const meets = (entry: HookEntry, of: readonly string[]): boolean =>
    of.some((name) => isMatched(entry, dialect, name));
  const ofTools = entries.filter((entry) => isOfTools(entry, dialect));
  const before = entries.filter(({ event }) => event === 'before_tool_call');
  return {
    unmatched: ofTools.filter((entry) => !names.some((name) => meets(entry, name))),
    unguarded: tools.filter((_, index) => !before.some((entry) => meets(entry, names[index] ?? []))),
  };
}

/**
 * Why a matcher matches no tool: it names one as another agent does, or in another case. Undefined if it matches one, or names none that
 * is known.
 */
export function whyUnmatched(entry: HookEntry, dialect: Dialect): string | undefined {
  const { matcher } = entry;
  // In our own dialect, a name means the tools of all agents. Claude Code's own names are compared with its list.
  const isTold = dialect.name !== 'hooks' && dialect.name !== 'claude-code';
  if (matcher === undefined || !isTold || !isOfTools(entry, dialect)) return undefined;
  const own = new Set(ownNames(dialect.name));
  const called = allNames().map((name) => ({ name, tool: toWireTool(dialect.tools, name, undefined) }));
  // A tool that only other agents have keeps its name.
  const there = called.flatMap(({ name, tool }) =>
    tool.namesFor(matcher).filter((one) => one !== name || own.has(one)),
  );
  if (there.some((name) => isMatched(entry, dialect, name))) return undefined;
  const meant = called.find(({ name, tool }) => tool.name !== name && isMatched(entry, dialect, name));
  return (
    meant &&
    `the matcher "${matcher}" matches no tool; ${meant.name} is called "${meant.tool.name}" in this file`
  );
}

function isMatched({ matcher, wireEvent }: HookEntry, dialect: Dialect, name: string): boolean {
  const matches = dialect.events[wireEvent]?.matches ?? dialect.matches;
  return matcher === undefined || matches(matcher, name);
}

/** Whether the event tells its hooks the name of a tool, which their matchers then mean. */
function isOfTools({ wireEvent }: HookEntry, dialect: Dialect): boolean {
  const { stdin } = dialect.events[wireEvent] ?? {};
  return stdin !== undefined && ('tool_name' in stdin || 'toolName' in stdin);
}
