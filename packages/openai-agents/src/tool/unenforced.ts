import type { SdkFunctionTool } from '../internals.ts';

/**
 * What the SDK would enforce of a tool if the model called it, and does not where a hook puts it in another's place.
 *
 * @param asks whether the SDK itself asks before its calls
 */
export function unenforcedOf(
  { inputGuardrails = [], outputGuardrails = [], timeoutMs }: SdkFunctionTool,
  asks: boolean,
): string | undefined {
  if (inputGuardrails.length + outputGuardrails.length > 0)
    return 'has guardrails, which the SDK would not run';
  if (timeoutMs !== undefined) return 'has a timeout, which the SDK would not enforce';
  return asks ? 'asks for approval, which the SDK would not do' : undefined;
}
