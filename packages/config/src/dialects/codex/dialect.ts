import { type Dialect, named } from '../dialect.ts';
import { found, isEverything } from '../matcher.ts';
import { codexEvents } from './events.ts';
import { readCodexOutput } from './output.ts';

/** Codex's `hooks.json` and the `[hooks]` of its `config.toml`. */
export const codex: Dialect = {
  name: 'codex',
  events: codexEvents,
  neverFire: ['Interrupt'],
  unsupportedGates: ['PreModelRequest'],
  stdin: (event, wireEvent, fields) => ({
    session_id: event.sessionId,
    turn_id: event.fields['run'] ?? event.sessionId,
    transcript_path: event.fields['transcriptPath'] ?? null,
    cwd: event.cwd,
    hook_event_name: wireEvent,
    model: event.fields['model'] ?? '',
    permission_mode: event.fields['permissionMode'] ?? 'default',
    ...(event.fields['agentId'] !== undefined && {
      agent_id: event.fields['agentId'],
      agent_type: event.fields['agent'],
    }),
    ...fields,
  }),
  matches,
  readOutput: readCodexOutput,
  jsonOutranksExitCode: false,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'Bash', fields: { command: 'command' } },
      write: { name: 'Write', fields: { path: 'file_path', content: 'content' } },
      edit: { name: 'Edit', fields: { path: 'file_path', old: 'old_string', new: 'new_string' } },
      ...named({
        patch: 'apply_patch',
        readImage: 'view_image',
        webSearch: 'web_search',
        todo: 'update_plan',
      }),
      ...named({ subagent: 'spawn_agent', processInput: 'write_stdin' }),
    },
    mcp: (server, tool) => `mcp__${server}__${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: () => 'proceed',
  env: (own) => own,
};

/** Codex has one tool that writes files, which its matchers know by three names. */
const WRITES = ['apply_patch', 'Write', 'Edit'];

/** Letters, digits, `_` and `|` alone form a list of names. Anything else is a regular expression that matches anywhere. */
function matches(matcher: string, name: string): boolean {
  if (isEverything(matcher)) return true;
  const names = WRITES.includes(name) ? WRITES : [name];
  if (/^[\w|]*$/.test(matcher)) return matcher.split('|').some((one) => names.includes(one));
  return names.some((one) => found(matcher, one));
}
