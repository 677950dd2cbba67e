import {
  AfterToolCall,
  BeforeToolCall,
  type HookOptions,
  type Hooks,
  PermissionRequest,
  requireApproval,
  SessionEnd,
  SessionStart,
  Stop,
  TransformToolResult,
  TurnEnd,
  TurnStart,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
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
      // JavaScript callers have no compiler to stop them.
      hooks.on(BeforeToolCall, () => JSON.parse('{"permission":"maybe"}'), options),
    ),
    beforeACall('forgets to answer', (hooks, options) =>
      hooks.on(BeforeToolCall, () => JSON.parse('null'), options),
    ),
    {
      rule: 'a hook that throws on TransformToolResult withholds the result, and the run continues',
      needs: [can(TransformToolResult)],
      async play(stage) {
        stage.hooks.on(TransformToolResult, outOfOrder, { id: 'redactor' });
        await expectWithheld(stage, 'redactor');
      },
    },
    {
      rule: 'a hook that throws on AfterToolCall withholds the output, and the run continues',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, outOfOrder, { id: 'auditor' });
        await expectWithheld(stage, 'auditor');
      },
    },
    {
      rule: 'an observer that throws has no effect',
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
    {
      rule: 'a slow observer delays nothing',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const ran = Promise.withResolvers<void>();
        stage.hooks.observe(BeforeToolCall, () => ran.promise, { timeoutMs: 2_000 });
        const tool = stage.tool('weather', (city) => {
          ran.resolve();
          return `sunny in ${city}`;
        });
        expectAnswered(await stage.play(askWeather, { tools: [tool] }));
        await stage.hooks.settled();
        expect(stage.failures).toEqual([]);
      },
    },
    {
      rule: 'a hook that throws on an event without a gate leaves the run as it is',
      needs: [SessionStart, TurnStart, TurnEnd, Stop, SessionEnd].map((point) => can(point)),
      async play(stage) {
        stage.hooks.on(SessionStart, outOfOrder);
        stage.hooks.on(TurnStart, outOfOrder);
        stage.hooks.on(TurnEnd, outOfOrder);
        stage.hooks.on(Stop, outOfOrder);
        stage.hooks.on(SessionEnd, outOfOrder);
        expectAnswered(await stage.play(askWeather));
        await stage.hooks.settled();
        expect(stage.failures.map(({ event }) => event).toSorted()).toEqual([
          ...['session_end', 'session_start', 'stop', 'turn_end', 'turn_end', 'turn_start', 'turn_start'],
        ]);
      },
    },
    {
      rule: 'a hook that throws on PermissionRequest leaves the decision to the person',
      needs: [can(BeforeToolCall, 'modify.approval'), can(PermissionRequest)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(PermissionRequest, outOfOrder);
        const attach = { approval: () => ({ decision: 'allow' }) as const };
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(stage.failures).toHaveLength(1);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
  ],
};

function beforeACall(how: string, register: (hooks: Hooks, options: HookOptions) => void): Scenario {
  return {
    rule: `a hook that ${how} on BeforeToolCall blocks the call with a reason that names the hook, and the run continues`,
    needs: [can(BeforeToolCall, 'block')],
    async play(stage) {
      register(stage.hooks, { id: 'broken-gate' });
      const played = await stage.play(askWeather);
      expectAnswered(played);
      expect(stage.ran).toEqual([]);
      expect(played.read['c1']).toContain('broken-gate');
      expect(played.read['c1'], 'a model has no use for an address').not.toContain('http');
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
