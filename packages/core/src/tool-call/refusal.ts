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

/** Why a call did not run that a framework cannot tell from another one. */
export const SAME_ID =
  'The call did not run: another call has the same id, so their results cannot be told apart. Call the tool again, with an id of its own for each call.';

/** What the model reads of a call that did not go well. */
export function failureText({ message, error }: ToolCallOutcome): string {
  return message ?? errorText(error);
}

/** The text of what was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
