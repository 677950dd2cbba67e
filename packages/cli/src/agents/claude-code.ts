import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  cannot,
  eventName,
  eventsOf,
  isGate,
  type Outcome,
  type Patch,
  passOver,
  type Reply,
} from './agent.ts';

/** Claude Code. Exit code 2 goes with every refusal, since it stands whatever becomes of the JSON. */
export const claudeCode: Agent = { read, write: (event, outcome) => write('Claude Code', event, outcome) };

/** Codex reads Claude Code's protocol, but takes a rewrite only beside an allow, and a refusal only with a reason. */
export const codex: Agent = {
  read,
  write: (event, outcome) => {
    const { patch } = outcome;
    if (event.name === 'PreToolUse' && patch.approval?.kind === 'required') {
      return write('Codex', event, { ...outcome, block: { reason: patch.approval.reason, stop: false } });
    }
    if (event.name === 'PreToolUse' && patch.input !== undefined && !outcome.block) {
      const approval =
        patch.approval ?? ({ kind: 'granted', reason: 'the rewritten call is allowed' } as const);
      return write('Codex', event, { ...outcome, patch: { ...patch, approval } });
    }
    return write('Codex', event, outcome);
  },
};

function read(json: unknown): AgentEvent | string | undefined {
  const name = eventName(json);
  const { events, neverFire } = DIALECTS['claude-code'];
  if (neverFire.includes(name)) return undefined;
  if (!Object.hasOwn(events, name)) return passOver('Claude Code', name);
  const { event: data } = readStdin(DIALECTS['claude-code'], json);
  return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
}

/** What each event can carry out. */
const can: Readonly<Record<string, readonly (keyof Patch)[]>> = {
  PreToolUse: ['input', 'approval', 'context'],
  PermissionRequest: ['input', 'approval'],
  PostToolUse: ['output', 'context'],
  PostToolUseFailure: ['context'],
  UserPromptSubmit: ['context'],
  SessionStart: ['context'],
};

function write(agent: string, event: AgentEvent, outcome: Outcome): Reply {
  const { name } = event;
  const impossible = cannot(agent, outcome, can[name] ?? []);
  const block = outcome.block ?? (impossible && event.gate ? { reason: impossible, stop: false } : undefined);
  if (block) return refuse(name, block.reason || 'refused by a hook', block.stop);
  if (outcome.retry !== undefined && (name === 'Stop' || name === 'PostToolUse'))
    return refuse(name, outcome.retry, false);
  const specific = specificOf(name, outcome.patch);
  return Object.keys(specific).length === 0
    ? { exitCode: 0 }
    : { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: name, ...specific } } };
}

function refuse(name: string, reason: string, stop: boolean): Reply {
  const ends = stop ? { continue: false, stopReason: reason } : {};
  if (name === 'PermissionRequest') {
    const decision = { behavior: 'deny', message: reason, ...(stop && { interrupt: true }) };
    return { exitCode: 0, stdout: { ...ends, hookSpecificOutput: { hookEventName: name, decision } } };
  }
  const denial = { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: reason };
  const stdout = name === 'PreToolUse' ? { hookSpecificOutput: denial } : { decision: 'block', reason };
  // After a tool exit code 2 would only repeat the reason.
  return { exitCode: name === 'PostToolUse' ? 0 : 2, stderr: reason, stdout: { ...ends, ...stdout } };
}

function specificOf(name: string, { input, approval, context, output }: Patch): object {
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
    ...(output !== undefined && { updatedToolOutput: output }),
    ...(context && context.length > 0 && { additionalContext: context.join('\n\n') }),
  };
}
