import { openclawTools } from '@hooks/core/presets';
import { CLAUDE_CODE_ALIASES } from '../dialects/claude-code/aliases.ts';
import { endsIn } from './servers-in.ts';

/** What a tool does, whatever an agent calls it. */
export type ToolKind =
  | 'shell'
  | 'powershell'
  | 'monitor'
  | 'process'
  | 'processInput'
  | 'processOutput'
  | 'processStop'
  | 'read'
  | 'readMany'
  | 'readImage'
  | 'readNotebook'
  | 'write'
  | 'edit'
  | 'editMany'
  | 'editNotebook'
  | 'patch'
  | 'grep'
  | 'glob'
  | 'list'
  | 'fetch'
  | 'webSearch'
  | 'subagent'
  | 'todo'
  | 'skill';

/** The names of a tool in each agent. */
type Names = Readonly<Record<string, readonly string[]>>;

/** The tools that several agents have, by kind and agent. `others` are frameworks, editors and earlier versions. */
const TOOLS: Readonly<Record<ToolKind, Names>> = {
  shell: {
    'claude-code': ['Bash'],
    codex: ['shell', 'local_shell', 'shell_command', 'exec_command', 'Bash'],
    gemini: ['run_shell_command'],
    cursor: ['Shell', 'run_terminal_cmd'],
    copilot: ['bash', 'powershell'],
    opencode: ['bash'],
    'vs-code': ['run_in_terminal'],
    openclaw: ['exec', 'bash'],
    'docker-agent': ['shell'],
    ai4j: ['bash'],
    others: [
      ...['sh', 'execute_bash', 'execute_command', 'executeCommand', 'run_command', 'runCommand', 'run_bash'],
      'mastra_workspace_execute_command',
    ],
  },
  // Those of Claude Code that run commands, too. It means only one of them by a name.
  powershell: { 'claude-code': ['PowerShell'] },
  monitor: { 'claude-code': ['Monitor'] },
  process: { openclaw: ['process'] },
  processInput: { codex: ['write_stdin'], copilot: ['write_bash', 'write_powershell'] },
  processOutput: { 'claude-code': ['TaskOutput', 'BashOutput'], copilot: ['read_bash', 'read_powershell'] },
  processStop: {
    'claude-code': ['TaskStop', 'KillShell', 'KillBash'],
    copilot: ['stop_bash', 'stop_powershell'],
  },
  read: {
    'claude-code': ['Read'],
    gemini: ['read_file'],
    cursor: ['Read'],
    copilot: ['view'],
    opencode: ['read'],
    'vs-code': ['read_file'],
    openclaw: ['read'],
    'docker-agent': ['read_file'],
    ai4j: ['read_file'],
    others: ['readFile', 'view_file', 'mastra_workspace_read_file'],
  },
  readMany: { gemini: ['read_many_files'], 'docker-agent': ['read_multiple_files'] },
  readImage: { codex: ['view_image'] },
  readNotebook: { 'claude-code': ['NotebookRead'] },
  write: {
    'claude-code': ['Write'],
    gemini: ['write_file'],
    cursor: ['Write'],
    copilot: ['create'],
    opencode: ['write'],
    'vs-code': ['create_file'],
    openclaw: ['write'],
    'docker-agent': ['write_file'],
    ai4j: ['write_file'],
    others: ['writeFile', 'write_to_file', 'mastra_workspace_write_file'],
  },
  edit: {
    'claude-code': ['Edit'],
    gemini: ['replace'],
    copilot: ['edit'],
    opencode: ['edit'],
    'vs-code': ['replace_string_in_file', 'insert_edit_into_file'],
    openclaw: ['edit'],
    'docker-agent': ['edit_file'],
    others: ['editFile', 'str_replace_based_edit_tool', 'mastra_workspace_edit_file'],
  },
  editMany: { 'claude-code': ['MultiEdit'], 'vs-code': ['multi_replace_string_in_file'] },
  editNotebook: {
    'claude-code': ['NotebookEdit'],
    'vs-code': ['edit_notebook_file'],
    others: ['EditNotebook'],
  },
  patch: {
    codex: ['apply_patch'],
    opencode: ['apply_patch'],
    'vs-code': ['apply_patch'],
    openclaw: ['apply_patch', 'apply-patch'],
  },
  grep: {
    'claude-code': ['Grep'],
    codex: ['grep_files'],
    gemini: ['grep_search', 'search_file_content'],
    cursor: ['Grep'],
    copilot: ['grep', 'rg'],
    opencode: ['grep'],
    'vs-code': ['grep_search'],
    'docker-agent': ['search_files_content'],
  },
  glob: {
    'claude-code': ['Glob'],
    gemini: ['glob'],
    copilot: ['glob'],
    opencode: ['glob'],
    'vs-code': ['file_search'],
    others: ['find_files'],
  },
  list: {
    'claude-code': ['LS'],
    codex: ['list_dir'],
    gemini: ['list_directory'],
    cursor: ['LS'],
    'vs-code': ['list_dir'],
    'docker-agent': ['list_directory'],
    others: ['ls', 'list_files', 'mastra_workspace_list_files'],
  },
  fetch: {
    'claude-code': ['WebFetch'],
    gemini: ['web_fetch'],
    cursor: ['WebFetch'],
    copilot: ['web_fetch'],
    opencode: ['webfetch'],
    'vs-code': ['fetch_webpage'],
    openclaw: ['web_fetch'],
    'docker-agent': ['fetch'],
  },
  webSearch: {
    'claude-code': ['WebSearch'],
    codex: ['web_search'],
    gemini: ['google_web_search'],
    cursor: ['WebSearch'],
    copilot: ['web_search'],
    opencode: ['websearch'],
    openclaw: ['web_search'],
  },
  subagent: {
    'claude-code': ['Agent', 'Task'],
    codex: ['spawn_agent'],
    cursor: ['Task'],
    copilot: ['task'],
    opencode: ['task'],
    'vs-code': ['runSubagent'],
    openclaw: ['sessions_spawn'],
  },
  todo: {
    'claude-code': ['TodoWrite'],
    codex: ['update_plan'],
    gemini: ['write_todos'],
    opencode: ['todowrite'],
  },
  skill: { 'claude-code': ['Skill'], gemini: ['activate_skill'], copilot: ['skill'], opencode: ['skill'] },
};

