import type { Answer } from '../../protocol/answer.ts';
import { checked, type Printed } from '../output.ts';

/** What a Claude Code hook prints. Unknown fields are ignored. */
export function readClaudeOutput(json: unknown, wireEvent: string): Answer {
  const output = checked(claudeOutput, json);
  const specific = output.hookSpecificOutput;
  const { additionalContext: context } = specific;
  // On Stop, context is one more reason to go on.
  const goesOn = wireEvent === 'Stop' && context !== undefined && output.decision !== 'block';
  const refused = output.decision === 'block' || specific.decision.behavior === 'deny' || goesOn;
  const stops = output.continue === false;
  const permission = refused ? 'deny' : permissionOf(output);
  const reason =
    (goesOn ? context : undefined) ??
    (output.decision === 'block' ? output.reason : undefined) ??
    specific.permissionDecisionReason ??
    specific.decision.message ??
    (stops ? output.stopReason : undefined) ??
    output.reason;
  const input = specific.updatedInput ?? specific.decision.updatedInput;
  const replaced = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...((stops || specific.decision.interrupt) && { stop: true }),
    ...(input && specific.permissionDecision !== 'defer' && { input }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(context && { context: [context] }),
    ...(output.systemMessage && { messages: [output.systemMessage] }),
  };
}

const claudeOutput = {
  continue: 'boolean',
  stopReason: 'string',
  suppressOutput: 'boolean',
  systemMessage: 'string',
  decision: ['block', 'approve'],
  reason: 'string',
  hookSpecificOutput: {
    permissionDecision: ['allow', 'deny', 'ask', 'defer'],
    permissionDecisionReason: 'string',
    updatedInput: 'record',
    updatedToolOutput: 'any',
    updatedMCPToolOutput: 'any',
    additionalContext: 'string',
    decision: {
      behavior: ['allow', 'deny'],
      message: 'string',
      interrupt: 'boolean',
      updatedInput: 'record',
    },
  },
} as const;

type ClaudeOutput = Printed<typeof claudeOutput>;

/** `defer` hands the call to whoever drives the program: here, it asks. */
function permissionOf(output: ClaudeOutput): Answer['permission'] {
  const specific = output.hookSpecificOutput;
  if (specific.permissionDecision === 'defer') return 'ask';
  if (specific.permissionDecision) return specific.permissionDecision;
  return specific.decision.behavior === 'allow' || output.decision === 'approve' ? 'allow' : undefined;
}
