import type { Answer } from '../../protocol/answer.ts';
import { sharedOutput, sharedSpecific } from '../claude-code/output.ts';
import { checked } from '../output.ts';

/**
 * The output of a Codex hook. As in Codex, an unknown field is an error. A refusal that Codex would drop for want of a
 * reason still refuses here, and an allow that it does not carry out allows nothing.
 */
export function readCodexOutput(json: unknown, wireEvent: string): Answer {
  const output = checked(codexOutput, json, { strict: true });
  const specific = output.hookSpecificOutput;
  const { behavior, message, interrupt, updatedPermissions } = specific.decision;
  if (updatedPermissions !== undefined)
    throw new Error('hookSpecificOutput.decision.updatedPermissions: Codex does not carry it out');
  if (specific.updatedMCPToolOutput !== undefined)
    throw new Error('hookSpecificOutput.updatedMCPToolOutput: Codex does not carry it out');
  const input = specific.updatedInput ?? specific.decision.updatedInput;
  if (input !== undefined && specific.permissionDecision !== 'allow')
    throw new Error('hookSpecificOutput.updatedInput: Codex takes it with permissionDecision "allow" only');
  const stops = output.continue === false;
  const refused =
    output.decision === 'block' || specific.permissionDecision === 'deny' || behavior === 'deny';
  const grants = wireEvent === 'PermissionRequest' && behavior === 'allow';
  const permission = refused
    ? 'deny'
    : specific.permissionDecision === 'ask'
      ? 'ask'
      : grants
        ? 'allow'
        : undefined;
  const reason =
    (output.decision === 'block' ? output.reason : undefined) ??
    specific.permissionDecisionReason ??
    message ??
    (stops ? output.stopReason : undefined) ??
    output.reason;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...((stops || interrupt) && { stop: true }),
    ...(input && { input }),
    ...(specific.additionalContext && { context: [specific.additionalContext] }),
    ...(output.systemMessage && { messages: [output.systemMessage] }),
  };
}

const codexOutput = {
  ...sharedOutput,
  hookSpecificOutput: {
    hookEventName: 'string',
    permissionDecision: ['allow', 'deny', 'ask'],
    ...sharedSpecific,
  },
} as const;
