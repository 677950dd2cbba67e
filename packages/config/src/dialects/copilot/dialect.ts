import type { Answer } from '../../protocol/answer.ts';
import { type Dialect, named } from '../dialect.ts';
import { anchored } from '../matcher.ts';
import { checked, refuseMisplaced } from '../output.ts';
import { copilotEvents } from './events.ts';

/** The `.github/hooks/*.json` of GitHub Copilot's CLI and cloud agent. */
export const copilot: Dialect = {
  name: 'copilot',
  events: copilotEvents,
  neverFire: [],
  stdin: (event, _, fields) => ({
    sessionId: event.sessionId,
    timestamp: Date.now(),
    cwd: event.cwd,
    ...fields,
  }),
  matches: anchored,
  answerIn: withoutProgress,
  readOutput,
  jsonOutranksExitCode: false,
  sequential: false,
  tools: {
    families: {
      shell: { name: 'bash', fields: { command: 'command' } },
      read: { name: 'view', fields: { path: 'path' } },
      write: { name: 'create', fields: { path: 'path', content: 'file_text' } },
      edit: { name: 'edit', fields: { path: 'path', old: 'old_str', new: 'new_str' } },
      fetch: { name: 'web_fetch', fields: { url: 'url' } },
      ...named({ grep: 'grep', glob: 'glob', webSearch: 'web_search', subagent: 'task', skill: 'skill' }),
    },
    mcp: (server, tool) => `${server}-${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: (event) => (event === 'before_tool_call' ? 'block' : 'proceed'),
  env: (own) => own,
};

/** Lines that only show progress are not part of the answer. */
function withoutProgress(stdout: string): string {
  return stdout
    .split('\n')
    .filter((line) => !isProgress(line.trim()))
    .join('\n');
}

function isProgress(line: string): boolean {
  if (!line.startsWith('{') || !line.endsWith('}')) return false;
  try {
    return JSON.parse(line).type === 'progress';
  } catch {
    return false;
  }
}

function readOutput(json: unknown, wireEvent: string): Answer {
  refuseMisplaced(output, json);
  const said = checked(output, json);
  const blocks = said.decision === 'block';
  // On agentStop a block means one more turn.
  const goesOn = blocks && /stop$/i.test(wireEvent) ? (said.reason ?? 'go on') : undefined;
  const refuses = blocks && goesOn === undefined ? 'deny' : undefined;
  const permission = said.permissionDecision ?? said.behavior ?? refuses;
  const reason = said.permissionDecisionReason ?? said.message ?? (refuses && said.reason);
  const prompt = said.modifiedTransformedPrompt ?? said.modifiedPrompt;
  const replaced = said.modifiedResult.textResultForLlm;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...(said.behavior === 'deny' && said.interrupt && { stop: true }),
    ...(said.modifiedArgs && { input: said.modifiedArgs }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(prompt && { prompt }),
    ...(said.additionalContext && { context: [said.additionalContext] }),
    ...(goesOn && { retry: goesOn }),
  };
}

const output = {
  permissionDecision: ['allow', 'deny', 'ask'],
  permissionDecisionReason: 'string',
  modifiedArgs: 'record',
  behavior: ['allow', 'deny'],
  message: 'string',
  interrupt: 'boolean',
  modifiedResult: { resultType: 'string', textResultForLlm: 'string' },
  additionalContext: 'string',
  modifiedTransformedPrompt: 'string',
  modifiedPrompt: 'string',
  decision: ['block', 'allow'],
  reason: 'string',
} as const;
