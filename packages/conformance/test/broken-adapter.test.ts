import { sampled } from '@hooks/testing/random';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catalogue } from '../src/catalogue.ts';
import { expectFailed, expectRefused } from '../src/excluded.ts';
import { families, runScenario, type Scenario } from '../src/index.ts';
import { caughtBy } from './caught-by.ts';
import type { Fault } from './reference/faults.ts';
import { referenceHarness } from './reference/harness.ts';
import { supports } from './reference/supports.ts';

const scenarios = families.flatMap((family) => family.scenarios);
/** A fault is caught by every third of its rules: by all with `HOOKS_RANDOM=1`. */
const EVERY = 3;
const faults = Object.entries(caughtBy).map(([fault, rules = []], at) => ({
  fault: fault as Fault,
  rules,
  // Each fault by some of its rules, of which neighbours have others.
  played: rules.length < EVERY ? rules : sampled(rules, EVERY, at),
}));

// Rare faults need many random runs to show. A scenario stops at the first that does.
beforeAll(() => void vi.stubEnv('HOOKS_RANDOM', '4'));
// The next file runs in the same process, and would play four times the whole suite.
afterAll(() => void vi.unstubAllEnvs());

describe.each(faults)('an adapter that $fault is caught', ({ fault, played }) => {
  test.each(played)('by "%s"', async (rule) => {
    const stream = fault.includes('stream');
    const run = runScenario(scenarioOf(rule), referenceHarness(fault), { stream });
    await expect(run).rejects.toThrow();
  });
});

test('every scenario is failed by at least one broken adapter', () => {
  const catching = new Set(faults.flatMap(({ rules }) => rules));
  expect(scenarios.map(({ rule }) => rule).filter((rule) => !catching.has(rule))).toEqual([]);
});

describe('a support table', () => {
  const prompt = catalogue.find(({ type }) => type === 'user_prompt_submit')!;
  const after = catalogue.find(({ type }) => type === 'after_tool_call')!;

  test('that declares a supported event as none fails the suite', async () => {
    await expect(expectRefused(referenceHarness(), prompt)).rejects.toThrow();
  });

  test('that declares a supported decision as none fails the suite', async () => {
    await expect(expectFailed(referenceHarness(), after, 'retry')).rejects.toThrow();
  });

  test('is not proved by a scenario without events', async () => {
    const pausing = scenarioOf('native: parallel calls are approved or denied one by one');
    const proved = (fault?: Fault) =>
      runScenario(pausing, referenceHarness(...(fault ? [fault] : [])), { stream: false });
    expect(supports.events['user_input_required']?.fires.level).toBe('emulated');
    expect(await proved()).toContain('user_input_required');
    expect(await proved('never fires user_input_required')).not.toContain('user_input_required');
  });
});

function scenarioOf(rule: string): Scenario {
  const found = scenarios.filter((scenario) => scenario.rule === rule);
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`${found.length} scenarios have the rule "${rule}".`);
}
