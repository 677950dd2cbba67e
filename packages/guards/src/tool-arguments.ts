import { anyOf, type Check, callback, listOf, mapOf, text } from './options.ts';

/**
 * Which argument of a tool a guard checks: a name, several names (all that are present), or a function that extracts
 * the values from the input.
 */
export interface ToolArguments {
  readonly [tool: string]: string | readonly string[] | ((input: unknown) => readonly unknown[]);
}

/** The check of an option with {@link ToolArguments}. */
export const toolArguments: Check = mapOf(
  anyOf("an argument's name, a list of names, or a function", text, listOf(text), callback),
  "tools and their arguments, such as { my_shell: 'script' }",
);

/** The arguments that hold a command, whatever the tool. */
export const commandArguments: readonly string[] = [
  'command',
  'cmd',
  'commands',
  'commandLine',
  'CommandLine',
  'script',
];

const COMMAND = [...commandArguments, 'action'];

const CODE = ['code', 'python_code', 'script', 'source', 'query', 'command', 'input'];

/** The tools of common agents and frameworks that run commands or Python, and the arguments that hold the command or code. */
export const usualCommandTools: ToolArguments = {
  ...named(
    [
      ...['exec', 'shell', 'Shell', 'bash', 'Bash', 'sh', 'terminal', 'PowerShell', 'powershell'],
      ...['run_command', 'runCommand', 'run_shell_command', 'run_bash', 'run_in_terminal', 'runInTerminal'],
      ...[
        'run_terminal_cmd',
        'run_terminal_command',
        'run_background_job',
        'launch-process',
        'container.exec',
      ],
      ...[
        'execute_command',
        'executeCommand',
        'exec_command',
        'execute_bash',
        'shell_command',
        'local_shell',
      ],
      ...['start_process', 'execute_shell_command', 'shell_exec', 'run_shell', 'run_terminal', 'zsh'],
      ...['cmd', 'cmd.exe', 'run_cmd', 'command_prompt', 'run_powershell', 'pwsh'],
    ],
    COMMAND,
  ),
  ...named(
    [
      ...['python', 'python3', 'run_python', 'execute_python', 'exec_python', 'python_exec', 'python_repl'],
      ...['run_python_code', 'execute_python_code', 'ipython', 'Python_REPL', 'python_interpreter'],
    ],
    CODE,
  ),
  // These tools type into a running shell.
  ...named(
    ['process', 'write_stdin', 'interact_with_process', 'write_to_terminal'],
    [...COMMAND, 'data', 'literal', 'text', 'keys', 'chars', 'input'],
  ),
  // Those of Copilot, whose input has names of keys: `ls{enter}`.
  write_bash: typedKeys,
  write_powershell: typedKeys,
  // Claude Code's, which watches a command or a WebSocket.
  Monitor: (input) => [Object(input).command],
};

function typedKeys(input: unknown): readonly unknown[] {
  const { input: typed } = Object(input);
  return typeof typed === 'string' ? [typed, typed.replaceAll(/\{\w+\}/g, '\n')] : [typed];
}

const PATH = [
  ...['path', 'file_path', 'filePath', 'filepath', 'file', 'filename', 'absolute_path', 'target_file'],
  ...['paths', 'files', 'uri', 'notebook_path', 'source', 'destination', 'from', 'to', 'src', 'dest', 'dst'],
  ...['old_path', 'new_path', 'oldPath', 'newPath', 'source_path', 'sourcePath', 'target', 'target_path'],
  ...['targetPath', 'destination_path', 'destinationPath', 'directory', 'dir', 'folder', 'target_notebook'],
];

