import type { ToolDescriptor } from '@hooks/core';
import { serversIn } from './servers-in.ts';
import { coveringKinds, kindOf, type ToolKind } from './tool-names.ts';

/** A dialect's names of a kind of tools and its arguments. */
interface ToolName {
  readonly name: string;
  /** The argument (`command`, `path`, …) to the dialect's field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A dialect's names of the kinds of tools, and its form of MCP tool names. */
export interface ToolVocabulary {
  readonly families: Readonly<Partial<Record<ToolKind, ToolName>>>;
  readonly mcp: (server: string, tool: string) => string;
  /** Tools keep their names on the wire; matchers match these and the form above. */
  readonly keepsNames?: boolean;
}

/** Translates a tool call into a dialect's words and back. */
export interface WireTool {
  readonly name: string;
  /** All names that a pattern may mean: `name`, and for a tool of an MCP server its own. */
  readonly namesFor: (pattern: string) => readonly string[];
  readonly input: unknown;
  /** Translates the dialect's name and arguments into those of the agent's own tool. */
  readonly inputBack: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly nameBack: (name: string) => string;
}

/** The names that agents give the arguments of a kind of tools. */
type Fields = Readonly<Record<string, readonly string[]>>;

const pathFields = ['path', 'file_path', 'filePath', 'absolute_path'] as const;

const url: Fields = { url: ['url'] };

const command: Fields = { command: ['command', 'cmd'] };

/** Only names are translated: an argument of another shape is left unchanged. */
const FIELDS: Readonly<Partial<Record<ToolKind, Fields>>> = {
  shell: {
    ...command,
    cwd: ['cwd', 'workdir', 'working_dir', 'working_directory', 'dir_path'],
  },
  powershell: command,
  monitor: command,
  read: { path: pathFields },
  readMany: { path: [...pathFields, 'paths', 'include'] },
  readImage: { path: pathFields },
  readNotebook: { path: [...pathFields, 'notebook_path'] },
  write: { path: pathFields, content: ['content', 'file_text'] },
  edit: {
    path: pathFields,
    old: ['old_string', 'oldText', 'old_text', 'oldString', 'old_str'],
    new: ['new_string', 'newText', 'new_text', 'newString', 'new_str'],
  },
  editMany: { path: pathFields },
  editNotebook: { path: [...pathFields, 'notebook_path'] },
  patch: { path: pathFields },
  grep: { path: ['path', 'dir', 'dir_path'] },
  glob: { path: ['path', 'dir', 'dir_path'] },
  list: { path: ['path', 'dir', 'dir_path'] },
  fetch: url,
};

/** The names that an argument of this name has in other agents' tools of the kind. */
export function fieldsLike(kind: ToolKind, name: string): readonly string[] {
  const all = Object.values(FIELDS[kind] ?? {});
  // A rule may name the argument as in a tool of another kind: `Write:file_path=…` means `apply_patch`, too.
  const known =
    all.find((names) => names.includes(name)) ?? (isPath(name) ? FIELDS[kind]?.['path'] : undefined);
  return known?.includes(name) ? known : [name, ...(known ?? [])];
}

/** Whether an argument of this name is the path of some tool. */
export function isPath(name: string): boolean {
  return Object.values(FIELDS).some(({ path }) => path?.includes(name));
}

/**
 * The call in the dialect's words. A tool of no known kind keeps its name. Whether a tool is an MCP server's, and whose,
 * is what its adapter says about it; its name tells only where no adapter does.
 */
export function toWireTool(
  vocabulary: ToolVocabulary,
  name: string,
  input: unknown,
  about?: Pick<ToolDescriptor, 'kind' | 'server'>,
): WireTool {
  const mcp = mcpParts(name);
  if (mcp) {
    const wire = vocabulary.mcp(mcp.server, mcp.tool);
    return { ...unchanged(name, input), name: wire, namesFor: () => [wire] };
  }
  const wire = ofKind(vocabulary, name, input);
  if (about?.kind !== 'mcp') return wire;
  const { server = UNNAMED } = about;
  const ofServer = vocabulary.mcp(server, withoutServer(name, server));
  const own = [ofServer, wire.name, name];
  return {
    ...wire,
    name: vocabulary.keepsNames ? name : ofServer,
    // A tool whose server has no name may be of any server that a pattern names.
    namesFor: (pattern) =>
      about.server === undefined
        ? [...own, ...mayBeOf(pattern, name).map((one) => vocabulary.mcp(one, withoutServer(name, one)))]
        : own,
    nameBack: (changed) => (changed === ofServer ? name : wire.nameBack(changed)),
  };
}

/** The servers that a pattern names, and those whose names a tool's name may begin with. */
function mayBeOf(pattern: string, name: string): readonly string[] {
  if (pattern === '') return [];
  const own = name.replace(/^mcp_/, '');
  const begins = [...own.matchAll(/[_-]/g)].map(({ index }) => own.slice(0, index));
  return [...new Set([...serversIn(pattern), ...begins])].filter((server) => server !== '');
}

/** The forms of names in Claude Code, docker-agent and Gemini CLI. */
const MCP_FORMS: readonly ToolVocabulary['mcp'][] = [
  (server, tool) => `mcp__${server}__${tool}`,
  (server, tool) => `mcp:${server}:${tool}`,
  (server, tool) => `mcp_${server}_${tool}`,
];

/**
 * What agents call the tool of an MCP server, and for a rule that restricts, `mcp`. A tool whose server has no name is allowed by
 * no server's name.
 */
export function mcpNamesOf(
  name: string,
  about: Pick<ToolDescriptor, 'kind' | 'server'> | undefined,
  rule: string,
  does: 'allow' | 'restrict',
): readonly string[] {
  const names = MCP_FORMS.flatMap((mcp) => {
    const wire = toWireTool({ families: {}, mcp }, name, undefined, about);
    return wire.name === name ? [] : wire.namesFor(does === 'allow' ? '' : rule);
  });
  const isOfServer = about?.kind === 'mcp' || names.length > 0;
  return [...names, ...(does === 'restrict' && isOfServer ? ['mcp'] : [])];
}

/** Stands for the name of an MCP server that the framework does not tell. */
const UNNAMED = 'unnamed';

/** Programs put the server's name in front in several ways: `github_get`, `github__get`, `mcp_github_get`; Cursor only `MCP:`. */
function withoutServer(name: string, server: string): string {
  const [prefix] = ['MCP:', `mcp_${server}_`, `${server}_`, `${server}-`].filter((one) =>
    name.startsWith(one),
  );
  const rest = prefix === undefined ? name : name.slice(prefix.length).replace(/^_/, '');
  return rest === '' ? name : rest;
}

function ofKind(vocabulary: ToolVocabulary, name: string, input: unknown): WireTool {
  const kind = kindOf(name, input);
  if (kind === undefined) return unchanged(name, input);
  const theirs = vocabulary.families[kind];
  if (!theirs) return ofCovering(vocabulary, kind, unchanged(name, input));

  const there = renames(FIELDS[kind] ?? {}, theirs, input);
  const back = Object.fromEntries(Object.entries(there).map(([from, to]) => [to, from]));
  return {
    name: theirs.name,
    namesFor: () => [theirs.name],
    input: isRecord(input) ? rename(input, there) : input,
    inputBack: (changed) => rename(changed, back),
    nameBack: (changed) => (changed === theirs.name ? name : changed),
  };
}

/** A tool that the dialect's agent lacks: a matcher of `Write` also means Codex's `apply_patch`, which keeps its name. */
function ofCovering({ families }: ToolVocabulary, kind: ToolKind, tool: WireTool): WireTool {
  const names = coveringKinds(kind).flatMap((one) => families[one]?.name ?? []);
  return { ...tool, namesFor: () => [tool.name, ...names] };
}

function unchanged(name: string, input: unknown): WireTool {
  return {
    name,
    namesFor: () => [name],
    input,
    inputBack: (changed) => changed,
    nameBack: (changed) => changed,
  };
}

/** `mcp__server__tool` (Claude Code, OpenClaw) and `mcp:server:tool` (docker-agent). */
function mcpParts(name: string): { server: string; tool: string } | undefined {
  const parts = /^mcp__(.+?)__(.+)$/s.exec(name) ?? /^mcp:([^:]+):(.+)$/s.exec(name);
  return parts?.[1] && parts[2] ? { server: parts[1], tool: parts[2] } : undefined;
}

/** From the actual field of the agent's tool to the dialect's. */
function renames(fields: Fields, theirs: ToolName, input: unknown): Record<string, string> {
  const result: Record<string, string> = {};
  if (!isRecord(input)) return result;
  for (const [argument, known] of Object.entries(fields)) {
    const from = known.find((field) => Object.hasOwn(input, field));
    const to = theirs.fields[argument];
    if (from !== undefined && to !== undefined && from !== to && !Object.hasOwn(input, to)) result[from] = to;
  }
  return result;
}

function rename(
  input: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [names[key] ?? key, value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