/** What a rule about a tool also means in an agent that has another tool for a part of it, or one for all of it. */
const COVERS: Readonly<Partial<Record<ToolKind, readonly ToolKind[]>>> = {
  shell: ['powershell', 'monitor'],
  process: ['processInput', 'processOutput', 'processStop'],
  processInput: ['process'],
  processOutput: ['process'],
  processStop: ['process'],
  read: ['readMany', 'readImage', 'readNotebook'],
  readMany: ['read'],
  write: ['patch'],
  edit: ['patch', 'editMany', 'editNotebook'],
  editMany: ['edit', 'patch'],
  patch: ['write', 'edit', 'editMany', 'editNotebook'],
};

/**
 * Names that tools of a program may have for other reasons, and the argument without which a call is of such a tool. Where a
 * rule allows, or a call is translated, the name alone is not enough.
 */
const GENERIC: Readonly<Record<string, string>> = {
  create: 'path',
  view: 'path',
  replace: 'file_path',
  fetch: 'url',
  task: 'prompt',
};

/** The words of matchers that mean all tools of a purpose. A rule that allows such a word does not allow `more`. */
const FAMILIES: Readonly<
  Record<string, { readonly kinds: readonly ToolKind[]; readonly more?: readonly string[] }>
> = {
  shell: {
    kinds: ['shell'],
    more: ['PowerShell', 'Monitor', 'write_stdin', 'write_bash', 'write_powershell'],
  },
  read: { kinds: ['read', 'readMany', 'readImage', 'readNotebook'] },
  write: { kinds: ['write', 'patch'] },
  edit: { kinds: ['edit', 'editMany', 'editNotebook', 'patch'] },
  search: { kinds: ['grep', 'glob', 'list'], more: ['search'] },
  fetch: { kinds: ['fetch', 'webSearch'] },
  mcp: { kinds: [], more: ['mcp', 'mcp__.+', 'mcp:.+', 'MCP:.+', 'mcp_.+'] },
};

