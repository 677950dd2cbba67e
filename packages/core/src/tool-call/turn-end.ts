import type { TurnEndReason } from '../event/catalogue/model.ts';

/**
 * The reason for a turn that a hook ended: `loop_detected` if the hook's own id (without its provider) is
 * `loop_detected`.
 * @param by the hook's id
 */
export function turnEndOf(by: string | undefined): TurnEndReason {
  return by !== undefined && /(^|\/)loop_detected$/.test(by) ? 'loop_detected' : 'hook_blocked';
}
