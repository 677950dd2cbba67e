import type { TurnEndReason } from '../event/catalogue/model.ts';

/**
 * How a turn ended that a hook ended: `loop_detected` where it was a loop guard, which is a hook whose own id (without
 * its provider) is `loop_detected`.
 *
 * @param by the id of the hook that said so
 */
export function turnEndOf(by: string | undefined): TurnEndReason {
  return by !== undefined && /(^|\/)loop_detected$/.test(by) ? 'loop_detected' : 'hook_blocked';
}
