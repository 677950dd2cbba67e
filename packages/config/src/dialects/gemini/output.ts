import type { Answer } from '../../protocol/answer.ts';
import { checked, refuseMisplaced } from '../output.ts';
import { geminiEvents } from './events.ts';

/**
 * The output of a Gemini CLI hook. A field that would change the model's request or answer, or call another tool, makes
 * the hook fail, because nothing here carries it out.
 */
export function readGeminiOutput(json: unknown, wireEvent: string): Answer {
  refuseMisplaced(geminiOutput, json);
  const output = checked(geminiOutput, json);
  const specific = output.hookSpecificOutput;
  for (const field of ['llm_request', 'llm_response', 'toolConfig', 'tailToolCallRequest'] as const) {
    if (specific[field] !== undefined)
      throw new Error(`hookSpecificOutput.${field}: only Gemini CLI carries it out`);
  }
  const stops = output.continue === false;
  const refused = output.decision === 'deny' || output.decision === 'block';
  const reason = output.reason ?? (stops ? output.stopReason : undefined);
  const takes = geminiEvents[wireEvent]?.takes ?? [];
  const messages = [
    ...(output.systemMessage ? [output.systemMessage] : []),
    ...(specific.clearContext
      ? [`A ${wireEvent} hook answered clearContext, which has no effect here.`]
      : []),
    ...(specific.additionalContext && !takes.includes('context')
      ? [`A ${wireEvent} hook answered additionalContext, which has no effect here.`]
      : []),
  ];
  return {
    ...(refused && { permission: 'deny' }),
    ...(output.decision === 'ask' && { permission: 'ask' }),
    ...(reason && { reason }),
    ...(stops && { stop: true }),
    ...(specific.tool_input && { input: specific.tool_input }),
    ...(specific.additionalContext && { context: [specific.additionalContext] }),
    ...(messages.length > 0 && { messages }),
  };
}

const geminiOutput = {
  continue: 'boolean',
  stopReason: 'string',
  suppressOutput: 'boolean',
  systemMessage: 'string',
  decision: ['allow', 'approve', 'deny', 'block', 'ask'],
  reason: 'string',
  hookSpecificOutput: {
    tool_input: 'record',
    additionalContext: 'string',
    clearContext: 'boolean',
    llm_request: 'any',
    llm_response: 'any',
    toolConfig: 'any',
    tailToolCallRequest: 'any',
  },
} as const;
