import type { Need } from './need.ts';
import type { Stage } from './stage.ts';

/** A rule that every adapter keeps, and a check for it. */
export interface Scenario {
  /** The rule, as a sentence. */
  readonly rule: string;
  /**
   * The cells of the adapter's `supports` that the rule depends on. If one is `none`, the scenario is skipped with its
   * note.
   */
  readonly needs: readonly Need[];
  /** The streamed form would prove nothing more. */
  readonly plainOnly?: boolean;
  /** Whether the rule applies to this harness, apart from `supports`. */
  readonly appliesTo?: (harness: Stage['harness']) => boolean;
  /** Rejects if the rule is broken. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Scenarios about one topic. */
export interface Family {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}
