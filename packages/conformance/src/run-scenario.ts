import { tellBroken } from './broken-rule.ts';
import { cellName } from './cells.ts';
import type { AdapterHarness } from './harness.ts';
import type { Scenario } from './scenario.ts';
import { Stage } from './stage.ts';

/**
 * Plays one scenario once. Where its rule is broken it rejects with the failed expectation, which tells the rule, what the
 * model read and which tools ran. Else it resolves with what it proves: those of its needs that really happened, as cells of a support table (`before_tool_call block`).
 */
export async function runScenario(
  scenario: Scenario,
  harness: AdapterHarness,
  { stream }: { readonly stream: boolean },
): Promise<readonly string[]> {
  await using stage = new Stage(harness, stream);
  try {
    await scenario.play(stage);
  } catch (failure) {
    throw tellBroken(failure, scenario, stage);
  }
  const proven = scenario.needs.filter((need) => stage.happened.has(cellName(need)));
  return proven.flatMap((need) => [need.event, cellName(need)]);
}
