import { type HookDecision, patchOf } from '../decision.ts';
import type { ModelSettings } from '../event/catalogue/model.ts';

const KNOWN: readonly (keyof ModelSettings)[] = [
  'temperature',
  'maxTokens',
  'reasoningEffort',
  'reasoningVisible',
];

/** Why a decision cannot be honored that sets what nobody would send to the model: an unknown setting, or one that the adapter does not carry. */
export function refusedSetting(
  decision: HookDecision,
  carried: readonly (keyof ModelSettings)[] = KNOWN,
): string | undefined {
  const { settings }: { readonly settings?: object } = patchOf(decision);
  const [lost] = Object.entries(settings ?? {}).filter(
    ([name, value]) => value !== undefined && !carried.some((one) => one === name),
  );
  return (
    lost &&
    `the setting ${JSON.stringify(lost[0])} does not reach the model here; expected ${carried.join(', ')}`
  );
}
