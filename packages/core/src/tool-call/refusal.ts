import type { ToolCallOutcome } from './types.ts';

/**
 * What the model reads of a call that a person denied. Undefined if neither the person nor a hook gave a reason; the
 * framework then words it.
 * @param given the person's reason, if any
 */
export function refusalText(
  { by, message, reason }: ToolCallOutcome,
  given: string | undefined,
): string | undefined {
  return given !== undefined || by !== undefined || message !== reason ? message : undefined;
}
