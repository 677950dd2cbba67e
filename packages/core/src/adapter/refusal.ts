import type { ToolCallOutcome } from '../tool-call/types.ts';

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
