import { tellBroken } from './broken-rule.ts';
import { cellName } from './cells.ts';
import type { AdapterHarness } from './harness.ts';
import type { Scenario } from './scenario.ts';
import { expectRead, Stage } from './stage.ts';

/**
 * Runs one scenario once. If its rule is broken, rejects with the failed expectation, which names the rule, what the
 * model read and which tools ran. Otherwise resolves to the cells of a support table that it proves (`before_tool_call
 * block`): those of its needs that really happened.
 */
export async function runScenario(
  scenario: Scenario,
  harness: AdapterHarness,
  { stream }: { readonly stream: boolean },
): Promise<readonly string[]> {
  await using stage = new Stage(harness, stream);
  try {
    await scenario.play(stage);
    expectRead(stage);
  } catch (failure) {
    throw tellBroken(failure, scenario, stage);
  }
  const proven = scenario.needs.filter((need) => stage.happened.has(cellName(need)));
  return proven.flatMap((need) => [need.event, cellName(need)]);
}
