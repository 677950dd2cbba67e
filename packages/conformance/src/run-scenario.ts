import type { AdapterHarness } from './harness.ts';
import type { Scenario } from './scenario.ts';
import { Stage } from './stage.ts';

/** Plays one scenario once; rejects with the failed expectation where its rule is broken. */
export async function runScenario(
  scenario: Scenario,
  harness: AdapterHarness,
  { stream }: { readonly stream: boolean },
): Promise<void> {
  const stage = new Stage(harness, stream);
  try {
    await scenario.play(stage);
  } finally {
    await stage.close();
  }
}
