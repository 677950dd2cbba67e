import type { Answer } from '../../protocol/answer.ts';
import { type Dialect, named } from '../dialect.ts';
import { found } from '../matcher.ts';
import { checked, refuseMisplaced } from '../output.ts';
import { cursorEvents, cursorNeverFire } from './events.ts';

/** Cursor's `.cursor/hooks.json`. */
export const cursor: Dialect = {
  name: 'cursor',
  events: cursorEvents,
  neverFire: cursorNeverFire,
  stdin: (event, wireEvent, fields) => ({
    conversation_id: event.sessionId,
    generation_id: event.fields['run'] ?? event.sessionId,
    model: event.fields['model'] ?? '',
    hook_event_name: wireEvent,
    cursor_version: '',
    workspace_roots: [event.cwd],
    user_email: null,
    transcript_path: null,
    ...fields,
  }),
  matches: found,
  readOutput,
  jsonOutranksExitCode: false,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'Shell', fields: { command: 'command', cwd: 'working_directory' } },
      read: { name: 'Read', fields: { path: 'file_path' } },
      write: { name: 'Write', fields: { path: 'file_path', content: 'content' } },
      edit: { name: 'Write', fields: { path: 'file_path', old: 'old_string', new: 'new_string' } },
      list: { name: 'LS', fields: { path: 'path' } },
      fetch: { name: 'WebFetch', fields: { url: 'url' } },
      ...named({ grep: 'Grep', webSearch: 'WebSearch', subagent: 'Task' }),
    },
    mcp: (_, tool) => `MCP:${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: () => 'proceed',
  env: (own, event) => ({ ...own, CURSOR_PROJECT_DIR: event.cwd, CLAUDE_PROJECT_DIR: event.cwd }),
};

function readOutput(json: unknown): Answer {
  refuseMisplaced(output, json);
  const said = checked(output, json);
  const refuses =
    said.permission === 'deny' ||
    said.decision === 'deny' ||
    said.decision === 'block' ||
    said.continue === false;
  const permission = refuses ? 'deny' : (said.permission ?? (said.decision ? 'allow' : undefined));
  const reason = said.agent_message ?? said.reason ?? (refuses ? said.user_message : undefined);
  const told = reason === said.user_message ? undefined : said.user_message;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...(said.updated_input && { input: said.updated_input }),
    ...(said.updated_mcp_tool_output !== undefined && { output: { value: said.updated_mcp_tool_output } }),
    ...(said.additional_context && { context: [said.additional_context] }),
    ...(said.followup_message && { retry: said.followup_message }),
    ...(told && { messages: [told] }),
  };
}

const output = {
  permission: ['allow', 'deny', 'ask'],
  continue: 'boolean',
  // From earlier versions, and from hooks written for Claude Code.
  decision: ['allow', 'approve', 'deny', 'block'],
  reason: 'string',
  user_message: 'string',
  agent_message: 'string',
  updated_input: 'record',
  updated_mcp_tool_output: 'any',
  additional_context: 'string',
  followup_message: 'string',
} as const;
