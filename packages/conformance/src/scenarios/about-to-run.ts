import {
  AfterToolCall,
  answer,
  BeforeExecute,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { type ModelRequest, toolResults } from '../model-server/index.ts';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const needs: Scenario['needs'] = [can(BeforeExecute, 'block')];
const pausing: Scenario['needs'] = [...needs, can(BeforeToolCall, 'modify.approval'), canPause];

/** What policies count, claim or take when a call runs. */
export const aboutToRun: Family = {
  name: 'a call that is about to run',
  scenarios: [
    {
      rule: 'BeforeExecute fires once for each call that runs, after its approval, with the input that runs and the one that the model sent',
      needs: [...needs, can(BeforeToolCall, 'modify.input')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const seen: unknown[] = [];
        stage.hooks.observe(BeforeExecute, ({ callId, input, modelInput }) =>
          seen.push({ callId, input, modelInput }),
        );
        const events = stage.events();
        const played = await stage.play(
          calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Paris')),
          {
            attach: { approval: ({ callId }) => ({ decision: callId === 'c1' ? 'allow' : 'deny' }) },
          },
        );
        expectAnswered(played);
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Oslo' } }]);
        expect(seen).toEqual([{ callId: 'c1', input: { city: 'Oslo' }, modelInput: { city: 'Rome' } }]);
        const ofCall = events.filter((event) => Object(event).callId === 'c1').map(({ type }) => type);
        expect(ofCall.indexOf('before_execute')).toBeGreaterThan(ofCall.indexOf('tool_approval_decision'));
      },
    },
    {
      rule: 'Block on BeforeExecute: the tool does not run, the model reads the reason, and AfterToolCall fires',
      needs,
      async play(stage) {
        stage.hooks.guard(BeforeExecute, () => block('None is left.'));
        const events = stage.events();
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(readOf(played.requests, 'c1')).toContain('None is left.');
        expect(events.filter(({ type }) => type === 'after_tool_call')).toMatchObject([
          { status: 'blocked', ran: false },
        ]);
      },
    },
    {
      rule: 'answer() on BeforeExecute answers the call, and later hooks decide about it',
      needs: [can(BeforeExecute, 'modify.execute'), can(TransformToolResult, 'modify.output')],
      async play(stage) {
        stage.hooks.on(BeforeExecute, () => answer('kept'));
        stage.hooks.on(TransformToolResult, ({ output }) => modify({ output: `${String(output)} and read` }));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(readOf(played.requests, 'c1')).toContain('kept and read');
      },
    },
    {
      rule: 'what runs the call gets the idempotency key, and AfterToolCall has it',
      needs: [can(BeforeExecute, 'modify.idempotencyKey'), can(BeforeToolCall, 'modify.execute')],
      async play(stage) {
        const keys: unknown[] = [];
        stage.hooks.on(BeforeToolCall, () =>
          modify({ execute: (_input, { idempotencyKey }) => keys.push(idempotencyKey) }),
        );
        stage.hooks.on(BeforeExecute, ({ callId }) => modify({ idempotencyKey: `key of ${callId}` }));
        stage.hooks.observe(AfterToolCall, ({ idempotencyKey }) => keys.push(idempotencyKey));
        expectAnswered(await stage.play(askWeather));
        expect(keys).toEqual(['key of c1', 'key of c1']);
      },
    },
    {
      rule: 'native: BeforeExecute does not fire while a call waits, and fires once when it has been approved',
      needs: pausing,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const events = stage.events();
        const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
        const fired = () => events.filter(({ type }) => type === 'before_execute').length;
        const { result } = await actor.run({ session: 's1' });
        expect(result.pending).toMatchObject([{ callId: 'c1' }]);
        expect(fired()).toBe(0);
        await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
        expect(stage.ran).toHaveLength(1);
        expect(fired()).toBe(1);
      },
    },
    {
      rule: 'native: a call that is denied does not fire BeforeExecute',
      needs: pausing,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const events = stage.events();
        const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
        await actor.run({ session: 's1' });
        await actor.resume('s1', [{ callId: 'c1', decision: 'deny' }]);
        expect(events.filter(({ type }) => type === 'before_execute')).toEqual([]);
      },
    },
    {
      rule: 'native: an approval that arrives twice at once runs a call once that a BeforeExecute hook claims',
      needs: [...pausing, can(BeforeExecute, 'modify.execute')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        claimed(stage.hooks);
        const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
        await actor.run({ session: 's1' });
        const resume = () => actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
        await Promise.allSettled([resume(), resume()]);
        await Promise.allSettled([resume()]);
        expect(stage.ran).toHaveLength(1);
      },
    },
  ],
};

/** Runs a call once, by what the model asked in a session. */
function claimed(hooks: Hooks): void {
  const outcomes = new Map<string, PromiseWithResolvers<unknown>>();
  hooks.on(BeforeExecute, async ({ session, callId, modelInput }) => {
    const key = JSON.stringify([session.id, callId, modelInput]);
    const running = outcomes.get(key);
    if (running !== undefined) return answer(await running.promise);
    outcomes.set(key, Promise.withResolvers());
    return modify({ idempotencyKey: key });
  });
  hooks.observe(AfterToolCall, ({ idempotencyKey = '', output }) =>
    outcomes.get(idempotencyKey)?.resolve(output),
  );
}

/** What the model read of a call. */
function readOf(requests: readonly ModelRequest[], callId: string): string | undefined {
  return Object.assign({}, ...requests.map(toolResults))[callId];
}
