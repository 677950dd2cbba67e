import { AsyncLocalStorage } from 'node:async_hooks';
import { addContext, BeforeToolCall, block, modify, proceed, UserPromptSubmit } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, conversation, expectAnswered, outOfOrder, takesHistory } from './script.ts';

const prompt = 'My password is tangerine.';

/** The user's message. */
export const prompts: Family = {
  name: 'prompts',
  scenarios: [
    {
      rule: 'Block on UserPromptSubmit calls no model, sets the reason on the result, and keeps the prompt out of memory',
      needs: [can(UserPromptSubmit, 'block')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, (event) =>
          event.prompt.includes('password') ? block('No passwords, please.') : proceed(),
        );
        const actor = await stage.agent([{ text: 'Hello.' }]);
        const blocked = await actor.run({ session: 's1', prompt });
        expect(blocked.requests).toEqual([]);
        expect(blocked.result.blockReason).toBe('No passwords, please.');
        expect(findText(await actor.agent.stored('s1'), 'tangerine')).toBeUndefined();
        const next = await actor.run({ session: 's1', prompt: 'Hi.' });
        expectAnswered(next, 'Hello.');
        expect(next.result.blockReason).toBeUndefined();
        expect(next.requests.map(conversation)).toEqual([[{ role: 'user', content: 'Hi.' }]]);
      },
    },
    {
      rule: 'what the user wrote before a blocked prompt, and nobody has answered, is kept out of memory, too',
      needs: [can(UserPromptSubmit, 'block')],
      appliesTo: takesHistory,
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, (event) =>
          event.prompt.includes('password') ? block('No passwords, please.') : proceed(),
        );
        const actor = await stage.agent([{ text: 'Hello.' }]);
        const history = [{ role: 'user', content: 'I am Ann.' }] as const;
        const blocked = await actor.run({ session: 's1', history, prompt });
        expect(blocked.requests).toEqual([]);
        expect(blocked.result.blockReason).toBe('No passwords, please.');
        expect(findText(await actor.agent.stored('s1'), 'Ann')).toBeUndefined();
        const next = await actor.run({ session: 's1', prompt: 'Hi.' });
        expect(next.requests.map(conversation)).toEqual([[{ role: 'user', content: 'Hi.' }]]);
      },
    },
    {
      rule: 'Modify of prompt hides the original from models and memory',
      needs: [can(UserPromptSubmit, 'modify.prompt')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, (event) =>
          modify({ prompt: event.prompt.replace('tangerine', '[hidden]') }),
        );
        const actor = await stage.agent(askWeather);
        const played = await actor.run({ session: 's1', prompt });
        expectAnswered(played);
        for (const request of played.requests) {
          expect(conversation(request)[0]).toEqual({ role: 'user', content: 'My password is [hidden].' });
        }
        expect(findText(played.requests, 'tangerine')).toBeUndefined();
        expect(findText(await actor.agent.stored('s1'), 'tangerine')).toBeUndefined();
        expect(findText(await actor.agent.stored('s1'), '[hidden]')).toBeDefined();
      },
    },
    {
      rule: 'Modify of context is in every model call of the run and no other, and is not stored',
      needs: [can(UserPromptSubmit, 'modify.context')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, (event) =>
          event.prompt.includes('now') ? addContext('It is Monday.') : proceed(),
        );
        const actor = await stage.agent([...askWeather, { text: 'Later.' }]);
        const now = await actor.run({ session: 's1', prompt: 'And now?' });
        expectAnswered(now);
        expect(now.requests.map(({ system }) => system.includes('It is Monday.'))).toEqual([true, true]);
        expect(findText(await actor.agent.stored('s1'), 'It is Monday.')).toBeUndefined();
        const later = await actor.run({ session: 's1', prompt: 'And later?' });
        expectAnswered(later, 'Later.');
        expect(findText(later.requests, 'It is Monday.')).toBeUndefined();
        expect(later.requests.map((request) => conversation(request)[0]?.content)).toEqual(['And now?']);
      },
    },
    {
      rule: 'Modify of metadata is visible to later hooks of the run',
      needs: [can(UserPromptSubmit, 'modify.metadata'), can(BeforeToolCall)],
      async play(stage) {
        const read: unknown[] = [];
        stage.hooks.on(UserPromptSubmit, () => modify({ metadata: { intent: 'weather' } }));
        stage.hooks.on(BeforeToolCall, ({ session, run = '' }) => {
          read.push(session.run(run).metadata);
          return proceed();
        });
        await stage.play(askWeather);
        expect(read).toEqual([{ intent: 'weather' }]);
      },
    },
    {
      rule: 'a hook that throws on UserPromptSubmit blocks the run with a reason that names the hook',
      needs: [can(UserPromptSubmit, 'block')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, outOfOrder, { id: 'broken-gate' });
        const played = await stage.play(askWeather);
        expect(played.requests).toEqual([]);
        expect(played.result.blockReason).toContain('broken-gate');
      },
    },
    {
      rule: 'UserPromptSubmit fires once per run, with the text of the message',
      needs: [can(UserPromptSubmit)],
      async play(stage) {
        const seen: string[] = [];
        stage.hooks.observe(UserPromptSubmit, (event) => void seen.push(event.prompt));
        const actor = await stage.agent([...askWeather, { text: 'Bye.' }]);
        await actor.run({ session: 's1', prompt: 'First.' });
        await actor.run({ session: 's1', prompt: 'Second.' });
        expect(seen).toEqual(['First.', 'Second.']);
      },
    },
    {
      rule: 'UserPromptSubmit fires for a run that starts in the async context left behind by a tool of another run',
      needs: [can(UserPromptSubmit, 'block')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, ({ prompt }) =>
          prompt === 'And now?' ? block('That is enough.') : proceed(),
        );
        let later = AsyncLocalStorage.snapshot();
        const weather = stage.tool('weather', (city) => {
          later = AsyncLocalStorage.snapshot();
          return `sunny in ${city}`;
        });
        const actor = await stage.agent(askWeather, { tools: [weather] });
        expectAnswered(await actor.run({ session: 's1' }));
        const { result, requests } = await later(() => actor.run({ session: 's2', prompt: 'And now?' }));
        expect(requests).toEqual([]);
        expect(result.blockReason).toBe('That is enough.');
      },
    },
  ],
};
