/** The end of a hook process. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command-line agent before a tool call: its event, and how it reads the answer. */
export interface AskingAgent {
  readonly event: (command: string) => object;
  /** Whether the agent would not run the tool. */
  readonly refuses: (ended: Ended) => boolean;
}

const common = { session_id: 's', cwd: '/', tool_use_id: 't', tool_name: 'Bash' };

/** The agents that `hooks install` supports. */
export const ASKING_AGENTS: Readonly<Record<'claude-code' | 'codex' | 'gemini', AskingAgent>> = {
  'claude-code': {
    event: (command) => ({ ...common, hook_event_name: 'PreToolUse', tool_input: { command } }),
    refuses: ({ code, stdout }) => code === 2 || (code === 0 && denies(stdout)),
  },
  codex: {
    event: (command) => ({ ...common, hook_event_name: 'PreToolUse', tool_input: { command } }),
    // Codex runs the tool if exit code 2 has no reason.
    refuses: ({ code, stdout, stderr }) =>
      (code === 2 && stderr.trim() !== '') || (code === 0 && denies(stdout)),
  },
  gemini: {
    event: (command) => ({
      ...common,
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
    }),
    // Gemini CLI reads stdout, or else stderr. For JSON its decision counts, for other text the exit code.
    refuses: ({ code, stdout, stderr }) => {
      const text = stdout.trim() || stderr.trim();
      const json = parsed(text);
      if (json === undefined) return text !== '' && code !== 0 && code !== 1;
      return ['deny', 'block'].includes(json.decision);
    },
  },
};

function denies(stdout: string): boolean {
  return parsed(stdout)?.hookSpecificOutput?.permissionDecision === 'deny';
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a process has printed
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
