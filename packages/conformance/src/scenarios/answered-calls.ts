import { AfterToolCall, BeforeToolCall, block, HookEvent, requireApproval, SessionEnd } from '@hooks/core';
import { expect } from 'vitest';
import { can, canPause } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';

const needs = [can(BeforeToolCall, 'modify.approval'), can(AfterToolCall, 'block'), canPause];

/** Hooks on a call after a person has approved or denied it. */
export const answeredCalls: Family = {
  name: 'approved and denied calls',
  scenarios: [
    {
      rule: 'native: a denied call does not run, and the model reads the reason',
      needs: [can(BeforeToolCall, 'modify.approval'), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const after = await answered(stage, 'deny', 'Too dear.');
        expectAnswered(after);
        expect(stage.ran).toEqual([]);
        expect(after.read['c1']).toContain('Too dear.');
      },
    },
    {
      rule: 'native: a reason set on AfterToolCall replaces the reason of the denial',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(AfterToolCall, () => block('Ask again tomorrow.'));
        const after = await answered(stage, 'deny');
        expectAnswered(after);
        expect(stage.ran).toEqual([]);
        expect(after.read['c1']).toContain('Ask again tomorrow.');
      },
    },
    {
      rule: 'native: Block with stop on AfterToolCall ends the run after an allow or a deny: no model call follows, and the result has the reason',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(AfterToolCall, () => block('That is enough.', { stop: true }));
        for (const decision of ['allow', 'deny'] as const) {
          const { requests, result } = await answered(stage, decision);
          expect(requests).toEqual([]);
          expect(result.blockReason).toBe('That is enough.');
        }
        expect(stage.ran).toHaveLength(1);
      },
    },
    {
      rule: 'native: an approved call runs after its session closed during the pause, and no hook receives events of the closed session',
      needs: [can(BeforeToolCall, 'modify.approval'), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const late: string[] = [];
        stage.hooks.observe(HookEvent, ({ type, session }) => {
          if (session.state === 'closed' && type !== SessionEnd.spec.type) late.push(type);
        });
        const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
        expect((await actor.run({ session: 's1' })).result.pending).toHaveLength(1);
        await stage.hooks.close();
        const after = await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
        expectAnswered(after);
        await stage.hooks.settled();
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome' } }]);
        expect(after.read).toEqual({ c1: 'sunny in Rome' });
        expect(late).toEqual([]);
      },
    },
  ],
};

/** A run that paused for a call, and what followed the person's answer. */
async function answered(stage: Stage, decision: 'allow' | 'deny', reason?: string): Promise<Played> {
  const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
  const { result } = await actor.run({ session: decision });
  expect(result.pending).toHaveLength(1);
  return actor.resume(decision, [{ callId: 'c1', decision, ...(reason !== undefined && { reason }) }]);
}
