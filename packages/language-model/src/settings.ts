import type { HookDecision } from '@hooks/core';
import { refusedSetting } from '@hooks/core/adapter';

/** Why a decision cannot be honored: no setting of the protocol shows the reasoning, only options of each provider do. */
export function lostSetting(decision: HookDecision): string | undefined {
  return refusedSetting(decision, ['temperature', 'maxTokens', 'reasoningEffort']);
}
