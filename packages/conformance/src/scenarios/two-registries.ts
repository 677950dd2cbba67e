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
import { can, type Family } from '../scenario.ts';
import { askWeather, expectAnswered } from './script.ts';
import { citiesOf, cityOf, note, type Rule, rewritten, ruleIn, sendTo, ways } from './ways-to-nest.ts';

const rules: readonly Rule[] = [
  {
    rule: 'the guards of the outer one see what the inner one makes of an input: what they refuse does not run, and the reason is read',
    needs: [rewritten, can(BeforeToolCall, 'block')],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      outer.guard(BeforeToolCall, (event) => (cityOf(event) === 'Oslo' ? block('Not Oslo.') : proceed()));
      expect(await answer()).toContain('Not Oslo.');
      expect(stage.ran).toEqual([]);
    },
  },
  {
    rule: 'the outer one has one call: its guards alone are asked about what the inner one makes of the input, and AfterToolCall tells what ran',
    needs: [rewritten, can(AfterToolCall)],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      const asked: string[] = [];
      outer.on(BeforeToolCall, (event) => note(asked, `on ${cityOf(event)}`));
      outer.guard(BeforeToolCall, (event) => note(asked, `guard ${cityOf(event)}`));
      outer.on(AfterToolCall, (event) => note(asked, `${event.status} ${cityOf(event)}`));
      expect(await answer()).toContain('sunny in Oslo');
      expect(asked).toEqual(['on Rome', 'guard Rome', 'guard Oslo', 'ok Oslo']);
      expect(citiesOf(stage)).toEqual(['Oslo']);
    },
  },
  {
    rule: 'the guards of the outer one are asked once about an input that stays',
    needs: [can(BeforeToolCall)],
    async play(stage, { inner, outer, answer }) {
      inner.on(BeforeToolCall, () => proceed());
      const asked: string[] = [];
      outer.guard(BeforeToolCall, (event) => note(asked, cityOf(event)));
      expect(await answer()).toContain('sunny in Rome');
      expect(asked).toEqual(['Rome']);
      expect(citiesOf(stage)).toEqual(['Rome']);
    },
  },
  {
    rule: 'the guards of the outer one see what the inner one makes of the input at a Retry of the outer one, too',
    needs: [rewritten, can(BeforeToolCall, 'block'), can(AfterToolCall, 'retry')],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo', 'Bonn');
      outer.guard(BeforeToolCall, (event) => (cityOf(event) === 'Bonn' ? block('Not Bonn.') : proceed()));
      outer.on(AfterToolCall, ({ ran }) => (ran ? retry('again') : proceed()));
      expect(await answer()).toContain('Not Bonn.');
      expect(citiesOf(stage)).toEqual(['Oslo']);
    },
  },
  {
    rule: 'a Retry of the outer one asks its guards nothing about an input of the inner one that they have let pass',
    needs: [rewritten, can(AfterToolCall, 'retry')],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      const asked: string[] = [];
      outer.guard(BeforeToolCall, (event) => note(asked, cityOf(event)));
      outer.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
      expect(await answer()).toContain('sunny in Oslo');
      expect(asked).toEqual(['Rome', 'Oslo']);
      expect(citiesOf(stage)).toEqual(['Oslo', 'Oslo']);
    },
  },
  {
    rule: 'the outer one is asked once about the result of an input that the inner one has changed',
    needs: [rewritten, can(TransformToolResult, 'modify.output')],
    async play(_stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      const asked: unknown[] = [];
      outer.on(TransformToolResult, ({ output }) => {
        asked.push(output);
        return modify({ output: `${output}, they say` });
      });
      outer.guard(BeforeToolCall, () => proceed());
      expect((await answer()).match(/sunny in Oslo|they say/g)).toEqual(['sunny in Oslo', 'they say']);
      expect(asked).toEqual(['sunny in Oslo']);
    },
  },
];

/** Registries around the same tool, one inside the other: what the inner one makes of a call is for the outer one to judge. */
export const twoRegistries: Family = {
  name: 'two registries around a tool',
  scenarios: [
    ...ways.flatMap((way) => rules.map((rule) => ruleIn(way, rule))),
    {
      rule: 'the same registry around a tool and around its agent is asked once',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const asked: string[] = [];
        stage.hooks.on(BeforeToolCall, (event) => note(asked, cityOf(event)));
        const tools = [stage.tool('weather', undefined, { hooks: [stage.hooks] })];
        expectAnswered(await stage.play(askWeather, { tools }));
        expect(asked).toEqual(['Rome']);
        expect(citiesOf(stage)).toEqual(['Rome']);
      },
    },
  ],
};
