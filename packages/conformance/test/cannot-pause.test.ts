// If an adapter's table says that runs cannot pause, no scenario requires a pause.
import { sampled } from '@hooks/testing/random';
import { expect, test } from 'vitest';
import { type AdapterHarness, families, runScenario } from '../src/index.ts';
import { unmet } from '../src/supported.ts';
import { referenceHarness } from './reference/harness.ts';

const reference = referenceHarness();
const fires = { level: 'none', note: 'runs do not pause' } as const;
const { events } = reference.supports;
const harness: AdapterHarness = {
  ...reference,
  supports: { adapter: 'reference', events: { ...events, user_input_required: { fires } } },
  agent(spec) {
    const asks = spec.tools.some(({ needsApproval = false }) => needsApproval);
    if (asks || spec.attach.approval === 'native') throw new Error('Runs of this framework cannot pause.');
    return reference.agent(spec);
  },
};

const scenarios = families.flatMap((family) => family.scenarios);
const applying = scenarios.filter(({ needs }) => unmet(harness.supports, needs, false) === undefined);

// A third of the scenarios; all with `HOOKS_RANDOM=1`.
test.each(sampled(applying, 3, 0))('an adapter without pauses: $rule', async (scenario) => {
  await runScenario(scenario, harness, { stream: false });
});

test('scenarios with a pause are skipped for an adapter that cannot pause', () => {
  const skipped = scenarios.filter((scenario) => !applying.includes(scenario)).map(({ rule }) => rule);
  expect(skipped.length).toBeGreaterThan(20);
  expect(scenarios.filter(({ rule }) => rule.includes('native: ')).map(({ rule }) => rule)).toEqual(
    skipped.filter((rule) => rule.includes('native: ')),
  );
});
