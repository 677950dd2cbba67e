import { type Dialect, named } from '../dialect.ts';
import { anchored } from '../matcher.ts';
import { dockerAgentEvents, dockerAgentNeverFire } from './events.ts';
import { readSnakeOutput } from './output.ts';

/** docker-agent's `hooks:` block. */
export const dockerAgent: Dialect = {
  name: 'docker-agent',
  events: dockerAgentEvents,
  neverFire: dockerAgentNeverFire,
  stdin: (event, wireEvent, fields) => ({
    session_id: event.sessionId,
    cwd: event.cwd,
    hook_event_name: wireEvent,
    ...fields,
  }),
  matches: anchored,
  readOutput: readSnakeOutput,
  jsonOutranksExitCode: false,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'shell', fields: { command: 'cmd', cwd: 'cwd' } },
      read: { name: 'read_file', fields: { path: 'path' } },
      write: { name: 'write_file', fields: { path: 'path', content: 'content' } },
      edit: { name: 'edit_file', fields: { path: 'path' } },
      list: { name: 'list_directory', fields: { path: 'path' } },
      fetch: { name: 'fetch', fields: {} },
      ...named({ readMany: 'read_multiple_files', grep: 'search_files_content' }),
    },
    mcp: (server, tool) => `mcp:${server}:${tool}`,
  },
  alwaysClosed: (event) => event === 'before_tool_call',
  originalFailure: () => 'proceed',
  env: (own) => own,
};
