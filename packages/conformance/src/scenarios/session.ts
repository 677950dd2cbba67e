import { addContext, SessionEnd, SessionStart } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Sessions have the framework's id, or one per run. */
export const sessions: Family = {
  name: 'sessions',
  scenarios: [
    {
      rule: 'a run without a session id gets its own session, which starts before and ends after everything else, once',
      needs: [can(SessionStart), can(SessionEnd)],
      async play(stage) {
        const events = stage.events();
        const played = await stage.play(askWeather);
        expectAnswered(played);
        await stage.hooks.settled();
        const types = events.map(({ type }) => type);
        expect(types.filter((type) => type === 'session_start')).toHaveLength(1);
        expect(types.filter((type) => type === 'session_end')).toHaveLength(1);
        expect(types.at(0)).toBe('session_start');
        expect(types.at(-1)).toBe('session_end');
        expect(new Set(events.map(({ session }) => session.id)).size).toBe(1);
      },
    },
    {
      rule: 'a session has the id of the framework, spans its runs, and ends once, when it is closed',
      needs: [can(SessionStart), can(SessionEnd)],
      async play(stage) {
        const events = stage.events();
        const actor = await stage.agent([...askWeather, { text: 'Again.' }]);
        expectAnswered(await actor.run({ session: 's1' }));
        expectAnswered(await actor.run({ session: 's1' }), 'Again.');
        const count = (type: string) => events.filter((event) => event.type === type).length;
        expect([count('session_start'), count('session_end')]).toEqual([1, 0]);
        await stage.hooks.close();
        expect([count('session_start'), count('session_end')]).toEqual([1, 1]);
        expect(new Set(events.map(({ session }) => session.id))).toEqual(new Set([stage.sessionId('s1')]));
      },
    },
    {
      rule: 'context from SessionStart is in every model call of the session and is not stored',
      needs: [can(SessionStart, 'modify.context')],
      async play(stage) {
        stage.hooks.on(SessionStart, () => addContext('The office is in Rome.'));
        const actor = await stage.agent([...askWeather, { text: 'Again.' }]);
        const first = await actor.run({ session: 's1' });
        const second = await actor.run({ session: 's1' });
        expectAnswered(first);
        expectAnswered(second, 'Again.');
        const told = [...first.requests, ...second.requests].map(
          ({ system }) => system.split('The office is in Rome.').length - 1,
        );
        expect(told).toEqual([1, 1, 1]);
        expect(findText(await actor.agent.stored('s1'), 'The office is in Rome.')).toBeUndefined();
      },
    },
    {
      rule: 'the session of a failed run ends once',
      needs: [can(SessionEnd)],
      async play(stage) {
        let ended = 0;
        stage.hooks.observe(SessionEnd, () => void ended++);
        const { result } = await stage.play([{ status: 400, error: 'No credit.' }]);
        expect(result.error).toBeDefined();
        await stage.hooks.settled();
        expect(ended).toBe(1);
      },
    },
    {
      rule: 'concurrent runs keep their sessions and contexts apart',
      needs: [can(SessionStart, 'modify.context')],
      async play(stage) {
        stage.hooks.on(SessionStart, ({ session }) => addContext(`This is session ${session.id}.`));
        const actor = await stage.agent(askWeather);
        const run = (session: string) => actor.run({ session, prompt: `I am ${session}.` });
        for (const played of await Promise.all([run('s1'), run('s2')])) expectAnswered(played);
        expect(actor.server.requests).toHaveLength(4);
        for (const { system, messages } of actor.server.requests) {
          const own = messages.some(({ content }) => content === 'I am s1.') ? 's1' : 's2';
          expect(system.match(/This is session [\w-]+\./g)).toEqual([
            `This is session ${stage.sessionId(own)}.`,
          ]);
        }
      },
    },
  ],
};
