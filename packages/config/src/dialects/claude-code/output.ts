import * as z from 'zod';
import type { Answer } from '../../protocol/answer.ts';
import { checked } from '../output.ts';

/** What a Claude Code hook prints. Unknown fields are ignored. */
export function readClaudeOutput(json: unknown, wireEvent: string): Answer {
  const output = checked(claudeOutput, json);
  const specific = output.hookSpecificOutput;
  const { additionalContext: context } = specific;
  // On Stop, context is one more reason to go on.
  const goesOn = wireEvent === 'Stop' && context !== undefined && output.decision !== 'block';
  const refused = output.decision === 'block' || specific.decision?.behavior === 'deny' || goesOn;
  const stops = output.continue === false;
  const permission = refused ? 'deny' : permissionOf(output);
  const reason =
    (goesOn ? context : undefined) ??
    (output.decision === 'block' ? output.reason : undefined) ??
    specific.permissionDecisionReason ??
    specific.decision?.message ??
    (stops ? output.stopReason : undefined) ??
    output.reason;
  const input = specific.updatedInput ?? specific.decision?.updatedInput;
  const replaced = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...((stops || specific.decision?.interrupt) && { stop: true }),
    ...(input && specific.permissionDecision !== 'defer' && { input }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(context && { context: [context] }),
    ...(output.systemMessage && { messages: [output.systemMessage] }),
  };
}

const record = z.record(z.string(), z.unknown());

const claudeOutput = z.object({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(['block', 'approve']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .object({
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: record.optional(),
      updatedToolOutput: z.unknown().optional(),
      updatedMCPToolOutput: z.unknown().optional(),
      additionalContext: z.string().optional(),
      decision: z
        .object({
          behavior: z.enum(['allow', 'deny']),
          message: z.string().optional(),
          interrupt: z.boolean().optional(),
          updatedInput: record.optional(),
        })
        .optional(),
    })
    .default({}),
});

type ClaudeOutput = z.infer<typeof claudeOutput>;

/** `defer` hands the call to whoever drives the program: here, it asks. */
function permissionOf(output: ClaudeOutput): Answer['permission'] {
  const specific = output.hookSpecificOutput;
  if (specific.permissionDecision === 'defer') return 'ask';
  if (specific.permissionDecision) return specific.permissionDecision;
  return specific.decision?.behavior === 'allow' || output.decision === 'approve' ? 'allow' : undefined;
}
