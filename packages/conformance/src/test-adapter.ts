import { describe, test } from 'vitest';
import { isStreamedIn, times } from './draw.ts';
import type { AdapterHarness } from './harness.ts';
import { Proof } from './proof.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { families } from './scenarios/index.ts';
import { unmet } from './supported.ts';
import { testSupports } from './test-supports.ts';

/**
 * Runs the whole suite against an adapter in a vitest file, each scenario plain and, if the framework can stream,
 * streamed. Skips what `harness.supports` declares as `none`, with the reason in the test's name. With `HOOKS_RANDOM`
 * below 1, runs a part: each scenario in one form, and that share of the random ones.
 *
 * @example
 * import { testAdapter } from '@hooks/conformance';
 * import { harness } from './harness.ts';
 *
 * testAdapter(harness);
 */
export function testAdapter(harness: AdapterHarness): void {
  describe(`${harness.supports.adapter} conforms`, { timeout: HANGS_AFTER_MS * Math.max(1, times()) }, () => {
    testSupports(harness);
    const proof = new Proof(harness);
    for (const { name, scenarios } of families) {
      describe(name, () => {
        for (const scenario of scenarios) testScenario(scenario, harness, proof);
      });
    }
    proof.test();
  });
}

/** Stops a hanging test. Generous, because some scenarios start processes on busy machines. */
const HANGS_AFTER_MS = 240_000;

function testScenario(scenario: Scenario, harness: AdapterHarness, proof: Proof): void {
  const isRun = (stream: boolean): boolean =>
    unmet(harness.supports, scenario.needs, stream) === undefined && scenario.appliesTo?.(harness) !== false;
  const forms = scenario.plainOnly || harness.streams === false ? [false] : [false, true];
  const inPart = isStreamedIn(`${harness.supports.adapter} ${scenario.rule}`);
  const isPart = times() < 1 && forms.filter(isRun).length > 1;
  for (const stream of forms) {
    const form = scenario.plainOnly ? '' : stream ? ' (streamed)' : ' (plain)';
    const name = `${scenario.rule}${form}`;
    const why = unmet(harness.supports, scenario.needs, stream);
    if (why !== undefined) test.skip(`${name}: ${why}`);
    else if (scenario.appliesTo?.(harness) === false) test.skip(name);
    else if (isPart && stream !== inPart) test.skip(`${name} (not run: HOOKS_RANDOM=1 plays both forms)`);
    else {
      const gap = harness.knownGaps?.some((known) => known === scenario.rule || known === name);
      if (gap) proof.excuse(scenario, stream);
      else proof.expect(scenario, stream);
      (gap ? test.fails : test)(name, { concurrent: true }, async () => {
        proof.played(scenario, stream, await runScenario(scenario, harness, { stream }));
      });
    }
  }
}