/** The file tools of common agents and frameworks, and the arguments that hold paths. */
export const usualPathTools: ToolArguments = {
  ...named(
    [
      ...['read', 'write', 'edit', 'append', 'create', 'delete', 'open', 'view', 'replace', 'search_replace'],
      ...['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookRead', 'NotebookEdit', 'Grep', 'grep', 'ast_edit'],
      ...['Delete', 'StrReplace', 'EditNotebook', 'edit_notebook_file', 'multiedit', 'rg', 'grep_files'],
      ...[
        'read_file',
        'write_file',
        'edit_file',
        'create_file',
        'delete_file',
        'append_file',
        'view_file',
        'open_file',
      ],
      ...[
        'readFile',
        'writeFile',
        'editFile',
        'createFile',
        'deleteFile',
        'read_text_file',
        'read_media_file',
      ],
      ...['read_many_files', 'read_multiple_files', 'move_file', 'copy_file', 'rename_file'],
      ...['str_replace_editor', 'str_replace_based_edit_tool', 'replace_in_file', 'write_to_file'],
      ...['replace_string_in_file', 'insert_edit_into_file', 'insert_content', 'apply_diff'],
      ...['view_image', 'remove_directory', 'search_files_content', 'search_file_content', 'grep_search'],
    ],
    PATH,
  ),
  // Search patterns of these tools are checked only against file names.
  ...Object.fromEntries(
    [
      ...['list_directory', 'list_directory_with_sizes', 'directory_tree', 'list_dir', 'list_files'],
      ...[
        'multi_replace_string_in_file',
        'search_files',
        'find_files',
        'file_search',
        'find_by_name',
        'get_file_info',
        'create_directory',
      ],
      ...['LS', 'ls', 'Glob', 'glob'],
    ].map((tool) => [tool, pathsIn]),
  ),
  apply_patch: filesOfPatch,
  'apply-patch': filesOfPatch,
};

function filesOfPatch(input: unknown): readonly unknown[] {
  return [...strings(input).flatMap(patchedFiles), ...pathsIn(input)];
}

function named(tools: readonly string[], names: readonly string[]): ToolArguments {
  return Object.fromEntries(tools.map((tool) => [tool, names]));
}

/** A prefix of an MCP server (`mcp__files__read_file`, `files:read`) or of Mastra's workspace. */
const PREFIX = '(?:.{0,128}(?:__|[:./])|mastra_workspace_)?';

/** A pattern for these tools, with or without a prefix. */
export function toolPattern(tools: ToolArguments): RegExp {
  const names = Object.keys(tools).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${PREFIX}(?:${names.join('|')})$`);
}

/** The values of a call that a guard checks. For a tool with unknown arguments, the whole input. */
export function lookedAt(tools: ToolArguments, toolName: string, input: unknown): readonly unknown[] {
  const known = Object.hasOwn(tools, toolName)
    ? toolName
    : toolName.replace(/^(?:.*(?:__|[:./])|mastra_workspace_)/s, '');
  const which = Object.hasOwn(tools, known) ? tools[known] : undefined;
  if (typeof which === 'function') return which(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [input];
  const names = typeof which === 'string' ? [which] : (which ?? []);
  const found = names.flatMap((name) => {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    return value === undefined || value === null || value === '' ? [] : [value];
  });
  return found.length > 0 ? found : Object.values(input);
}

/** All texts and numbers in a value, at any depth. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [`${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}

/**
 * All texts in a value that may hold paths, and field names that look like paths: `{ '/etc/shadow': … }`, not `{
 * credentials: … }`.
 */
export function pathTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return strings(value);
  const names = Array.isArray(value) ? [] : Object.keys(value).filter((name) => /[^\w$]/.test(name));
  return [...names, ...Object.values(value).flatMap(pathTexts)];
}

/**
 * The files that a patch in a text is for: of `apply_patch`, which takes headings in any case and indented, or in the form
 * of `diff`. In a command, its lines may be written as `\n`.
 */
export function patchedFiles(patch: string): string[] {
  return [...patch.replaceAll('\\n', '\n').matchAll(PATCHED)].map((match) =>
    (match[1] ?? '').replace(/^[ab]\//, '').replace(/\t.*$/, ''),
  );
}

const PATCHED =
  /^[^\S\n\r\u2028\u2029]*(?:\*\*\* (?:Add File|Update File|Delete File|Move to):|[-+]{3}) *(.+)$/gim;

/** The paths of patches sent as operations: `{ operation: { type: 'update_file', path } }`. */
function pathsIn(input: unknown): unknown[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) => (PATH.includes(name) ? [value] : pathsIn(value)));
}
