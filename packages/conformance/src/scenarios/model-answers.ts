import { AfterModelCall, BeforeModelCall, block, modify, proceed, retry } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered, outOfOrder } from './script.ts';

// A stream cuts a text every eight characters: what is looked for in it has to be within the first ones.

/** What a hook may decide of a model's answer. */
export const modelAnswers: Family = {
  name: 'model answers',
  scenarios: [
    {
      rule: 'AfterModelCall, Block: the answer is withheld from result, streams and memory, and the result carries the reason',
      needs: [can(AfterModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, () => block('That was rude.'));
        for (const form of stage.forms()) {
          const actor = await stage.agent([{ text: 'tangelo, you are one!' }]);
          const { result } = await actor.run({ session: 's1', ...form });
          // Of what some forms give, nobody can tell the reason.
          if (form.form === undefined) expect(result.blockReason).toBe('That was rude.');
          expect(findText(result, 'tangelo')).toBeUndefined();
          expect(findText(await actor.agent.stored('s1'), 'tangelo')).toBeUndefined();
        }
      },
    },
    {
      rule: 'a hook that throws in AfterModelCall: the answer is withheld from result, streams and memory, and the reason names the hook',
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
      rule: 'AfterModelCall, Block of an answer that calls a tool: the tool does not run',
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
      rule: 'AfterModelCall, Modify of response: result, streams and memory have the new answer only',
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
      rule: 'AfterModelCall, Modify of response: a tool call that it takes out does not run',
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
      rule: 'AfterModelCall, Modify of response: the tools run as it calls them',
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
      rule: 'AfterModelCall, Retry: the model is asked the same again, and what it called does not run',
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
      rule: 'AfterModelCall, Retry: the model is asked again, and its first answer is nowhere',
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
      rule: 'AfterModelCall, Retry: it has a limit, at which the last answer stands',
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
      rule: 'AfterModelCall, Retry at its limit: hooks behind it still decide about the answer that would stand',
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
