import {
  AfterToolCall,
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  type Proceed,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
  UserInputRequired,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AttachSpec } from '../harness.ts';
import { can, type Family, type Scenario } from '../scenario.ts';
import type { Cast, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';
import { answerOf, type Both, castOf, type Way, ways } from './ways-to-nest.ts';

interface Rule {
  readonly rule: string;
  readonly needs: Scenario['needs'];
  /** `answer` has the tool called once, for Rome, and gives what the model or the caller gets. */
  readonly play: (
    stage: Stage,
    both: Both & { readonly answer: (attach?: AttachSpec) => Promise<string> },
  ) => Promise<void>;
}

const rewritten = can(BeforeToolCall, 'modify.input');
const required = can(BeforeToolCall, 'modify.approval');

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

/** Registries around the same tool, one inside the other: what the inner one makes of a call is for the outer one to judge. */
export const twoRegistries: Family = {
  name: 'two registries around a tool',
  scenarios: [
    ...ways.flatMap((way) => [
      ...rules.map((rule) => ruleIn(way, rule)),
      // The function for bare tools may know no pause.
      ...(way.agent?.includes('outer') ? pausing.map((rule) => pauseIn(way, rule)) : []),
    ]),
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

function ruleIn(way: Way, { rule, needs, play }: Rule): Scenario {
  return {
    rule: `${way.name}: ${rule}`,
    needs,
    plainOnly: way.agent === undefined,
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      await play(stage, { ...both, answer: (attach = {}) => answerOf(stage, way, both, attach) });
    },
  };
}

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

/** Has hooks send calls for Rome elsewhere: the first to the first city and so on, those to come to the last. */
function sendTo(hooks: Hooks, ...cities: readonly string[]): void {
  const left = [...cities];
  hooks.on(BeforeToolCall, (event) => {
    const city = left.length > 1 ? left.shift() : left[0];
    return cityOf(event) === 'Rome' ? modify({ input: { city } }) : proceed();
  });
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

/** Proceeds, and tells that it was asked. */
function note(asked: string[], what: string): Proceed {
  asked.push(what);
  return proceed();
}

function cityOf({ input }: { readonly input: unknown }): string {
  return String(Reflect.get(Object(input), 'city'));
}

function citiesOf({ ran }: Stage): readonly string[] {
  return ran.map(cityOf);
}
