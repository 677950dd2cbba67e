import {
  AfterToolCall,
  BeforeToolCall,
  type HookOptions,
  type Hooks,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, type Family, type Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, expectAnswered, outOfOrder } from './script.ts';

/** Gates fail closed. */
export const failedHooks: Family = {
  name: 'hooks that fail',
  scenarios: [
    beforeACall('throws', (hooks, options) => hooks.on(BeforeToolCall, outOfOrder, options)),
    beforeACall('rejects', (hooks, options) =>
      hooks.on(BeforeToolCall, () => Promise.reject(new Error('out of order')), options),
    ),
    beforeACall('hangs past its timeout', (hooks, options) =>
      hooks.on(BeforeToolCall, () => new Promise<never>(() => {}), { ...options, timeoutMs: 20 }),
    ),
    beforeACall('answers nonsense', (hooks, options) =>
      // JavaScript callers have no compiler that says no.
      hooks.on(BeforeToolCall, () => JSON.parse('{"permission":"maybe"}'), options),
    ),
    beforeACall('forgets to answer', (hooks, options) =>
      hooks.on(BeforeToolCall, () => JSON.parse('null'), options),
    ),
    {
      rule: 'a hook that throws in TransformToolResult: the result is withheld, and the run goes on',
      needs: [can(TransformToolResult)],
      async play(stage) {
        stage.hooks.on(TransformToolResult, outOfOrder, { id: 'redactor' });
        await expectWithheld(stage, 'redactor');
      },
    },
    {
      rule: 'a hook that throws in AfterToolCall: the output is withheld, and the run goes on',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, outOfOrder, { id: 'auditor' });
        await expectWithheld(stage, 'auditor');
      },
    },
    {
      rule: 'an observer that throws touches nothing',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        stage.hooks.observe(BeforeToolCall, outOfOrder);
        stage.hooks.observe(AfterToolCall, outOfOrder);
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
        expect(stage.failures).toHaveLength(2);
      },
    },
  ],
};

function beforeACall(how: string, register: (hooks: Hooks, options: HookOptions) => void): Scenario {
  return {
    rule: `a hook that ${how} before a call: blocked with a reason that names the hook, and the run goes on`,
    needs: [can(BeforeToolCall, 'block')],
    async play(stage) {
      register(stage.hooks, { id: 'broken-gate' });
      const played = await stage.play(askWeather);
      expectAnswered(played);
      expect(stage.ran).toEqual([]);
      expect(played.read['c1']).toContain('broken-gate');
      expect(stage.failures.map(({ hook }) => hook)).toEqual(['broken-gate']);
    },
  };
}

async function expectWithheld(stage: Stage, hook: string): Promise<void> {
  const played = await stage.play(askWeather);
  expectAnswered(played);
  expect(stage.ran).toHaveLength(1);
  expect(played.read['c1']).toContain(hook);
  expect(played.read['c1']).not.toContain('sunny');
}
