import type { ApprovalAnswer, ApprovalRequest } from '@hooks/core';
import { type Fields, isFields } from '../message/message.ts';
import { visible } from '../options.ts';

/** Whether a client can show forms. An empty capability means that it can. */
export function canElicit({ elicitation }: Fields): boolean {
  return isFields(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

/** The part of an input that the form shows. */
const SHOWN = 4_000;

/** The form for the person. */
export function formFor({ toolName, input, reason }: ApprovalRequest): Fields {
  const json = JSON.stringify(input, undefined, 2) ?? '';
  const more = json.length - SHOWN;
  const shown =
    more > 0 ? `${json.slice(0, SHOWN)}\n… and ${more} more characters, which are not shown` : json;
  return {
    message: `${reason}\n\n${toolName} ${shown}`.split('\n').map(visible).join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        allow: { type: 'boolean', title: 'Allow this call', description: 'It runs once, with this input.' },
      },
      required: ['allow'],
    },
  };
}

/** The person's answer. Only `accept` with a yes allows the call. */
export function answerIn(reply: unknown): ApprovalAnswer {
  const { action, content } = isFields(reply) ? reply : {};
  if (action === 'accept' && isFields(content) && content['allow'] === true) return { decision: 'allow' };
  return action === 'cancel' ? { decision: 'canceled' } : { decision: 'deny' };
}
