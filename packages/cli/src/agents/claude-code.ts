import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  eventName,
  eventsIn,
  eventsOf,
  type Outcome,
  type Patch,
  type Reply,
  readEvent,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { shapedAs } from './claude-result.ts';
import { type Settled, settle } from './decisions.ts';

const capabilities: Capabilities = {
  title: 'Claude Code',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'yes',
      'require approval': 'yes',
      'grant approval': 'yes',
    },
    approval: { block: 'yes', 'block, stop': 'yes', 'modify.input': 'yes', 'grant approval': 'yes' },
    result: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'refused',
    },
    // The model reads the output of a failed call, whatever hooks of `PostToolUseFailure` answer.
    'failed result': {
      block: 'no',
      'block, stop': 'no',
      'modify.errorMessage': 'no',
      'modify.context': 'yes',
      retry: 'left out',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    stop: { block: 'yes', retry: 'yes' },
    compaction: { block: 'yes', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/** Claude Code. Every refusal has exit code 2, which counts even if the JSON is not read. */
export const claudeCode: Agent = {
  ...capabilities,
  events: eventsIn(DIALECTS['claude-code']),
  read: readClaudeEvent,
  write: (event, outcome) => write(event, settle(capabilities, event, ofSkill(event, outcome))),
};

/** A shell command in a skill's text, which runs while the skill loads and is no tool call. Its hooks can only refuse. */
const SKILL_COMMAND = 'PreSkillShellCommand';

/** The outcome without what such a command does not need: context, and the approval that it never asks for. */
function ofSkill({ name }: AgentEvent, outcome: Outcome): Outcome {
  if (name !== SKILL_COMMAND) return outcome;
  const { context: _, approval, ...patch } = outcome.patch;
  return { ...outcome, patch: { ...patch, ...(approval?.kind === 'required' && { approval }) } };
}

function readClaudeEvent(json: unknown): AgentEvent | string | undefined {
  const name = eventName(json);
  const dialect = DIALECTS['claude-code'];
  if (name !== SKILL_COMMAND) return readEvent(dialect, 'Claude Code', json);
  const { event: data } = readStdin(dialect, { ...Object(json), hook_event_name: 'PreToolUse' });
  return { name, data, as: eventsOf(data.type), gate: true, lacks: ['modify.input', 'require approval'] };
}

function write(event: AgentEvent, { block, retry, patch, warning }: Settled): Reply {
  const reason = block?.reason ?? retry;
  const reply = reason === undefined ? change(event, patch) : refuse(event, reason, block?.stop ?? false);
  return warning === undefined ? reply : { ...reply, stdout: { systemMessage: warning, ...reply.stdout } };
}

function change(event: AgentEvent, { output, ...rest }: Patch): Reply {
  const { name } = event;
  const specific = specificOf(name, rest);
  if (output !== undefined) {
    const shaped = shapedAs(event.data.fields['output'], output);
    if (!shaped) return endOfRun(event, 'a hook replaced the result');
    specific['updatedToolOutput'] = shaped.value;
  }
  if (Object.keys(specific).length === 0) return { exitCode: 0 };
  return { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: name, ...specific } } };
}

function refuse(event: AgentEvent, reason: string, stop: boolean): Reply {
  const { name } = event;
  const ends = stop ? { continue: false, stopReason: reason } : {};
  if (name === 'Stop' && stop) return { exitCode: 0, stdout: ends };
  if (name === 'PermissionRequest') {
    const decision = { behavior: 'deny', message: reason, ...(stop && { interrupt: true }) };
    return { exitCode: 0, stdout: { ...ends, hookSpecificOutput: { hookEventName: name, decision } } };
  }
  if (name === 'PostToolUse') {
    // With a reason alone, the model would also read the result.
    const withheld = shapedAs(event.data.fields['output'], 'withheld by a hook');
    if (!withheld) return endOfRun(event, reason);
    const hookSpecificOutput = { hookEventName: name, updatedToolOutput: withheld.value };
    // Exit code 2 would only repeat the reason.
    return { exitCode: 0, stdout: { ...ends, decision: 'block', reason, hookSpecificOutput } };
  }
  const denial = { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: reason };
  const stdout = name === 'PreToolUse' ? { hookSpecificOutput: denial } : { decision: 'block', reason };
  return { exitCode: 2, stderr: reason, stdout: { ...ends, ...stdout } };
}

/** Ends the run, which is the only way to keep a result of unknown shape from the model. */
function endOfRun({ data }: AgentEvent, reason: string): Reply {
  const stopReason = `${reason}; the run ends here, because Claude Code would otherwise show the model the result of ${String(data.fields['toolName'])}`;
  return { exitCode: 0, stdout: { continue: false, stopReason } };
}

function specificOf(name: string, { input, approval, context }: Patch): Record<string, unknown> {
  const granted = approval?.kind === 'granted';
  if (name === 'PermissionRequest') {
    if (!granted) return {};
    return { decision: { behavior: 'allow', ...(input !== undefined && { updatedInput: input }) } };
  }
  return {
    ...(approval && {
      permissionDecision: granted ? 'allow' : 'ask',
      permissionDecisionReason: approval.reason,
    }),
    ...(input !== undefined && { updatedInput: input }),
    ...(context && context.length > 0 && { additionalContext: context.join('\n\n') }),
  };
}
