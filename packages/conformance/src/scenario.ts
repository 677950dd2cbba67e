import type { Need } from './need.ts';
import type { Stage } from './stage.ts';

/** A rule that every adapter keeps, and how to see whether it does. */
export interface Scenario {
  /** The rule, as a sentence. */
  readonly rule: string;
  /** What the adapter's `supports` must hold for the rule to apply; where it says `none`, the scenario is skipped with its note. */
  readonly needs: readonly Need[];
  /** The streamed form says nothing that the plain one does not. */
  readonly plainOnly?: boolean;
  /** Whether this harness has what the rule is about, beside `supports`. */
  readonly appliesTo?: (harness: Stage['harness']) => boolean;
  /** Rejects where the rule is broken. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Scenarios about one thing. */
export interface Family {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}
