import { AfterToolCall, BeforeToolCall, block, proceed, SessionEnd } from '@hooks/core';
import { expect } from 'vitest';
import type { Script } from '../model-server/index.ts';
import { can, type Family } from '../scenario.ts';
import { askWeather, call, expectAnswered } from './script.ts';

/** At its first request the model calls for Rome and Oslo at once; asked anything later it says 'Back again.'. */
const romeAndOslo: Script = ({ turn }) =>
  turn === 0
    ? { toolCalls: [call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo')] }
    : { text: 'Back again.' };

/** Runs that end early: by a hook, or by their user. */
export const stopping: Family = {
  name: 'stop and abort',
  scenarios: [
    {
      rule: 'Block with stop: the sibling is answered, no model call follows, the result carries the reason, the session goes on',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ callId }) =>
          callId === 'rome' ? block('That is enough.', { stop: true }) : proceed(),
        );
        const actor = await stage.agent(romeAndOslo);
        const stopped = await actor.run({ session: 's1' });
        expect(stopped.requests).toHaveLength(1);
        expect(stopped.result.blockReason).toBe('That is enough.');
        expect(stage.ran.filter(({ input }) => JSON.stringify(input).includes('Rome'))).toEqual([]);
        // The model server refuses a history in which a call has no answer.
        expectAnswered(await actor.run({ session: 's1' }), 'Back again.');
      },
    },
    {
      rule: 'AfterToolCall, Block with stop: no model call follows, the result carries the reason',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => block('That is enough.', { stop: true }));
        const played = await stage.play(askWeather, {}, { session: 's1' });
        expect(played.requests).toHaveLength(1);
        expect(played.result.blockReason).toBe('That is enough.');
      },
    },
    {
      rule: 'a Block without stop is not the result: it has no blockReason',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => block('No forecasts today.'));
        const { result } = await stage.play(askWeather);
        expect(result.blockReason).toBeUndefined();
        expect(result.text).toBe('Done.');
      },
    },
    {
      rule: 'an abort while a hook is asked: the tool does not run, no model call follows, the session ends',
      needs: [can(BeforeToolCall), can(SessionEnd)],
      async play(stage) {
        const abort = new AbortController();
        let ended = 0;
        stage.hooks.observe(SessionEnd, () => void ended++);
        stage.hooks.on(BeforeToolCall, async () => {
          abort.abort();
          await Promise.resolve();
          return proceed();
        });
        const played = await stage.play(askWeather, {}, { signal: abort.signal });
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
        await stage.hooks.settled();
        expect(ended).toBe(1);
      },
    },
    {
      rule: 'an abort while the tool runs: the tool gets the signal, it is not tried again, no model call follows',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        const abort = new AbortController();
        stage.hooks.on(BeforeToolCall, () => proceed());
        stage.hooks.on(AfterToolCall, () => proceed());
        const tool = stage.tool(
          'weather',
          (_city, signal) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
              abort.abort();
            }),
        );
        const played = await stage.play(askWeather, { tools: [tool] }, { signal: abort.signal });
        expect(stage.ran).toHaveLength(1);
        expect(played.requests).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
      },
    },
    {
      rule: 'an abort reaches the signal of a hook that is being asked',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const abort = new AbortController();
        let told = false;
        stage.hooks.on(BeforeToolCall, async (_call, { signal }) => {
          abort.abort();
          told = signal.aborted;
          return proceed();
        });
        await stage.play(askWeather, {}, { signal: abort.signal });
        expect(told).toBe(true);
      },
    },
  ],
};
