import type { HookDecision } from '../decision.ts';
import type { EventPayload } from '../event/event.ts';
import type { Flight } from './flight.ts';

/** What the hooks of one event may do to a call, beside what the event permits; as in `DispatchOptions`. */
export interface Rules {
  refuse?(flight: Flight, decision: HookDecision, event: EventPayload): string | undefined;
  verify?(flight: Flight, event: EventPayload): string | undefined | PromiseLike<string | undefined>;
  final?(flight: Flight, event: EventPayload): void;
}

/** Whatever the event permits. */
export const NO_RULES: Rules = {};
