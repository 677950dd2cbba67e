/** An agent that `hooks install` supports: the location of its settings, and how it runs a hook. */
export interface InstallableAgent {
  readonly title: string;
  /** The settings file, relative to the project or, with `home`, to the user's home. */
  readonly settings: string;
  readonly home?: true;
  /** The environment variable for another folder, or for another home. */
  readonly homeVariable?: string;
  readonly userHomeVariable?: string;
  /** Where the settings are the project's: the environment variable in which the agent names its folder to hooks. */
  readonly projectVariable?: string;
  /** The events that a policy may answer. */
  readonly events: readonly string[];
  /** Those of them that a failed hook refuses. */
  readonly gates: readonly string[];
  /** Gates of newer versions only: an older one reports the unknown name to its user. By the first version. */
  readonly newGates?: Readonly<Record<string, string>>;
  /** The command that prints the agent's version. */
  readonly version?: readonly [program: string, ...args: string[]];
  /** The agent's own setting of a gate's hook that refuses if the hook fails or takes too long. */
  readonly failsClosed?: Readonly<Record<string, string>>;
  /** Ten minutes, in the unit of the agent's settings; `hooks run` refuses ten seconds earlier. */
  readonly timeout: number;
  /** Returns the command line with which the agent runs a hook. */
  readonly shell: (command: string, env: Readonly<Record<string, string | undefined>>) => readonly string[];
  /** A sample of its event before a tool call. */
  readonly event: Readonly<Record<string, unknown>> & { readonly hook_event_name: string };
  /** The names of its own tools, as hooks receive them. MCP servers add others. */
  readonly tools: readonly string[];
}

const claudeEvents = [
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SessionStart',
  'PreCompact',
];

const shellCall = { tool_name: 'Bash', tool_input: { command: 'true' } };

/** The agents by the name that `--for` takes. */
export const INSTALLABLE: Readonly<Record<string, InstallableAgent>> = {
  'claude-code': {
    title: 'Claude Code',
    settings: '.claude/settings.json',
    projectVariable: 'CLAUDE_PROJECT_DIR',
    events: [...claudeEvents, 'PostToolUseFailure', 'SessionEnd'],
    gates: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'],
    newGates: { PreSkillShellCommand: '2.1.332' },
    version: ['claude', '--version'],
    failsClosed: { onFailure: 'block' },
    timeout: 600,
    shell: (command) => ['/bin/sh', '-c', command],
    event: { hook_event_name: 'PreToolUse', ...shellCall },
    tools: [
      ...['Bash', 'BashOutput', 'KillShell', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Grep'],
      ...['Glob', 'LS', 'WebFetch', 'WebSearch', 'Task', 'Agent', 'TodoWrite', 'Skill', 'ExitPlanMode'],
    ],
  },
  codex: {
    title: 'Codex',
    version: ['codex', '--version'],
    settings: '.codex/hooks.json',
    home: true,
    homeVariable: 'CODEX_HOME',
    events: claudeEvents,
    gates: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit'],
    timeout: 600,
    shell: (command, { SHELL }) => [SHELL || '/bin/sh', '-lc', command],
    event: { hook_event_name: 'PreToolUse', ...shellCall },
    tools: [
      ...['Bash', 'shell', 'shell_command', 'exec_command', 'write_stdin', 'apply_patch', 'view_image'],
      ...['update_plan', 'web_search'],
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    version: ['gemini', '--version'],
    // In the user's home, so that the policy is that of every folder.
    settings: '.gemini/settings.json',
    home: true,
    userHomeVariable: 'GEMINI_CLI_HOME',
    events: [
      'BeforeTool',
      'AfterTool',
      'BeforeAgent',
      'AfterAgent',
      'SessionStart',
      'SessionEnd',
      'PreCompress',
    ],
    gates: ['BeforeTool', 'AfterTool', 'BeforeAgent'],
    timeout: 600_000,
    shell: (command) => ['bash', '-c', command],
    event: { hook_event_name: 'BeforeTool', ...shellCall, tool_name: 'run_shell_command' },
    tools: [
      ...['run_shell_command', 'read_file', 'read_many_files', 'write_file', 'replace', 'glob'],
      ...['grep_search', 'search_file_content', 'list_directory', 'web_fetch', 'google_web_search'],
      ...['save_memory', 'write_todos'],
    ],
  },
};
