/**
 * Which argument of which tool a guard looks at: a name, several (all that are there count), or a function that
 * takes them out of the input.
 */
export interface ToolArguments {
  readonly [tool: string]: string | readonly string[] | ((input: unknown) => readonly unknown[]);
}

const COMMAND = ['command', 'cmd', 'commands', 'script', 'action'];

/** The shell tools of the usual agents and frameworks, and the argument that holds the command. */
export const usualCommandTools: ToolArguments = {
  ...named(
    [
      'exec',
      'shell',
      'bash',
      'Bash',
      'sh',
      'terminal',
      'process',
      'local_shell',
      'shell_command',
      'container.exec',
    ],
    COMMAND,
  ),
  ...named(
    [
      'run_command',
      'run_terminal_cmd',
      'run_terminal_command',
      'run_in_terminal',
      'run_shell_command',
      'run_bash',
    ],
    COMMAND,
  ),
  ...named(
    [
      'execute_command',
      'exec_command',
      'execute_bash',
      'executeCommand',
      'runCommand',
      'launch-process',
      'run_background_job',
    ],
    COMMAND,
  ),
  ...named(
    ['Shell', 'PowerShell', 'powershell', 'workspace_execute_command', 'mastra_workspace_execute_command'],
    COMMAND,
  ),
};

const PATH = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'target_file',
  'absolute_path',
  'paths',
  'files',
  'uri',
];

/** The file tools of the usual agents and frameworks, and the arguments that hold paths. */
export const usualPathTools: ToolArguments = {
  ...named(
    [
      'read',
      'write',
      'edit',
      'Read',
      'Write',
      'Edit',
      'MultiEdit',
      'view',
      'create',
      'open',
      'append',
      'delete',
    ],
    PATH,
  ),
  ...named(
    [
      'read_file',
      'write_file',
      'edit_file',
      'create_file',
      'delete_file',
      'append_file',
      'view_file',
      'open_file',
      'replace',
    ],
    PATH,
  ),
  ...named(
    ['readFile', 'writeFile', 'editFile', 'createFile', 'deleteFile', 'read_text_file', 'read_media_file'],
    PATH,
  ),
  ...named(
    [
      'read_many_files',
      'read_multiple_files',
      'str_replace_editor',
      'str_replace_based_edit_tool',
      'search_replace',
    ],
    PATH,
  ),
  ...named(['workspace_read_file', 'workspace_write_file', 'workspace_edit_file'], PATH),
  ...named(['move_file', 'copy_file', 'rename_file'], ['source', 'destination', 'from', 'to', ...PATH]),
  NotebookEdit: ['notebook_path'],
  Grep: ['path'],
  grep: ['path'],
  apply_patch: (input) => strings(input).flatMap(patchedFiles),
};

function named(tools: readonly string[], names: readonly string[]): ToolArguments {
  return Object.fromEntries(tools.map((tool) => [tool, names]));
}

/** A pattern for the tools named, also behind the prefix of an MCP server: `mcp__files__read_file`, `files:read`. */
export function toolPattern(tools: ToolArguments): RegExp {
  const names = Object.keys(tools).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^(?:.{0,128}(?:__|[:./]))?(?:${names.join('|')})$`);
}

/** The values that a guard looks at in one call. A tool whose arguments are not found is looked at as a whole. */
export function lookedAt(tools: ToolArguments, toolName: string, input: unknown): readonly unknown[] {
  const known = Object.hasOwn(tools, toolName) ? toolName : toolName.replace(/^.*(?:__|[:./])/s, '');
  const which = Object.hasOwn(tools, known) ? tools[known] : undefined;
  if (typeof which === 'function') return which(input);
  if (typeof input !== 'object' || input === null) return [input];
  const names = typeof which === 'string' ? [which] : (which ?? []);
  const found = names.flatMap((name) => {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    return value === undefined || value === null ? [] : [value];
  });
  return found.length > 0 ? found : Object.values(input);
}

/** All texts in a value, however deep; a guard misses none for being nested. */
export function strings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  return Object.values(value).flatMap((inner) => strings(inner, depth + 1));
}

function patchedFiles(patch: string): string[] {
  return [
    ...patch.matchAll(/^(?:\*\*\* (?:Add File|Update File|Delete File|Move to):|[-+]{3}) *(.+)$/gm),
  ].map((match) => (match[1] ?? '').replace(/^[ab]\//, '').replace(/\t.*$/, ''));
}
