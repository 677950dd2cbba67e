import type { Answer } from '../../protocol/answer.ts';
import { type Dialect, named } from '../dialect.ts';
import { anchored } from '../matcher.ts';
import { checked, refuseMisplaced } from '../output.ts';
import { copilotEvents, isSnakeCase } from './events.ts';

/** The `.github/hooks/*.json` of GitHub Copilot's CLI and cloud agent. */
export const copilot: Dialect = {
  name: 'copilot',
  events: copilotEvents,
  neverFire: [],
  stdin: ({ sessionId, cwd }, wireEvent, fields) =>
    isSnakeCase(wireEvent)
      ? {
          hook_event_name: wireEvent,
          session_id: sessionId,
          timestamp: new Date().toISOString(),
          cwd,
          ...fields,
        }
      : { sessionId, timestamp: Date.now(), cwd, ...fields },
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
  const isLikeClaude = wireEvent === 'PreToolUse';
  refuseMisplaced(isLikeClaude ? { ...output, ...likeClaude } : output, json);
  const said = checked(output, json);
  const specific = isLikeClaude ? checked(likeClaude, json).hookSpecificOutput : undefined;
  const blocks = said.decision === 'block';
  // On agentStop a block means one more turn.
  const goesOn = blocks && /stop$/i.test(wireEvent) ? (said.reason ?? 'go on') : undefined;
  const refuses = blocks && goesOn === undefined ? 'deny' : undefined;
  const isDenied = [said.permissionDecision, specific?.permissionDecision].includes('deny');
  const permission = isDenied
    ? 'deny'
    : (specific?.permissionDecision ?? said.permissionDecision ?? said.behavior ?? refuses);
  const reason =
    specific?.permissionDecisionReason ??
    said.permissionDecisionReason ??
    said.message ??
    (refuses && said.reason);
  const input = specific?.updatedInput ?? said.modifiedArgs;
  const prompt = said.modifiedTransformedPrompt ?? said.modifiedPrompt;
  const replaced = said.modifiedResult.textResultForLlm;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...(said.behavior === 'deny' && said.interrupt && { stop: true }),
    ...(input && { input }),
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

/** A hook of `PreToolUse` may also answer as one of Claude Code. */
const likeClaude = {
  hookSpecificOutput: {
    hookEventName: 'string',
    permissionDecision: ['allow', 'deny', 'ask'],
    permissionDecisionReason: 'string',
    updatedInput: 'record',
  },
} as const;
