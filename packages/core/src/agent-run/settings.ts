import { type HookDecision, patchOf } from '../decision.ts';
import type { ModelSettings } from '../event/catalogue/model.ts';

const KNOWN: readonly (keyof ModelSettings)[] = [
  'temperature',
  'maxTokens',
  'reasoningEffort',
  'reasoningVisible',
];

/** Why a decision cannot be honored that sets what no adapter sends to the model. */
export function refusedSetting(decision: HookDecision): string | undefined {
  const { settings }: { readonly settings?: object } = patchOf(decision);
  const lost = Object.entries(settings ?? {}).find(
    ([name, value]) => value !== undefined && !KNOWN.some((one) => one === name),
  );
  return (
    lost &&
    `the setting ${JSON.stringify(lost[0])} does not reach the model here; expected ${KNOWN.join(', ')}`
  );
}
