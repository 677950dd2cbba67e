import { found, isEverything, isNameList } from '../matcher.ts';

/** Old names of Claude Code's tools, which its matchers and rules still understand. */
export const CLAUDE_CODE_ALIASES: Readonly<Record<string, string>> = {
  Task: 'Agent',
  KillShell: 'TaskStop',
  KillBash: 'TaskStop',
  ListPeers: 'ListAgents',
  Brief: 'SendUserMessage',
  ListMcpResources: 'ListMcpResourcesTool',
  ReadMcpResource: 'ReadMcpResourceTool',
  ReadMcpResourceDir: 'ReadMcpResourceDirTool',
  ProposeGoal: 'SetGoal',
};

/** Whether two names of Claude Code are of one tool. */
export function isSameTool(one: string, other: unknown): boolean {
  return typeof other === 'string' && currentName(one) === currentName(other);
}

/**
 * Claude Code's matchers. Letters, digits, `_`, `-`, spaces, `,` and `|` alone form a list of names. Anything else is a
 * regular expression that matches anywhere in the name, or in an old name of the tool.
 */
export function namesOrExpression(matcher: string, name: string): boolean {
  if (isEverything(matcher)) return true;
  if (isNameList(matcher)) return matcher.split(/[|,]/).some((one) => isSameTool(one.trim(), name));
  const names = Object.keys(CLAUDE_CODE_ALIASES).filter(
    (old) => CLAUDE_CODE_ALIASES[old] === currentName(name),
  );
  return [name, ...names].some((one) => found(matcher, one));
}

function currentName(name: string): string {
  return (Object.hasOwn(CLAUDE_CODE_ALIASES, name) && CLAUDE_CODE_ALIASES[name]) || name;
}
