import { isStepCount } from 'ai';
import type { StopWhen } from '../sdk.ts';

const ofSteps = String(isStepCount(1));

/** Whether a condition is the SDK's step limit. Others (`hasToolCall`, the user's own) end a run that is done. */
export function isLimit(condition: StopWhen): boolean {
  return String(condition) === ofSteps;
}
