import type { ToolKind } from '@hooks/core';
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

/** One cell of a support table. */
export interface Need {
  readonly event: string;
  /** `block`, `retry` or `modify.<field>`; not set, that the event fires. */
  readonly decision?: string;
  readonly tool?: ToolKind;
  /** A kind of the event, where it tells one: the `switchKind` of `agent_switch`. */
  readonly kind?: string;
}

/** That the adapter fires an event, or honours a decision on it. */
export function can(token: { readonly type: string }, decision?: string): Need {
  return { event: token.type, ...(decision !== undefined && { decision }) };
}

/** That the adapter fires an event for tools of a kind. */
export function reaches(token: { readonly type: string }, tool: ToolKind): Need {
  return { event: token.type, tool };
}
