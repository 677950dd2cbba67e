import type { Hooks } from '../hooks.ts';
import { callChains } from '../tool-call/chains.ts';
import type { ToolCallOutcome } from '../tool-call/types.ts';

/** Whether any hook is told of the results of this tool. */
export function hearsResult(hooks: Hooks, toolName: string): boolean {
  const { transform, after } = callChains(hooks['~internal'], toolName);
  return !transform.empty || !after.empty;
}

/** Whether any hook may change or refuse the results of this tool: what it streams meanwhile has to wait for that. */
export function decidesResult(hooks: Hooks, toolName: string): boolean {
  const { transform, after } = callChains(hooks['~internal'], toolName);
  return transform.deciders.length + after.deciders.length > 0;
}

/**
 * What the model is to read of a call that a person refused; undefined where neither the person nor a hook has worded
 * it, so that the framework does.
 *
 * @param given the person's reason, where there is one
 */
export function refusalText(
  { by, message, reason }: ToolCallOutcome,
  given: string | undefined,
): string | undefined {
  return given !== undefined || by !== undefined || message !== reason ? message : undefined;
}
