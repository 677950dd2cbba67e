/**
 * What this adapter uses of the observational memory of `@mastra/memory`, which has no documented hook that can veto.
 * `test/internals.test.ts` holds it against what is there.
 */

import type { NativeCompaction } from '../native.ts';

/** The processor that `@mastra/memory` makes of its observational memory. */
export interface ObservationalProcessor {
  readonly engine: Engine;
}

/** Observational memory itself, as far as this adapter uses it. */
export interface Engine {
  readonly scope: 'thread' | 'resource';
  readonly observer: Observer;
  /** Writes observations of what is too much, and takes them into use. */
  observe(options: Stretch): Promise<{ readonly observed: boolean; readonly record: ObservationRecord }>;
  /** Writes observations ahead of time, beside the run. */
  buffer(options: Stretch): Promise<{ readonly buffered: boolean; readonly record: ObservationRecord }>;
  /** Takes those into use that were written ahead of time. */
  activate(options: Stretch): Promise<{ readonly activated: boolean; readonly record: ObservationRecord }>;
  getStatus(options: Stretch): Promise<Status>;
  getObservationConfig(): { readonly instruction?: string };
}

/** A part of a conversation. */
export interface Stretch {
  readonly threadId: string;
  readonly resourceId?: string;
  readonly messages?: NativeCompaction['messages'];
  readonly trigger?: string;
}

/** How much of it waits to be observed. */
export interface Status {
  readonly pendingTokens: number;
  readonly record: ObservationRecord;
}

/** What was observed so far. */
export interface ObservationRecord {
  readonly activeObservations?: string;
  readonly observationTokenCount?: number;
}

/** What writes observations. */
export interface Observer {
  call(...given: readonly unknown[]): Promise<{ readonly observations: string }>;
}

/** Whether a processor is that of observational memory. */
export function isObservational(processor: unknown): processor is ObservationalProcessor {
  return (
    typeof processor === 'object' &&
    processor !== null &&
    'id' in processor &&
    processor.id === 'observational-memory' &&
    'engine' in processor
  );
}