/** The kind of a tool by its name, in any agent. Without an input, by its name alone. */
export function kindOf(name: string, input?: unknown): ToolKind | undefined {
  const argument = Object.hasOwn(GENERIC, name) ? GENERIC[name] : undefined;
  if (argument !== undefined && input !== undefined && !Object.hasOwn(Object(input), argument))
    return undefined;
  return KINDS.find((kind) => namesIn(kind).has(name));
}

/** The kinds of tools whose rules also mean a tool of this kind. */
export function coveringKinds(kind: ToolKind): readonly ToolKind[] {
  return KINDS.filter((one) => COVERS[one]?.includes(kind));
}

/**
 * Whether a rule that allows this name also allows that of another agent. It means no tool that does more (`apply_patch` for
 * `Write`), and no name that a tool may have for other reasons.
 */
export function isAllowedBy(rule: string, name: string): boolean {
  if (rule === name) return true;
  if (Object.hasOwn(GENERIC, name)) return false;
  if (isGroup(rule)) return membersOf(rule).some((member) => isAllowedBy(member, name));
  // A patch may write, edit, move and delete, so none of these words alone allows it.
  const kinds = Object.hasOwn(FAMILIES, rule)
    ? (FAMILIES[rule]?.kinds ?? []).filter((kind) => kind !== 'patch')
    : kindsNamed(rule);
  return kinds.some((kind) => namesIn(kind).has(name)) || aliasesOf(rule).includes(name);
}

/** The names that a rule which allows this name also allows. */
export function allowedBy(name: string): ReadonlySet<string> {
  const others = KINDS.flatMap((kind) => [...namesIn(kind)]);
  const own = isGroup(name) ? membersOf(name) : [name];
  return new Set([...own, ...others.filter((other) => isAllowedBy(name, other)), ...aliasesOf(name)]);
}

/** The names that a rule about this name means, in all agents. A name that no agent has means itself. */
export function meantBy(name: string): ReadonlySet<string> {
  const known = meant.get(name) ?? new Set(meaningOf(name));
  meant.set(name, known);
  return known;
}

const meant = new Map<string, ReadonlySet<string>>();

/** The names in each agent, and where an agent has no such tool, those of its tools that do the same among others. */
function meaningOf(name: string): readonly string[] {
  if (isGroup(name)) return membersOf(name).flatMap((member) => [...meantBy(member)]);
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
  if (family) return [...family.kinds.flatMap((kind) => [...namesIn(kind)]), ...(family.more ?? [])];
  const kinds = kindsNamed(name);
  const owners = AGENTS.filter((agent) => kinds.some((kind) => inAgent(kind, agent).includes(name)));
  const elsewhere = AGENTS.filter((agent) => !owners.includes(agent)).flatMap((agent) =>
    kinds.flatMap((kind) => [kind, ...(COVERS[kind] ?? [])]).flatMap((kind) => inAgent(kind, agent)),
  );
  // An agent that has this name means one tool by it, whatever other agents call its others.
  const others = KINDS.filter((kind) => !kinds.includes(kind)).flatMap((kind) =>
    owners.flatMap((agent) => inAgent(kind, agent)),
  );
  const own = owners.flatMap((agent) => kinds.flatMap((kind) => inAgent(kind, agent)));
  return [name, ...own, ...elsewhere.filter((one) => !others.includes(one)), ...aliasesOf(name)];
}

function kindsNamed(name: string): readonly ToolKind[] {
  return KINDS.filter((kind) => namesIn(kind).has(name));
}

function inAgent(kind: ToolKind, agent: string): readonly string[] {
  return TOOLS[kind][agent] ?? [];
}

