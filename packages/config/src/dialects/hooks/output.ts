import * as z from 'zod';
import type { Answer } from '../../protocol/answer.ts';
import { readSnakeOutput } from '../docker-agent/output.ts';
import { checked } from '../output.ts';

/** docker-agent's fields, and those that only we have. An unknown field is an error, since it was meant to do something. */
export function readHooksOutput(json: unknown): Answer {
  const { hook_specific_output: said, ...general } = checked(output, json);
  const { updated_tool_response: replaced, ...specific } = said;
  const patch = definedOnly({
    metadata: said.metadata,
    model: said.model,
    settings: said.settings,
    response: said.updated_response,
  });
  return {
    ...readSnakeOutput({ ...general, hook_specific_output: specific }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(said.updated_tool_name && { toolName: said.updated_tool_name }),
    ...(said.updated_prompt !== undefined && { prompt: said.updated_prompt }),
    ...(said.retry !== undefined && { retry: said.retry }),
    ...(Object.keys(patch).length > 0 && { patch }),
  };
}

const record = z.record(z.string(), z.unknown());

const output = z.strictObject({
  continue: z.boolean().optional(),
  stop_reason: z.string().optional(),
  suppress_output: z.boolean().optional(),
  system_message: z.string().optional(),
  decision: z.enum(['block', 'allow']).optional(),
  reason: z.string().optional(),
  hook_specific_output: z
    .strictObject({
      hook_event_name: z.string().optional(),
      permission_decision: z.enum(['allow', 'deny', 'ask']).optional(),
      permission_decision_reason: z.string().optional(),
      updated_input: record.optional(),
      updated_tool_name: z.string().optional(),
      updated_tool_response: z.unknown().optional(),
      updated_prompt: z.string().optional(),
      updated_response: z.string().optional(),
      additional_context: z.string().optional(),
      summary: z.string().optional(),
      retry: z.string().optional(),
      metadata: record.optional(),
      model: z.string().optional(),
      settings: record.optional(),
    })
    .default({}),
});

function definedOnly(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
