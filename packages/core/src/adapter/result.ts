import type { Hooks } from '../registry/hooks.ts';
import { callChains } from '../tool-call/chains.ts';

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
