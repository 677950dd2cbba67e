import {
  AfterToolCall,
  BeforeToolCall,
  block,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Retry after a tool call. */
export const toolRetry: Family = {
  name: 'Retry',
  scenarios: [
    {
      rule: 'Retry after an error runs the tool again, and the model reads only the second result',
      needs: [can(AfterToolCall, 'retry')],
      async play(stage) {
        let runs = 0;
        const flaky = stage.tool('weather', (city) => {
          if (++runs === 1) throw new Error('The line is dead.');
          return `cloudy in ${city}`;
        });
        stage.hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('once more') : proceed()));
        const played = await stage.play(askWeather, { tools: [flaky] });
        expectAnswered(played);
        expect(runs).toBe(2);
        expect(played.read).toEqual({ c1: 'cloudy in Rome' });
        expect(played.requests).toHaveLength(2);
      },
    },
    {
      rule: 'Retry of an output runs the tool again',
      needs: [can(AfterToolCall, 'retry')],
      async play(stage) {
        let runs = 0;
        const tool = stage.tool('weather', () => `answer ${++runs}`);
        stage.hooks.on(AfterToolCall, ({ output }) =>
          output === 'answer 1' ? retry('not that one') : proceed(),
        );
        const played = await stage.play(askWeather, { tools: [tool] });
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'answer 2' });
      },
    },
    {
      rule: 'Retry stops at the limit and keeps the last attempt; BeforeToolCall fires once, the later events fire per attempt',
      needs: [can(AfterToolCall, 'retry'), can(TransformToolResult)],
      async play(stage) {
        let runs = 0;
        const asked = { before: 0, transform: 0, after: 0 };
        const tool = stage.tool('weather', () => `answer ${++runs}`);
        stage.hooks.on(BeforeToolCall, () => {
          asked.before++;
          return proceed();
        });
        stage.hooks.on(TransformToolResult, () => {
          asked.transform++;
          return proceed();
        });
        stage.hooks.on(AfterToolCall, () => {
          asked.after++;
          return retry('again');
        });
        const played = await stage.play(askWeather, { tools: [tool] });
        expectAnswered(played);
        expect(asked).toEqual({ before: 1, transform: 3, after: 3 });
        expect(stage.ran).toHaveLength(3);
        expect(played.read).toEqual({ c1: 'answer 3' });
      },
    },
    {
      rule: 'Retry at the limit leaves the last output to the hooks that follow',
      needs: [can(AfterToolCall, 'retry'), can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => retry('again'));
        stage.hooks.guard(AfterToolCall, () => block('A secret.'));
        const played = await stage.play(askWeather);
        expect(stage.ran).toHaveLength(3);
        expect(played.read['c1']).toContain('A secret.');
        expect(findText(played.requests, 'sunny')).toBeUndefined();
      },
    },
    {
      rule: 'Retry starts from the input that hooks left',
      needs: [can(AfterToolCall, 'retry'), can(BeforeToolCall, 'modify.input')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
        await stage.play(askWeather);
        expect(stage.ran.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Oslo' }]);
      },
    },
  ],
};
