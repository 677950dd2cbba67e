import type { Answer } from '../../protocol/answer.ts';
import { checked, refuseMisplaced } from '../output.ts';

/**
 * The output of a docker-agent hook: `decision: block`, permissions, rewrites and context. Unknown fields are ignored.
 */
export function readSnakeOutput(json: unknown): Answer {
  refuseMisplaced(snakeOutput, json);
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
  };
}

const snakeOutput = {
  continue: 'boolean',
  stop_reason: 'string',
  // No effect: stdout is never kept, except for the answer in it.
  suppress_output: 'boolean',
  system_message: 'string',
  decision: ['block', 'deny', 'approve', 'allow', ''],
  reason: 'string',
  hook_specific_output: {
    permission_decision: ['allow', 'deny', 'ask'],
    permission_decision_reason: 'string',
    updated_input: 'record',
    updated_tool_response: 'string',
    additional_context: 'string',
    summary: 'string',
  },
} as const;
