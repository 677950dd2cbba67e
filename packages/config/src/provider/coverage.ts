import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
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
  const meets = ({ matcher }: HookEntry, of: readonly string[]): boolean =>
    matcher === undefined || of.some((name) => dialect.matches(matcher, name));
  const ofTools = entries.filter(
    ({ wireEvent }) => dialect.events[wireEvent]?.stdin['tool_name'] !== undefined,
  );
  const before = entries.filter(({ event }) => event === 'before_tool_call');
  return {
    unmatched: ofTools.filter((entry) => !names.some((name) => meets(entry, name))),
    unguarded: tools.filter((_, index) => !before.some((entry) => meets(entry, names[index] ?? []))),
  };
}
