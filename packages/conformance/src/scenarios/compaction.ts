import { AfterCompaction, addContext, BeforeCompaction, block, modify } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import type { ModelRequest, Script } from '../model-server/index.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { conversation, expectAnswered } from './script.ts';

/** The framework compacts the history. */
export const compaction: Family = {
  name: 'compaction',
  scenarios: [
    {
      rule: 'BeforeCompaction and AfterCompaction fire, and the latter has the summary',
      needs: [can(BeforeCompaction), can(AfterCompaction)],
      async play(stage) {
        const events = stage.events();
        await playLong(stage);
        const told = events.filter(({ type }) => type.endsWith('_compaction'));
        expect(told.map(({ type }) => type).slice(0, 2)).toEqual(['before_compaction', 'after_compaction']);
        expect(told[1]).toMatchObject({ summary: expect.stringContaining('They talked of weather.') });
      },
    },
    {
      rule: 'Block on BeforeCompaction keeps the history',
      needs: [can(BeforeCompaction, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeCompaction, () => block('Keep it all.'));
        const last = await playLong(stage);
        const said = last.requests.flatMap(conversation).map(({ content }) => content);
        expect(said).toContain('Question 1?');
        expect(said.join()).not.toContain('They talked of weather.');
      },
    },
    {
      rule: 'Modify of context on BeforeCompaction reaches only the model that writes the summary',
      needs: [can(BeforeCompaction, 'modify.context')],
      async play(stage) {
        stage.hooks.on(BeforeCompaction, () => addContext('Keep the names of cities.'));
        const { asked } = await playLong(stage);
        const guided = asked.filter(
          (request) => findText(request, 'Keep the names of cities.') !== undefined,
        );
        expect(guided).not.toEqual([]);
        for (const { messages } of guided) expect(messages.at(-1)?.content).not.toMatch(isQuestion);
      },
    },
    {
      rule: 'Modify of summary on BeforeCompaction replaces the history without a model call',
      needs: [can(BeforeCompaction, 'modify.summary')],
      async play(stage) {
        stage.hooks.on(BeforeCompaction, () => modify({ summary: 'All was said before.' }));
        const last = await playLong(stage);
        const read = last.requests
          .flatMap(({ messages }) => messages.map(({ content }) => content))
          .join('\n');
        expect(read).toContain('All was said before.');
        expect(read).not.toContain('Question 1?');
        expect(read).not.toContain('They talked of weather.');
      },
    },
  ],
};

const questions = 4;

/** Tells our questions, each the last message of its request, from requests for a summary. */
const isQuestion = /^Question \d\?$/;

/** Asks more questions than the history may hold. Returns the last run and all requests. */
export async function playLong(stage: Stage): Promise<Played & { readonly asked: readonly ModelRequest[] }> {
  const script: Script = ({ messages }) => {
    const last = messages.at(-1)?.content ?? '';
    // Some frameworks keep only the list items of a summary.
    return { text: isQuestion.test(last) ? `Answer to ${last}` : '- They talked of weather.' };
  };
  const actor = await stage.agent(script, { compactAfter: 4 });
  for (let n = 1; n < questions; n++) await actor.run({ session: 's1', prompt: `Question ${n}?` });
  const last = await actor.run({ session: 's1', prompt: `Question ${questions}?` });
  expectAnswered(last, `Answer to Question ${questions}?`);
  return { ...last, asked: actor.server.requests };
}
