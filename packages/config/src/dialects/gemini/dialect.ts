import { type Dialect, named } from '../dialect.ts';
import { found } from '../matcher.ts';
import { geminiEvents } from './events.ts';
import { readGeminiOutput } from './output.ts';

/** Gemini CLI's `hooks` in `settings.json`. */
export const gemini: Dialect = {
  name: 'gemini',
  events: geminiEvents,
  neverFire: [],
  unsupportedGates: ['BeforeToolSelection'],
  stdin: (event, wireEvent, fields) => ({
    session_id: event.sessionId,
    transcript_path: event.fields['transcriptPath'] ?? '',
    cwd: event.cwd,
    hook_event_name: wireEvent,
    timestamp: new Date().toISOString(),
    ...fields,
  }),
  matches: (matcher, name) => found(matcher.trim(), name),
  // Gemini CLI reads the answer from stderr if nothing is on stdout.
  answerIn: (stdout, stderr) => (stdout.trim() === '' && isObject(stderr) ? stderr : stdout),
  readOutput: readGeminiOutput,
  jsonOutranksExitCode: false,
  mergesInput: true,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'run_shell_command', fields: { command: 'command', cwd: 'dir_path' } },
      read: { name: 'read_file', fields: { path: 'file_path' } },
      write: { name: 'write_file', fields: { path: 'file_path', content: 'content' } },
      edit: { name: 'replace', fields: { path: 'file_path', old: 'old_string', new: 'new_string' } },
      list: { name: 'list_directory', fields: { path: 'dir_path' } },
      fetch: { name: 'web_fetch', fields: { url: 'url' } },
      ...named({ readMany: 'read_many_files', glob: 'glob', grep: 'grep_search', todo: 'write_todos' }),
      ...named({ webSearch: 'google_web_search', skill: 'activate_skill' }),
    },
    mcp: (server, tool) => `mcp_${server}_${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: () => 'proceed',
  env: (own, { cwd, sessionId }) => ({
    ...own,
    GEMINI_PROJECT_DIR: cwd,
    GEMINI_CWD: cwd,
    GEMINI_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: cwd,
  }),
};

function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
