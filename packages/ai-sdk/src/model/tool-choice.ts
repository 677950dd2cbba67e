import type { ModelParams } from '../sdk.ts';

/*
 * The SDK rejects an answer without the call that `toolChoice` demands, also where hooks took the tool away or wrote the answer. It
 * checks the object that it gives the model with the request, and makes a new one for each step.
 */

type Choice = NonNullable<ModelParams['toolChoice']>;

const ofSteps = new WeakSet<Choice>();

/** Notes that the SDK made these parameters. Others may share their objects, which must not change. */
export function noteStep({ toolChoice }: ModelParams): void {
  if (toolChoice !== undefined) ofSteps.add(toolChoice);
}

/** Makes the SDK accept an answer without a call. */
export function demandNothing({ toolChoice }: ModelParams): void {
  if (toolChoice !== undefined && ofSteps.has(toolChoice)) toolChoice.type = 'auto';
}
