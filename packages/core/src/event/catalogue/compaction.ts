import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { CompactionEvent } from './groups.ts';

/** The numbers of a compaction. */
export interface CompactionPayload extends EventPayload {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The model's limit in tokens; 0 if unknown. */
  readonly contextLimit: number;
  readonly reason: 'threshold' | 'overflow' | 'manual';
  readonly source: 'manual' | 'auto' | 'overflow' | 'tool_overflow';
}

/**
 * Before the history is compacted.
 *
 * - Permits Block (veto: the history stays) and Modify of `summary` (used as it is, no model is asked) and `context`
 *   (guidance for whoever writes the summary).
 * - A failed hook proceeds.
 */
export interface BeforeCompaction extends CompactionPayload {
  readonly summary?: string;
  readonly context?: readonly string[];
}
export const BeforeCompaction: EventToken<BeforeCompaction, 'block' | 'modify', 'summary' | 'context'> =
  /* @__PURE__ */ makeEvent<BeforeCompaction>()({
    type: 'before_compaction',
    permits: ['block', 'modify'],
    modifies: ['summary', 'context'],
    shapes: { summary: 'string' },
    onFailure: 'proceed',
    extends: CompactionEvent,
  });

/**
 * The history was compacted.
 *
 * Can only be observed.
 */
export interface AfterCompaction extends CompactionPayload {
  readonly summary: string;
}
export const AfterCompaction: EventToken<AfterCompaction> = /* @__PURE__ */ makeEvent<AfterCompaction>()({
  type: 'after_compaction',
  extends: CompactionEvent,
});
