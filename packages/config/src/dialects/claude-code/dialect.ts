import { type Dialect, named } from '../dialect.ts';
import { namesOrExpression } from './aliases.ts';
import { claudeCodeEvents, claudeCodeNeverFire, claudeCodeUnsupportedGates } from './events.ts';
import { readClaudeOutput } from './output.ts';

/** Claude Code's `hooks` in `settings.json`. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  events: claudeCodeEvents,
  neverFire: claudeCodeNeverFire,
  unsupportedGates: claudeCodeUnsupportedGates,
  stdin: (event, wireEvent, fields) => ({
    session_id: event.sessionId,
    transcript_path: event.fields['transcriptPath'] ?? '',
    cwd: event.cwd,
    permission_mode: event.fields['permissionMode'] ?? 'default',
    ...(event.fields['agentId'] !== undefined && {
      agent_id: event.fields['agentId'],
      agent_type: event.fields['agent'],
    }),
    hook_event_name: wireEvent,
    ...fields,
  }),
  matches: namesOrExpression,
  readOutput: readClaudeOutput,
  jsonOutranksExitCode: true,
  goesOnAlone: /^\s*\{\s*"async"\s*:\s*true\s*[,}].*(?:\n|$)/,
  maxText: 10_000,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'Bash', fields: { command: 'command' } },
      read: { name: 'Read', fields: { path: 'file_path' } },
      write: { name: 'Write', fields: { path: 'file_path', content: 'content' } },
      edit: { name: 'Edit', fields: { path: 'file_path', old: 'old_string', new: 'new_string' } },
      list: { name: 'LS', fields: { path: 'path' } },
      fetch: { name: 'WebFetch', fields: { url: 'url' } },
      ...named({ grep: 'Grep', glob: 'Glob', webSearch: 'WebSearch', subagent: 'Agent', todo: 'TodoWrite' }),
      ...named({
        skill: 'Skill',
        powershell: 'PowerShell',
        monitor: 'Monitor',
        readNotebook: 'NotebookRead',
        editMany: 'MultiEdit',
        editNotebook: 'NotebookEdit',
      }),
    },
    mcp: (server, tool) => `mcp__${server}__${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: () => 'proceed',
  env: (own, event) => ({
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('OTEL_'))),
    CLAUDE_PROJECT_DIR: event.cwd,
  }),
};
