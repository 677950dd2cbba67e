import { DIALECTS } from '@hooks/config/protocol';
import { type Agent, type AgentEvent, eventsIn, type Reply, readEvent } from './agent.ts';
import type { Capabilities } from './carries.ts';
import { type Settled, settle } from './decisions.ts';
import { textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'Codex',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'yes',
      'require approval': 'refused',
      'grant approval': 'left out',
    },
    approval: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'refused',
      'grant approval': 'yes',
    },
    result: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'refused',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    stop: { block: 'yes', retry: 'yes' },
    compaction: { block: 'yes', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/**
 * Codex has a protocol like Claude Code's. It treats an answer with an unsupported field as a failed hook and continues, so
 * each event gets only the fields that Codex supports.
 */
export const codex: Agent = {
  ...capabilities,
  events: eventsIn(DIALECTS.codex),
  read: (json) => readEvent(DIALECTS.codex, 'Codex', json),
  write: (event, outcome) => {
    const settled = settle(capabilities, event, outcome);
    const { warning } = settled;
    const reply = write(event, settled);
    return warning === undefined ? reply : { ...reply, stdout: { systemMessage: warning, ...reply.stdout } };
  },
};

function write(event: AgentEvent, { block, retry, patch }: Settled): Reply {
  const { name } = event;
  if (block) return refuse(name, block.reason, block.stop);
  if (retry !== undefined) return refuse(name, retry, false);
  const { input, output, approval, context } = patch;
  const told = context && context.length > 0 ? { additionalContext: context.join('\n\n') } : {};
  const say = (specific: object, rest: object = {}): Reply => {
    const hookSpecificOutput = { hookEventName: name, ...specific };
    const isEmpty = Object.keys(specific).length === 0;
    const stdout = { ...rest, ...(!isEmpty && { hookSpecificOutput }) };
    return Object.keys(stdout).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout };
  };
  if (name === 'PermissionRequest') {
    return approval?.kind === 'granted' ? say({ decision: { behavior: 'allow' } }) : say({});
  }
  // A Block replaces the result with its reason, so use it to replace the output.
  if (output !== undefined)
    return say(told, { decision: 'block', reason: textOf(output) || 'a hook removed the whole result' });
  // Codex accepts a rewrite only together with an allow.
  const allow = {
    permissionDecision: 'allow',
    permissionDecisionReason: 'the rewritten call is allowed',
    updatedInput: input,
  };
  return say({ ...(input !== undefined && allow), ...told });
}

function refuse(name: string, reason: string, stop: boolean): Reply {
  if (name === 'PermissionRequest') {
    const decision = { behavior: 'deny', message: reason };
    return { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: name, decision } } };
  }
  const denial = { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: reason };
  const ends = stop ? { continue: false, stopReason: reason } : {};
  if (name === 'Stop' && stop) return { exitCode: 0, stdout: ends };
  const stdout =
    name === 'PreToolUse' ? { hookSpecificOutput: denial } : { ...ends, decision: 'block', reason };
  return { exitCode: 2, stderr: reason, stdout };
}
