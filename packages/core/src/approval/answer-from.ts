import { readFields } from '../plain.ts';
import type { ApprovalAnswer } from './approval.ts';

const FIELDS = Object.keys({
  decision: true,
  by: true,
  reason: true,
  input: true,
  output: true,
  source: true,
  remember: true,
  matching: true,
} satisfies Record<keyof ApprovalAnswer, true>);

/**
 * What an approver has answered, read once: a field may be a getter, or of a class, and the object may change later.
 *
 * @param given anything, as programs without types give it
 */
export function answerFrom(given: unknown): Partial<ApprovalAnswer> {
  return readFields(Object(given), FIELDS);
}
