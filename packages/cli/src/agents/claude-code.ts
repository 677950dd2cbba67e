import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  eventName,
  eventsOf,
  isGate,
  type Patch,
  passOver,
  type Reply,
} from './agent.ts';
import type { Able } from './carries.ts';
import { shapedAs } from './claude-result.ts';
import { type Settled, settle } from './decisions.ts';

const able: Able = {
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
    // The model reads what a failed call has printed, whatever the hooks of `PostToolUseFailure` answer.
    'failed result': {
      block: 'no',
      'block, stop': 'no',
      'modify.errorMessage': 'no',
      'modify.context': 'yes',
      retry: 'left out',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    stop: { retry: 'yes' },
    compaction: { block: 'yes', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/** Claude Code. Exit code 2 goes with every refusal, since it stands whatever becomes of the JSON. */
export const claudeCode: Agent = {
  ...able,
  read: readClaudeEvent,
  write: (event, outcome) => write(event, settle(able, event, outcome)),
};

/** The event on stdin, for Claude Code and whoever reads its protocol. */
export function readClaudeEvent(json: unknown): AgentEvent | string | undefined {
  const name = eventName(json);
  const { events, neverFire } = DIALECTS['claude-code'];
  if (neverFire.includes(name)) return undefined;
  if (!Object.hasOwn(events, name)) return passOver('Claude Code', name);
  const { event: data } = readStdin(DIALECTS['claude-code'], json);
  return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
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
  if (name === 'PermissionRequest') {
    const decision = { behavior: 'deny', message: reason, ...(stop && { interrupt: true }) };
    return { exitCode: 0, stdout: { ...ends, hookSpecificOutput: { hookEventName: name, decision } } };
  }
  if (name === 'PostToolUse') {
    // A reason alone would stand beside the result, which the model would read all the same.
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

/** The one way to keep a result from the model for which no shape is known. */
function endOfRun({ data }: AgentEvent, reason: string): Reply {
  const stopReason = `${reason}; the run ends here, since Claude Code would show the model the result of ${String(data.fields['toolName'])} otherwise`;
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
