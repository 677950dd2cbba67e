import type { Answer } from '../../protocol/answer.ts';
import { readSnakeOutput } from '../docker-agent/output.ts';
import { checked } from '../output.ts';

/** docker-agent's fields, and our own. An unknown field is an error, because it was meant to have an effect. */
export function readHooksOutput(json: unknown): Answer {
  const {
    hook_specific_output: said,
    decision,
    command,
    ...general
  } = checked(output, json, { strict: true });
  const { updated_tool_response: replaced, ...specific } = said;
  const patch = definedOnly({
    metadata: said.metadata,
    model: said.model,
    settings: said.settings,
    response: said.updated_response,
  });
  return {
    ...readSnakeOutput({
      ...general,
      ...(decision !== 'route' && { decision }),
      hook_specific_output: specific,
    }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(said.updated_tool_name && { toolName: said.updated_tool_name }),
    ...(said.updated_prompt !== undefined && { prompt: said.updated_prompt }),
    ...(said.retry !== undefined && { retry: said.retry }),
    ...(decision === 'route' && { route: command === undefined ? {} : { command } }),
    ...(Object.keys(patch).length > 0 && { patch }),
  };
}

const output = {
  continue: 'boolean',
  stop_reason: 'string',
  suppress_output: 'boolean',
  system_message: 'string',
  decision: ['block', 'allow', 'route'],
  command: 'string',
  reason: 'string',
  hook_specific_output: {
    hook_event_name: 'string',
    permission_decision: ['allow', 'deny', 'ask'],
    permission_decision_reason: 'string',
    updated_input: 'record',
    updated_tool_name: 'string',
    updated_tool_response: 'any',
    updated_prompt: 'string',
    updated_response: 'string',
    additional_context: 'string',
    summary: 'string',
    retry: 'string',
    metadata: 'record',
    model: 'string',
    settings: 'record',
  },
} as const;

function definedOnly(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
