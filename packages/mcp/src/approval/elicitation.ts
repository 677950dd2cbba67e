import type { ApprovalAnswer, ApprovalRequest } from '@hooks/core';
import { type Fields, isFields } from '../message/message.ts';

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
    message: visible(`${reason}\n\n${toolName} ${shown}`),
    requestedSchema: {
      type: 'object',
      properties: {
        allow: { type: 'boolean', title: 'Allow this call', description: 'It runs once, with this input.' },
      },
      required: ['allow'],
    },
  };
}

/** Makes hidden characters visible: control characters, and those that reverse text. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
    sign === '\n' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}

/** The person's answer. Only `accept` with a yes allows the call. */
export function answerIn(reply: unknown): ApprovalAnswer {
  const { action, content } = isFields(reply) ? reply : {};
  if (action === 'accept' && isFields(content) && content['allow'] === true) return { decision: 'allow' };
  return action === 'cancel' ? { decision: 'canceled' } : { decision: 'deny' };
}
