import {
  AfterToolCall,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  proceed,
  retry,
  sessionKey,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';
import {
  type Both,
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

const rules: readonly Rule[] = [
  {
    rule: 'interceptors run from the outer registry inwards, then all guards on the final input, then all observers; AfterToolCall runs outwards',
    needs: [rewritten, can(AfterToolCall)],
    async play(stage, { inner, outer, answer }) {
      const asked: string[] = [];
      const register = (name: string, hooks: Hooks, city: string) => {
        hooks.on(BeforeToolCall, (event) => {
          asked.push(`${name} on ${cityOf(event)}`);
          return modify({ input: { city } });
        });
        hooks.guard(BeforeToolCall, (event) => note(asked, `${name} guard ${cityOf(event)}`));
        hooks.observe(BeforeToolCall, (event) => void asked.push(`${name} observer ${cityOf(event)}`));
        hooks.on(AfterToolCall, (event) => note(asked, `${name} after ${event.status} ${cityOf(event)}`));
      };
      register('inner', inner, 'Oslo');
      register('outer', outer, 'Bonn');
      expect(await answer()).toContain('sunny in Oslo');
      expect(asked).toEqual([
        ...['outer on Rome', 'inner on Bonn'],
        ...['outer guard Oslo', 'inner guard Oslo'],
        ...['outer observer Oslo', 'inner observer Oslo'],
        ...['inner after ok Oslo', 'outer after ok Oslo'],
      ]);
      expect(citiesOf(stage)).toEqual(['Oslo']);
    },
  },
  {
    rule: 'a guard of the outer registry sees the input that the inner one rewrote, and can block it',
    needs: [rewritten, can(BeforeToolCall, 'block')],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      outer.guard(BeforeToolCall, (event) => (cityOf(event) === 'Oslo' ? block('Not Oslo.') : proceed()));
      expect(await answer()).toContain('Not Oslo.');
      expect(stage.ran).toEqual([]);
    },
  },
  {
    rule: 'each guard runs once per call',
    needs: [can(BeforeToolCall)],
    async play(stage, { inner, outer, answer }) {
      const asked: string[] = [];
      inner.guard(BeforeToolCall, (event) => note(asked, `inner ${cityOf(event)}`));
      outer.guard(BeforeToolCall, (event) => note(asked, `outer ${cityOf(event)}`));
      expect(await answer()).toContain('sunny in Rome');
      expect(asked).toEqual(['outer Rome', 'inner Rome']);
      expect(citiesOf(stage)).toEqual(['Rome']);
    },
  },
  {
    rule: 'a Retry of either registry runs the tool again with the same input and without BeforeToolCall',
    needs: [rewritten, can(AfterToolCall, 'retry')],
    async play(stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      const asked: string[] = [];
      for (const [name, hooks] of Object.entries({ inner, outer }))
        hooks.guard(BeforeToolCall, (event) => note(asked, `${name} ${cityOf(event)}`));
      outer.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
      inner.on(AfterToolCall, ({ attempt }) => (attempt === 2 ? retry('once more') : proceed()));
      expect(await answer()).toContain('sunny in Oslo');
      expect(asked).toEqual(['outer Oslo', 'inner Oslo']);
      expect(citiesOf(stage)).toEqual(['Oslo', 'Oslo', 'Oslo']);
    },
  },
  {
    rule: 'TransformToolResult fires once per registry, from the outer one inwards',
    needs: [rewritten, can(TransformToolResult, 'modify.output')],
    async play(_stage, { inner, outer, answer }) {
      sendTo(inner, 'Oslo');
      inner.on(TransformToolResult, ({ output }) => modify({ output: `${output}, indeed` }));
      outer.on(TransformToolResult, ({ output }) => modify({ output: `${output}, they say` }));
      expect(await answer()).toContain('sunny in Oslo, they say, indeed');
    },
  },
  {
    rule: 'hooks see the session of their own registry, and both sessions have the same id',
    needs: [can(BeforeToolCall)],
    async play(_stage, { inner, outer, answer }) {
      const ids: string[] = [];
      for (const hooks of [inner, outer])
        hooks.guard(BeforeToolCall, ({ session }) => {
          expect(session).toBe(hooks.session(session.id));
          ids.push(session.id);
          return proceed();
        });
      expect(await answer()).toContain('sunny in Rome');
      expect(ids).toEqual([ids[0], ids[0]]);
    },
  },
  ...(['inner', 'outer'] as const).map(
    (setter): Rule => ({
      rule: `a hook of the ${setter} registry sets a shared value of the session, and hooks of the other one read it`,
      needs: [can(BeforeToolCall, 'block')],
      async play(stage, both) {
        both[setter].on(BeforeToolCall, ({ session }) => {
          session.set(FLAG, 'careful');
          return proceed();
        });
        both[setter === 'inner' ? 'outer' : 'inner'].guard(BeforeToolCall, ({ session }) =>
          session.get(FLAG) === undefined ? proceed() : block('Too careful.'),
        );
        expect(await both.answer()).toContain('Too careful.');
        expect(stage.ran).toEqual([]);
      },
    }),
  ),
];

const FLAG = sessionKey<string>('conformance/flag', { shared: true });

/** Several registries around a tool call form one chain. */
export const twoRegistries: Family = {
  name: 'two registries around a tool',
  scenarios: [
    ...ways.flatMap((way) => rules.map((rule) => ruleIn(way, rule))),
    ...ways.filter(({ agent = [] }) => agent.includes('outer')).flatMap(renamesIn),
    {
      rule: 'Modify of toolName to a tool that a further registry hooks blocks the call and names the hook',
      needs: [can(BeforeToolCall, 'modify.toolName')],
      async play(stage) {
        const own = stage.registry();
        own.on(BeforeToolCall, () => proceed());
        const rename = () => modify({ toolName: 'archive' });
        stage.hooks.on(BeforeToolCall.matching('weather'), rename, { id: 'renamer' });
        const tools = [stage.tool('weather'), stage.tool('archive', undefined, { hooks: [own] })];
        const played = await stage.play(askWeather, { tools });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read['c1']).toContain('renamer');
      },
    },
    {
      rule: 'a registry around a tool and around its agent runs once',
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

/** One registry renames a call, and the other has a guard for the new tool. */
function renamesIn(way: Way): readonly Scenario[] {
  return (['inner', 'outer'] as const).map((which) => ({
    rule: `${way.name}: a call renamed by the ${which} registry runs the guard of the other one for the new tool`,
    needs: [can(BeforeToolCall, 'modify.toolName'), can(BeforeToolCall, 'block')],
    async play(stage) {
      const both: Both = { inner: stage.registry(), outer: stage.registry() };
      const other = which === 'inner' ? 'outer' : 'inner';
      both[which].on(BeforeToolCall.matching('weather'), () => modify({ toolName: 'archive' }));
      both[other].guard(BeforeToolCall.matching('archive'), () => block('The archive is closed.'));
      await expectClosed(stage, way, both);
    },
  }));
}

async function expectClosed(stage: Stage, way: Way, both: Both): Promise<void> {
  const { tools = [], ...cast } = castOf(stage, way, both);
  const played = await stage.play(askWeather, { ...cast, tools: [...tools, stage.tool('archive')] });
  expectAnswered(played);
  expect(stage.ran).toEqual([]);
  expect(played.read).toEqual({ c1: 'The archive is closed.' });
}
