import {
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  type Hooks,
  proceed,
  requireApproval,
  UserInputRequired,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, type Family, type Scenario } from '../scenario.ts';
import type { Cast } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';
import {
  castOf,
  citiesOf,
  cityOf,
  note,
  type Rule,
  rewritten,
  ruleIn,
  sendTo,
  type Way,
  ways,
} from './ways-to-nest.ts';

const required = can(BeforeToolCall, 'modify.approval');

const rules: readonly Rule[] = [
  {
    rule: 'an approval that the outer one requires is sought again for what the inner one makes of the input',
    needs: [rewritten, required],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      outer.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const { shown, approval } = approver({ Rome: { decision: 'allow' }, Oslo: { decision: 'deny' } });
      await answer({ approval });
      expect(shown).toEqual(['Rome', 'Oslo']);
      expect(stage.ran).toEqual([]);
    },
  },
  {
    rule: 'the guards of both see what a person makes of an input',
    needs: [rewritten, required],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      outer.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const asked: string[] = [];
      for (const [who, hooks] of Object.entries({ inner, outer }))
        hooks.guard(BeforeToolCall, (event) => note(asked, `${who} ${cityOf(event)}`));
      const { approval } = approver({
        Rome: { decision: 'allow' },
        Oslo: { decision: 'allow', input: { city: 'Bonn' } },
      });
      expect(await answer({ approval })).toContain('sunny in Bonn');
      expect(asked).toEqual(['outer Rome', 'inner Oslo', 'outer Oslo', 'outer Bonn', 'inner Bonn']);
      expect(citiesOf(stage)).toEqual(['Bonn']);
    },
  },
];

/** Where the framework pauses for a person: what the outer one requires approval of. */
const pausing: readonly (Pick<Rule, 'rule'> & { readonly hook: (outer: Hooks) => void })[] = [
  {
    rule: 'native: a yes is to what the person was shown, and not to what the inner one makes of it',
    hook: (outer) => outer.on(BeforeToolCall, () => requireApproval('It costs money.')),
  },
  {
    rule: 'native: what wants approval only as the inner one has made it is shown to a person, or refused',
    hook: (outer) =>
      outer.guard(BeforeToolCall, (event) =>
        cityOf(event) === 'Oslo' ? requireApproval('It costs money.') : proceed(),
      ),
  },
];

/** Registries around the same tool, of which the outer one has a person asked: a yes is to what was shown. */
export const nestedApprovals: Family = {
  name: 'two registries around a tool: approval',
  scenarios: [
    ...ways.flatMap((way) => [
      ...rules.map((rule) => ruleIn(way, rule)),
      // The function for bare tools may know no pause.
      ...(way.agent?.includes('outer') ? pausing.map((rule) => pauseIn(way, rule)) : []),
    ]),
    {
      rule: 'of three registries the guards of all see what a person makes of an input',
      needs: [rewritten, required],
      async play(stage) {
        const all = { inner: stage.registry(), between: stage.registry(), outer: stage.registry() };
        sendTo(all.inner, 'Oslo');
        const asked: string[] = [];
        for (const [who, hooks] of Object.entries(all))
          hooks.guard(BeforeToolCall, (event) => note(asked, `${who} ${cityOf(event)}`));
        all.outer.guard(BeforeToolCall, (event) =>
          cityOf(event) === 'Oslo' ? requireApproval('It costs money.') : proceed(),
        );
        const { approval } = approver({ Oslo: { decision: 'allow', input: { city: 'Bonn' } } });
        const tools = [stage.tool('weather', undefined, { hooks: [all.inner, all.between] })];
        expectAnswered(await stage.play(askWeather, { tools, hooks: [all.outer], attach: { approval } }));
        expect(asked).toEqual([
          ...['outer Rome', 'between Rome', 'inner Oslo'],
          ...['outer Oslo', 'outer Bonn', 'between Bonn', 'inner Bonn'],
        ]);
        expect(citiesOf(stage)).toEqual(['Bonn']);
      },
    },
  ],
};

function pauseIn(way: Way, { rule, hook }: (typeof pausing)[number]): Scenario {
  return {
    rule: `${way.name}: ${rule}`,
    needs: [rewritten, required, can(UserInputRequired)],
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      sendTo(both.inner, 'Oslo');
      hook(both.outer);
      const native: Cast = { ...castOf(stage, way, both), attach: { approval: 'native' } };
      const actor = await stage.agent(askWeather, native);
      let played = await actor.run({ session: 's1' });
      const shown: unknown[] = [];
      // Some frameworks ask anew about another input, others refuse it.
      while (played.result.pending.length > 0 && shown.length < 2) {
        expect(stage.ran).toEqual([]);
        shown.push(...played.result.pending.map(({ input }) => input));
        played = await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
      }
      expectAnswered(played);
      if (stage.ran.length === 0) expect(played.read['c1']).toContain('It costs money.');
      else expect(shown).toContainEqual({ city: 'Oslo' });
      expect(citiesOf(stage)).toEqual(stage.ran.length === 0 ? [] : ['Oslo']);
    },
  };
}

/** An approver that answers by city, and the cities that it was shown. */
function approver(answers: Readonly<Record<string, ApprovalAnswer>>) {
  const shown: string[] = [];
  const approval = (request: ApprovalRequest): ApprovalAnswer => {
    shown.push(cityOf(request));
    return answers[cityOf(request)] ?? { decision: 'deny' };
  };
  return { shown, approval };
}
