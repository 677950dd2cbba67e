import { families, runScenario } from '@hooks/conformance';
import { describe, expect, test } from 'vitest';
import { witnessed } from './harness.ts';

const scenarios = families.filter(({ name }) => name === 'redaction').flatMap((family) => family.scenarios);

describe.each([false, true])(
  "also where traces and a user's processors are watched (streamed: %s)",
  (stream) => {
    test.each(scenarios.map((scenario) => [scenario.rule, scenario] as const))(
      '%s',
      async (_rule, scenario) => {
        const proven = await runScenario(scenario, witnessed, { stream });
        expect(proven).not.toEqual([]);
      },
    );
  },
);
