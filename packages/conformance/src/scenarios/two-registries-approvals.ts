import {
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AttachSpec } from '../harness.ts';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Cast, Stage } from '../stage.ts';
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
} from './ways-to-attach.ts';

const required = can(BeforeToolCall, 'modify.approval');

const rules: readonly Rule[] = [
  {
    rule: 'an approval that both registries require is requested once, for the final input',
    needs: [rewritten, required],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      for (const hooks of [inner, outer]) hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
      for (const decision of ['allow', 'deny'] as const) {
        const { shown, approval } = approver({ Oslo: { decision } });
        await answer({ approval });
        expect(shown).toEqual(['Oslo']);
        expect(citiesOf(stage)).toEqual(decision === 'allow' ? ['Oslo'] : []);
        stage.ran.length = 0;
      }
    },
  },
  {
    rule: 'the guards of both registries see the input that a person changed',
    needs: [rewritten, required],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      outer.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const asked: string[] = [];
      for (const [who, hooks] of Object.entries({ outer, inner }))
        hooks.guard(BeforeToolCall, (event) => note(asked, `${who} ${cityOf(event)}`));
      const { approval } = approver({ Oslo: { decision: 'allow', input: { city: 'Bonn' } } });
      expect(await answer({ approval })).toContain('sunny in Bonn');
      expect(asked).toEqual(['outer Oslo', 'inner Oslo', 'outer Bonn', 'inner Bonn']);
      expect(citiesOf(stage)).toEqual(['Bonn']);
    },
  },
];

/** If the framework pauses: what the outer registry requires approval for. */
const pausing: readonly (Pick<Rule, 'rule'> & { readonly hook: (outer: Hooks) => void })[] = [
  {
    rule: 'native: a person sees the final input; if the pause cannot carry it, the call is blocked',
    hook: (outer) => outer.on(BeforeToolCall, () => requireApproval('It costs money.')),
  },
  {
    rule: 'native: an approval required for the rewritten input pauses the run or blocks the call',
    hook: (outer) =>
      outer.guard(BeforeToolCall, (event) =>
        cityOf(event) === 'Oslo' ? requireApproval('It costs money.') : proceed(),
      ),
  },
];

/** Registries around the same tool whose hooks require approval. */
export const twoRegistriesApprovals: Family = {
  name: 'two registries around a tool: approval',
  scenarios: [
    ...ways.flatMap((way) => [
      ...rules.map((rule) => ruleIn(way, rule)),
      // The function for bare tools may be unable to pause.
      ...(way.agent?.includes('outer') ? pausing.map((rule) => pauseIn(way, rule)) : []),
    ]),
    {
      rule: 'the guards of three registries see the input that a person changed',
      needs: [rewritten, required],
      async play(stage) {
        const all = { outer: stage.registry(), between: stage.registry(), inner: stage.registry() };
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
          ...['outer Oslo', 'between Oslo', 'inner Oslo'],
          ...['outer Bonn', 'between Bonn', 'inner Bonn'],
        ]);
        expect(citiesOf(stage)).toEqual(['Bonn']);
      },
    },
    {
      rule: 'an approval goes to the approver of the registry that requires it, else to the next one further out',
      needs: [required],
      async play(stage) {
        expect(await approversOf(stage, ['inner'], { tool: true, agent: true })).toEqual(['tool']);
        expect(await approversOf(stage, ['inner'], { tool: false, agent: true })).toEqual(['agent']);
        expect(await approversOf(stage, ['outer'], { tool: true, agent: true })).toEqual(['agent']);
        expect(await approversOf(stage, ['inner', 'outer'], { tool: true, agent: true })).toEqual([
          'agent',
          'tool',
        ]);
        expect(citiesOf(stage)).toEqual(['Rome', 'Rome', 'Rome', 'Rome']);
        expect(await approversOf(stage, ['outer'], { tool: true, agent: false })).toEqual([]);
        expect(citiesOf(stage)).toHaveLength(4);
      },
    },
  ],
};

/** Which approvers were asked about a call of a hooked tool of a hooked agent. */
async function approversOf(
  stage: Stage,
  requiring: readonly ('inner' | 'outer')[],
  approves: Readonly<Record<'tool' | 'agent', boolean>>,
): Promise<readonly string[]> {
  const both = { inner: stage.registry(), outer: stage.registry() };
  for (const which of requiring) both[which].on(BeforeToolCall, () => requireApproval('It costs money.'));
  const asked: string[] = [];
  const attachOf = (who: 'tool' | 'agent'): AttachSpec => {
    const approval = (): ApprovalAnswer => {
      asked.push(who);
      return { decision: 'allow' };
    };
    return approves[who] ? { approval } : {};
  };
  const tools = [stage.tool('weather', undefined, { hooks: [both.inner], attach: attachOf('tool') })];
  expectAnswered(await stage.play(askWeather, { tools, hooks: [both.outer], attach: attachOf('agent') }));
  return asked;
}

function pauseIn(way: Way, { rule, hook }: (typeof pausing)[number]): Scenario {
  return {
    rule: `${way.name}: ${rule}`,
    needs: [rewritten, required, canPause],
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      sendTo(both.inner, 'Oslo');
      hook(both.outer);
      const native: Cast = { ...castOf(stage, way, both), attach: { approval: 'native' } };
      const actor = await stage.agent(askWeather, native);
      const paused = await actor.run({ session: 's1' });
      expect(stage.ran).toEqual([]);
      if (paused.result.pending.length === 0) {
        expectAnswered(paused);
        expect(paused.read['c1']).toContain('It costs money.');
        return;
      }
      expect(paused.result.pending).toMatchObject([{ callId: 'c1', input: { city: 'Oslo' } }]);
      expectAnswered(await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]));
      expect(citiesOf(stage)).toEqual(['Oslo']);
    },
  };
}

/** An approver that answers by city, and the cities that it was asked about. */
function approver(answers: Readonly<Record<string, ApprovalAnswer>>) {
  const shown: string[] = [];
  const approval = (request: ApprovalRequest): ApprovalAnswer => {
    shown.push(cityOf(request));
    return answers[cityOf(request)] ?? { decision: 'deny' };
  };
  return { shown, approval };
}
