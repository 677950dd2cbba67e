import { AfterModelCall, BeforeModelCall, block, modify, proceed, retry } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered, outOfOrder } from './script.ts';

// A stream cuts a text every eight characters, so the marker has to be within the first eight.

/** Decisions about a model's answer. */
export const modelAnswers: Family = {
  name: 'model answers',
  scenarios: [
    {
      rule: 'Block on AfterModelCall hides the answer from the result, streams and memory, and the result has the reason',
      needs: [can(AfterModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, () => block('That was rude.'));
        for (const form of stage.forms()) {
          const actor = await stage.agent([{ text: 'tangelo, you are one!' }]);
          const { result } = await actor.run({ session: 's1', ...form });
          // Some forms have no result to read the reason from.
          if (form.form === undefined) expect(result.blockReason).toBe('That was rude.');
          expect(findText(result, 'tangelo')).toBeUndefined();
          expect(findText(await actor.agent.stored('s1'), 'tangelo')).toBeUndefined();
        }
      },
    },
    {
      rule: 'a hook that throws on AfterModelCall hides the answer from the result, streams and memory, and the reason names the hook',
      needs: [can(AfterModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, outOfOrder, { id: 'broken-gate' });
        const actor = await stage.agent([{ text: 'tangelo, you are one!' }]);
        const { result } = await actor.run({ session: 's1' });
        expect(result.blockReason).toContain('broken-gate');
        expect(findText(result, 'tangelo')).toBeUndefined();
        expect(findText(await actor.agent.stored('s1'), 'tangelo')).toBeUndefined();
      },
    },
    {
      rule: 'Block on AfterModelCall keeps the called tools from running',
      needs: [can(AfterModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          response.toolCalls.length > 0 ? block('No tools now.') : proceed(),
        );
        const played = await stage.play(askWeather);
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(1);
        expect(played.result.blockReason).toBe('No tools now.');
      },
    },
    {
      rule: 'Modify of response on AfterModelCall puts only the new answer into the result, streams and memory',
      needs: [can(AfterModelCall, 'modify.response')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          modify({ response: { text: 'You peach.', toolCalls: response.toolCalls } }),
        );
        for (const form of stage.forms()) {
          const actor = await stage.agent([{ text: 'tangelo, you are one!' }]);
          const played = await actor.run({ session: 's1', ...form });
          expectAnswered(played, 'You peach.');
          expect(findText(played.result, 'tangelo')).toBeUndefined();
          expect(findText(await actor.agent.stored('s1'), 'tangelo')).toBeUndefined();
        }
      },
    },
    {
      rule: 'Modify of response on AfterModelCall can remove a tool call',
      needs: [can(AfterModelCall, 'modify.response')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          response.toolCalls.length > 0
            ? modify({ response: { text: 'I cannot tell.', toolCalls: [] } })
            : proceed(),
        );
        const played = await stage.play(askWeather);
        expectAnswered(played, 'I cannot tell.');
        expect(stage.ran).toEqual([]);
      },
    },
    {
      rule: 'Modify of response on AfterModelCall can change the input of a tool call',
      needs: [can(AfterModelCall, 'modify.response')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) => {
          const [first] = response.toolCalls;
          if (first === undefined) return proceed();
          const other = { callId: 'c2', toolName: 'archive', input: { city: 'Bonn' } };
          const toolCalls = [{ ...first, input: { city: 'Oslo' } }, other];
          return modify({ response: { text: '', toolCalls } });
        });
        const tools = [stage.tool('weather'), stage.tool('archive', (city) => `it was sunny in ${city}`)];
        const played = await stage.play(askWeather, { tools });
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Oslo', c2: 'it was sunny in Bonn' });
      },
    },
    {
      rule: 'Retry on AfterModelCall repeats the request, and the called tools do not run',
      needs: [
        can(AfterModelCall, 'retry'),
        can(BeforeModelCall, 'modify.context'),
        can(BeforeModelCall, 'modify.settings'),
      ],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, () =>
          modify({ settings: { temperature: 0.25 }, context: ['It is Monday.'] }),
        );
        stage.hooks.on(AfterModelCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toHaveLength(1);
        const [first, again, second, secondAgain] = played.requests.map(({ body }) => body);
        expect(again).toEqual(first);
        expect(secondAgain).toEqual(second);
        for (const { system, settings } of played.requests) {
          expect(system).toContain('It is Monday.');
          expect(settings.temperature).toBe(0.25);
        }
      },
    },
    {
      rule: 'Retry on AfterModelCall hides the first answer',
      needs: [can(AfterModelCall, 'retry')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          response.text.includes('tangelo') ? retry('be polite') : proceed(),
        );
        for (const form of stage.forms()) {
          let asked = 0;
          const actor = await stage.agent(() => ({
            text: ++asked === 1 ? 'tangelo, you are one!' : 'You peach.',
          }));
          const played = await actor.run({ session: 's1', ...form });
          expectAnswered(played, 'You peach.');
          expect(played.requests).toHaveLength(2);
          expect(findText(played.result, 'tangelo')).toBeUndefined();
          expect(findText(played.requests[1], 'tangelo')).toBeUndefined();
          expect(findText(await actor.agent.stored('s1'), 'tangelo')).toBeUndefined();
        }
      },
    },
    {
      rule: 'Retry on AfterModelCall stops at the limit and keeps the last answer',
      needs: [can(AfterModelCall, 'retry')],
      async play(stage) {
        let asked = 0;
        stage.hooks.on(AfterModelCall, () => retry('again'));
        const played = await stage.play(() => ({ text: `Answer ${++asked}.` }));
        expectAnswered(played, 'Answer 3.');
        expect(played.requests).toHaveLength(3);
      },
    },
    {
      rule: 'Retry on AfterModelCall at the limit leaves the last answer to the hooks that follow',
      needs: [can(AfterModelCall, 'retry'), can(AfterModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, () => retry('again'));
        stage.hooks.guard(AfterModelCall, () => block('That was rude.'));
        const actor = await stage.agent([...Array(3)].map(() => ({ text: 'tangelo, you are one!' })));
        const { result, requests } = await actor.run({ session: 's1' });
        expect(requests).toHaveLength(3);
        expect(result.blockReason).toBe('That was rude.');
        expect(findText(result, 'tangelo')).toBeUndefined();
      },
    },
  ],
};
