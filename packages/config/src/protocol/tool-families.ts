/**
 * Tools with the same purpose under different names: the matcher `shell` matches Claude Code's `Bash` and Gemini CLI's
 * `run_shell_command`. Regular expressions for whole names.
 */
const TOOL_FAMILIES: Readonly<Record<string, readonly string[]>> = {
  shell: [
    ...['shell', 'Shell', 'bash', 'Bash', 'sh', 'exec', 'exec_command', 'shell_command', 'local_shell'],
    ...[
      'execute_bash',
      'execute_command',
      'executeCommand',
      'run_shell_command',
      'run_command',
      'runCommand',
    ],
    ...[
      'run_bash',
      'run_terminal_cmd',
      'run_in_terminal',
      'write_stdin',
      'powershell',
      'write_bash',
      'write_powershell',
    ],
    ...['mastra_workspace_execute_command'],
  ],
  read: [
    ...[
      'read',
      'Read',
      'read_file',
      'readFile',
      'read_many_files',
      'view',
      'view_file',
      'view_image',
      'NotebookRead',
    ],
    'mastra_workspace_read_file',
  ],
  write: [
    ...['write', 'Write', 'write_file', 'writeFile', 'create', 'create_file', 'write_to_file'],
    'mastra_workspace_write_file',
  ],
  edit: [
    ...['edit', 'Edit', 'MultiEdit', 'NotebookEdit', 'edit_file', 'editFile', 'replace', 'apply_patch'],
    ...['apply-patch', 'str_replace_based_edit_tool', 'mastra_workspace_edit_file'],
  ],
  search: [
    ...[
      'search',
      'Grep',
      'grep',
      'Glob',
      'glob',
      'LS',
      'ls',
      'grep_search',
      'grep_files',
      'search_file_content',
    ],
    ...['find_files', 'list_directory', 'list_dir', 'list_files', 'mastra_workspace_list_files'],
  ],
  fetch: [...['fetch', 'WebFetch', 'web_fetch', 'WebSearch', 'web_search', 'google_web_search']],
  mcp: ['mcp', 'mcp__.+', 'mcp:.+', 'MCP:.+', 'mcp_.+'],
};

/** A family's name as the whole pattern or one of its alternatives. */
const FAMILY = new RegExp(
  String.raw`(?<=^(?:\(\?[ims]+\))?|[|(]|\(\?:)(?:${Object.keys(TOOL_FAMILIES).join('|')})(?=$|[|)])`,
  'g',
);

/** Expands the names of families in a matcher: `shell|pay` also matches `Bash`. */
export function expandFamilies(pattern: string): string {
  return pattern.replace(FAMILY, (family) => `(?:${(TOOL_FAMILIES[family] ?? []).join('|')})`);
}
