import type { HookDecision, HookInfo } from '@hooks/core';
import type { JournalReading } from '../read/parse.ts';
import type { RecordedDecision, RegisteredHook } from '../record/types.ts';
import { decisionFrom } from './from-record.ts';

/** A recorded answer that stands. */
interface KeptAnswer {
  readonly decision: HookDecision;
  /** What the hook asked outside of its process. */
  readonly external?: string;
}

/** Recorded answers of interceptors, by the ids of these. */
export type Kept = ReadonlyMap<string, KeptAnswer>;

/**
 * A journal does not hold what a hook replaced, so neither that hook nor one ahead of it can be asked again. Where the policy has the
 * same interceptors up to there, their recorded answers stand, and everybody behind them is asked about the value on record.
 *
 * @param fields whose value is not recorded as it was
 * @param hooks those of the policy that would be asked
 * @param registered the hooks of the recorded policy, where the journal has them
 * @returns undefined where the policy has others there, so that nobody knows what would have been replaced
 */
export function keptOf(
  reading: JournalReading,
  fields: readonly string[],
  hooks: readonly HookInfo[],
  registered: readonly RegisteredHook[] = [],
): Kept | undefined {
  const asked = (reading.record.hooks ?? [])
    .map((hook, index) => ({ ...hook, index }))
    .filter(({ verb }) => verb === 'on');
  const last = asked.findLastIndex(({ decision }) => replaces(decision, fields));
  const before = asked.slice(0, last + 1);
  const present = hooks.filter(({ verb }) => verb === 'on');
  const kept = new Map<string, KeptAnswer>();
  for (const [position, { id, index, decision, external }] of before.entries()) {
    const info = present[position];
    const was = registered.find((hook) => hook.id === id);
    if (info?.id !== id || info.version !== was?.version) return undefined;
    const answer = decisionFrom(reading, index, decision && withoutSuperseded(decision));
    if (answer === undefined) return undefined;
    kept.set(id, { decision: answer, ...(external !== undefined && { external }) });
  }
  return kept;
}

/** Whether a hook replaced one of the fields. */
export function replaces(decision: RecordedDecision | undefined, fields: readonly string[]): boolean {
  return decision?.fields?.some((field) => fields.includes(field)) === true;
}

/** Nobody who is asked sees a value that a later hook replaced. */
function withoutSuperseded(decision: RecordedDecision): RecordedDecision {
  const { superseded, fields, ...rest } = decision;
  if (superseded === undefined) return decision;
  return { ...rest, fields: fields?.filter((field) => !superseded.includes(field)) ?? [] };
}
