import { block, proceed, retry, SessionEnd, Stop, TurnEnd, TurnStart } from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, conversation, expectAnswered } from './script.ts';

/** Decisions on `Stop`, when the model has finished. */
export const stopEvent: Family = {
  name: 'Stop',
  scenarios: [
    {
      rule: 'Retry on Stop sends its reason as the next user message, and the agent continues',
      needs: [can(Stop, 'retry')],
      async play(stage) {
        let said = 0;
        stage.hooks.on(Stop, ({ response }) =>
          response === 'Answer 1.' ? retry('Give the source.') : proceed(),
        );
        const asked: unknown[] = [];
        stage.hooks.observe(Stop, ({ lastUserMessage }) => void asked.push(lastUserMessage));
        const played = await stage.play(() => ({ text: `Answer ${++said}.` }));
        expectAnswered(played, 'Answer 2.');
        expect(asked).toEqual(['How is the weather?', 'Give the source.']);
        const [, second] = played.requests;
        expect(second && conversation(second).map(({ role, content }) => [role, content])).toEqual([
          ['user', 'How is the weather?'],
          ['assistant', 'Answer 1.'],
          ['user', 'Give the source.'],
        ]);
      },
    },
    {
      rule: 'Retry on Stop ends the turn of the answer with continue; without Retry the turn ends with normal',
      needs: [can(Stop, 'retry'), can(TurnStart), can(TurnEnd)],
      async play(stage) {
        stage.hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('More.') : proceed()));
        const events = stage.events();
        expectAnswered(await stage.play(() => ({ text: 'An answer.' })), 'An answer.');
        const ends = events.filter(({ type }) => type === 'turn_end');
        expect(ends).toMatchObject([{ reason: 'continue' }, { reason: 'normal' }]);
        const told = events.filter(({ type }) => ['turn_start', 'stop', 'turn_end'].includes(type));
        const one = ['turn_start', 'stop', 'turn_end'];
        expect(told.map(({ type }) => type)).toEqual([...one, ...one]);
        const turns = [...new Set(told.map(({ turn }) => turn))];
        expect(turns).not.toContain(undefined);
        expect(told.map(({ turn }) => turns.indexOf(turn))).toEqual([0, 0, 0, 1, 1, 1]);
      },
    },
    {
      rule: 'Retry on Stop continues at most three times in a row, each time after the answer in question',
      needs: [can(Stop, 'retry')],
      async play(stage) {
        let said = 0;
        stage.hooks.on(Stop, () => retry('More.'));
        const played = await stage.play(() => ({ text: `Answer ${++said}.` }));
        expectAnswered(played, 'Answer 4.');
        expect(played.requests).toHaveLength(4);
        expect(
          played.requests
            .slice(3)
            .flatMap(conversation)
            .map(({ content }) => content),
        ).toEqual([
          'How is the weather?',
          ...['Answer 1.', 'More.', 'Answer 2.', 'More.', 'Answer 3.', 'More.'],
        ]);
      },
    },
    {
      rule: 'Retry on Stop continues at most `maxContinuations` times in a row if that is set',
      needs: [can(Stop, 'retry')],
      async play(stage) {
        for (const maxContinuations of [0, 4]) {
          const hooks = stage.registry();
          hooks.on(Stop, () => retry('More.'));
          const cast = { hooks: [hooks], attach: { maxContinuations } };
          const played = await stage.play(() => ({ text: 'An answer.' }), cast);
          expectAnswered(played, 'An answer.');
          expect(played.requests).toHaveLength(maxContinuations + 1);
        }
      },
    },
    {
      rule: 'Stop fires once, when the model finished, with its answer and its request',
      needs: [can(Stop)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await stage.play(askWeather));
        expect(events.filter(({ type }) => type === 'stop')).toMatchObject([
          { response: 'Done.', lastUserMessage: 'How is the weather?', continuations: 0 },
        ]);
      },
    },
    {
      rule: 'Stop has `last: true` when no Retry is left, and a further Retry leaves the answer as it is',
      needs: [can(Stop, 'retry')],
      async play(stage) {
        const last: (boolean | undefined)[] = [];
        stage.hooks.on(Stop, (event) => {
          last.push(event.last);
          return retry('More.');
        });
        const cast = { attach: { maxContinuations: 1 } };
        expectAnswered(await stage.play(() => ({ text: 'An answer.' }), cast), 'An answer.');
        expect(last).toEqual([undefined, true]);
      },
    },
    {
      rule: 'Block on Stop ends the run as blocked, with the reason; no model call follows, and the session continues',
      needs: [can(Stop, 'block')],
      async play(stage) {
        stage.hooks.on(Stop, ({ response }) =>
          response === 'Done.' ? block('The tests are red.') : proceed(),
        );
        const actor = await stage.agent([...askWeather, { text: 'Back again.' }]);
        const blocked = await actor.run({ session: 's1' });
        expect(blocked.requests).toHaveLength(2);
        expect(blocked.result.blockReason).toBe('The tests are red.');
        expect(stage.ran).toHaveLength(1);
        const next = await actor.run({ session: 's1', prompt: 'And now?' });
        expectAnswered(next, 'Back again.');
        expect(next.result.blockReason).toBeUndefined();
      },
    },
    {
      rule: 'Block on Stop ends the turn with hook_blocked and the session once',
      needs: [can(Stop, 'block'), can(TurnEnd), can(SessionEnd)],
      async play(stage) {
        stage.hooks.on(Stop, () => block('The tests are red.'));
        const events = stage.events();
        const { result } = await stage.play([{ text: 'Done.' }]);
        expect(result.blockReason).toBe('The tests are red.');
        await stage.hooks.settled();
        const told = events.filter(({ type }) => ['stop', 'turn_end', 'session_end'].includes(type));
        expect(told.map(({ type }) => type)).toEqual(['stop', 'turn_end', 'session_end']);
        expect(told[1]).toMatchObject({ reason: 'hook_blocked' });
      },
    },
    {
      rule: 'Block on Stop ends the run as blocked, with the reason, when no Retry is left',
      needs: [can(Stop, 'block'), can(Stop, 'retry')],
      async play(stage) {
        stage.hooks.on(Stop, ({ last }) => (last ? block('The tests are red.') : retry('Mend them.')));
        const cast = { attach: { maxContinuations: 2 } };
        const { result, requests } = await stage.play(() => ({ text: 'Done.' }), cast);
        expect(requests).toHaveLength(3);
        expect(result.blockReason).toBe('The tests are red.');
      },
    },
  ],
};