/** Claude Code's names of the same tool in other versions. */
function aliasesOf(name: string): readonly string[] {
  const current = CLAUDE_CODE_ALIASES[name] ?? name;
  const old = Object.keys(CLAUDE_CODE_ALIASES).filter((one) => CLAUDE_CODE_ALIASES[one] === current);
  return old.length === 0 ? [] : [current, ...old];
}

function isGroup(name: string): boolean {
  return name.startsWith('group:');
}

/** @throws Error if OpenClaw has no such group, because the rule would mean no tool */
function membersOf(group: string): readonly string[] {
  const { groups } = openclawTools;
  const members = Object.hasOwn(groups, group) ? groups[group] : undefined;
  if (members) return members;
  throw new SyntaxError(`unknown group of tools; expected one of: ${Object.keys(groups).join(', ')}`);
}

/** The names of all tools that several agents have. */
export function allNames(): readonly string[] {
  return [...new Set(KINDS.flatMap((kind) => [...namesIn(kind)]))];
}

/** The names of an agent's own tools. */
export function ownNames(agent: string): readonly string[] {
  return KINDS.flatMap((kind) => inAgent(kind, agent));
}

const KINDS = Object.keys(TOOLS) as ToolKind[];

const AGENTS: readonly string[] = [...new Set(KINDS.flatMap((kind) => Object.keys(TOOLS[kind])))];

const byKind = new Map<ToolKind, ReadonlySet<string>>();

/** All names of a tool. */
function namesIn(kind: ToolKind): ReadonlySet<string> {
  const names = byKind.get(kind) ?? new Set(Object.values(TOOLS[kind]).flat());
  byKind.set(kind, names);
  return names;
}

/**
 * Puts into a matcher, for each tool that it names, the names of that tool in every agent: `shell|pay` also matches `Bash`, and
 * `group:fs` the tools of OpenClaw's group. Names only count as the whole matcher or as one of its alternatives: in
 * `^(?!Read$)`, more names would match less.
 *
 * @param meanings the names that a name means: `meantBy`, or where the matcher allows tools, `allowedBy`
 * @throws SyntaxError if it names an unknown group
 */
export function expandNames(pattern: string, meanings: Meanings = meantBy): string {
  // Go writes flags in front: `(?i)shell`.
  const [flags = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  return flags + expandIn({ pattern, ends: endsIn(pattern), meanings }, flags.length, pattern.length);
}

type Meanings = (name: string) => ReadonlySet<string>;

interface Expanded {
  readonly pattern: string;
  /** See `endsIn`. */
  readonly ends: ReadonlyMap<number, number>;
  readonly meanings: Meanings;
}

/** Expands the names in a part of a pattern that is a list of alternatives. */
function expandIn(expanded: Expanded, from: number, to: number): string {
  const { pattern, ends } = expanded;
  const parts: string[] = [];
  let start = from;
  for (let at = from; at <= to; at = ends.get(at) ?? at + 1) {
    if (at < to && pattern[at] !== '|') continue;
    parts.push(expandOne(expanded, start, at));
    start = at + 1;
  }
  return parts.join('|');
}

/** Expands an alternative if it is a name, or a group around alternatives. */
function expandOne(expanded: Expanded, from: number, to: number): string {
  const { pattern, ends, meanings } = expanded;
  const text = pattern.slice(from, to);
  const [, head = '', body = '', tail = ''] = /^(\^?)(.*?)(\$?)$/s.exec(text) ?? [];
  if (/^(?:group:)?[\w-]+$/.test(body)) return `${head}${namesOf(body, meanings)}${tail}`;
  const [open] = /^\((?:\?(?::|<\w+>|[ims-]+:))?(?!\?)/.exec(body) ?? [];
  if (open === undefined || ends.get(from + head.length) !== to - tail.length) return text;
  const inner = expandIn(expanded, from + head.length + open.length, to - tail.length - 1);
  return `${head}${open}${inner})${tail}`;
}

function namesOf(name: string, meanings: Meanings): string {
  const names = [...meanings(name)];
  return names.length === 1 && names[0] === name ? name : `(?:${names.join('|')})`;
}
