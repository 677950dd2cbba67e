import * as z from 'zod';
import type { Answer } from '../../protocol/answer.ts';
import { checked } from '../output.ts';

/** What a docker-agent hook prints: `decision: block`, permissions, rewrites and context. Unknown fields are ignored. */
export function readSnakeOutput(json: unknown): Answer {
  const output = checked(snakeOutput, json);
  const { hook_specific_output: specific } = output;
  const refused = output.decision === 'block' || output.decision === 'deny';
  const stops = output.continue === false;
  const permission = refused ? 'deny' : specific.permission_decision;
  const reason =
    (refused ? output.reason : undefined) ??
    specific.permission_decision_reason ??
    (stops ? output.stop_reason : undefined) ??
    output.reason;
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...(stops && { stop: true }),
    ...(specific.updated_input && { input: specific.updated_input }),
    ...(specific.updated_tool_response !== undefined && {
      output: { value: specific.updated_tool_response },
    }),
    ...(specific.additional_context && { context: [specific.additional_context] }),
    ...(specific.summary && { summary: specific.summary }),
    ...(output.system_message && { messages: [output.system_message] }),
    ...(output.suppress_output && { quiet: true }),
  };
}

const snakeOutput = z.object({
  continue: z.boolean().optional(),
  stop_reason: z.string().optional(),
  suppress_output: z.boolean().optional(),
  system_message: z.string().optional(),
  decision: z.enum(['block', 'deny', 'approve', 'allow', '']).optional(),
  reason: z.string().optional(),
  hook_specific_output: z
    .object({
      permission_decision: z.enum(['allow', 'deny', 'ask']).optional(),
      permission_decision_reason: z.string().optional(),
      updated_input: z.record(z.string(), z.unknown()).optional(),
      updated_tool_response: z.string().optional(),
      additional_context: z.string().optional(),
      summary: z.string().optional(),
    })
    .default({}),
});
