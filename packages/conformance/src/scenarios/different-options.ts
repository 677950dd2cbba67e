import {
  AfterModelCall,
  type ApprovalAnswer,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  Stop,
  SubagentStart,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AttachSpec } from '../harness.ts';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import { askWeather, call, expectAnswered } from './script.ts';
import { type Rule, ruleIn, ways } from './ways-to-attach.ts';

const allow = (): ApprovalAnswer => ({ decision: 'allow' });
const weather = call('c1', 'weather', 'Rome');
const required = can(BeforeToolCall, 'modify.approval');

/** Who approves, by registry. Not set: the registry further out decides, and in the end nobody. */
const approvals: readonly {
  readonly who: 'inner' | 'outer';
  readonly rule: string;
  readonly each: { readonly inner: AttachSpec; readonly outer: AttachSpec };
  readonly runs: boolean;
}[] = [
  {
    who: 'inner',
    rule: '`approval: deny` of the inner registry denies what its hooks require, although the outer one has an approver',
    each: { inner: { approval: 'deny' }, outer: { approval: allow } },
    runs: false,
  },
  {
    who: 'outer',
    rule: 'the approver of the inner registry does not answer for the outer one',
    each: { inner: { approval: allow }, outer: {} },
    runs: false,
  },
  {
    who: 'inner',
    rule: 'the approver of the outer registry answers for an inner one without the option',
    each: { inner: {}, outer: { approval: allow } },
    runs: true,
  },
  {
    who: 'inner',
    rule: 'the approver of the inner registry answers for it, although the outer one denies',
    each: { inner: { approval: allow }, outer: { approval: 'deny' } },
    runs: true,
  },
];

const rules: readonly Rule[] = [
  ...approvals.map(
    ({ who, rule, each, runs }): Rule => ({
      rule,
      needs: [required],
      async play(stage, { answer, ...both }) {
        both[who].on(BeforeToolCall, () => requireApproval('It costs money.'));
        await answer({}, each);
        expect(stage.ran).toHaveLength(runs ? 1 : 0);
      },
    }),
  ),
  {
    rule: '`principal` of the inner registry wins, and that of the outer one counts where it returns none',
    needs: [can(BeforeToolCall)],
    async play(_stage, { inner, outer, answer }) {
      const seen: (string | undefined)[] = [];
      for (const hooks of [inner, outer])
        hooks.on(BeforeToolCall, ({ principal }) => {
          seen.push(principal?.id);
          return proceed();
        });
      await answer({}, { inner: { principal: 'ann' }, outer: { principal: 'bob' } });
      await answer({}, { inner: {}, outer: { principal: 'bob' } });
      expect(seen).toEqual(['ann', 'ann', 'bob', 'bob']);
    },
  },
];

/** Registries that are attached with different options. */
export const differentOptions: Family = {
  name: 'registries with different options',
  scenarios: [
    ...ways.flatMap((way) => rules.map((rule) => ruleIn(way, rule))),
    ...(['inner', 'outer'] as const).map(withheld),
    ...[
      [0, undefined],
      [undefined, 0],
      [1, 4],
      [4, 1],
    ].map(([inner, outer]) => continued(inner, outer)),
    {
      rule: 'a registry attached twice has the options of the outer place, and those that it lacks there from the inner one',
      needs: [required, can(Stop, 'retry')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(Stop, () => retry('More.'));
        const hooks = [stage.hooks, stage.hooks];
        const limited = { maxContinuations: 1 };
        const lacking = await stage.play(
          ({ messages }) =>
            messages.some(({ role }) => role === 'tool') ? { text: 'Done.' } : { toolCalls: [weather] },
          { hooks, attachEach: [{ approval: allow, maxContinuations: 0 }, limited] },
        );
        expect(stage.ran).toHaveLength(1);
        expect(lacking.requests).toHaveLength(3);
        const denied = [{ approval: allow, ...limited }, { approval: 'deny', maxContinuations: 0 } as const];
        await stage.play(askWeather, { hooks, attachEach: denied });
        expect(stage.ran).toHaveLength(1);
      },
    },
    {
      rule: 'a registry attached twice around another one is outermost, with the options that it lacks there from within',
      needs: [required, can(BeforeToolCall)],
      async play(stage) {
        const other = stage.registry();
        const asked: string[] = [];
        stage.hooks.on(BeforeToolCall, () => {
          asked.push('twice');
          return requireApproval('It costs money.');
        });
        other.on(BeforeToolCall, () => {
          asked.push('once');
          return proceed();
        });
        const hooks = [stage.hooks, other, stage.hooks];
        await stage.play(askWeather, { hooks, attachEach: [{ approval: allow }, {}, {}] });
        expect(asked).toEqual(['twice', 'once']);
        expect(stage.ran).toHaveLength(1);
      },
    },
    ...(
      [
        ['as text', 'assist.*', 'clerk'],
        ['as a RegExp', /^assist/, /^clerk$/],
      ] as const
    ).map(
      ([how, mine, others]): Scenario => ({
        rule: `a hook with \`agents\` ${how} decides for those agents and for no other`,
        // Where there are sub-agents, agents have names.
        needs: [can(BeforeToolCall, 'block'), can(SubagentStart)],
        async play(stage) {
          stage.hooks.guard(BeforeToolCall, () => block('Not for clerks.'), { agents: others });
          expectAnswered(await stage.play(askWeather));
          expect(stage.ran).toHaveLength(1);
          stage.hooks.guard(BeforeToolCall, () => block('Not for assistants.'), { agents: mine });
          const played = await stage.play(askWeather);
          expect(stage.ran).toHaveLength(1);
          expect(played.read).toEqual({ c1: 'Not for assistants.' });
        },
      }),
    ),
    {
      rule: 'unmatched() knows the names of tools that are hooked on their own',
      needs: [can(BeforeToolCall)],
      plainOnly: true,
      async play(stage) {
        for (const name of ['weather', 'wether'])
          stage.hooks.on(BeforeToolCall.matching(name), () => proceed(), { id: name });
        await stage.callTool();
        expect(stage.hooks.unmatched()).toEqual([{ id: 'wether', matcher: 'wether', nearest: ['weather'] }]);
      },
    },
    {
      rule: 'a matcher with a typo is warned of once, at the first call of a tool that is hooked on its own',
      needs: [can(BeforeToolCall)],
      plainOnly: true,
      async play(stage) {
        const warnings: string[] = [];
        const hooks = stage.registry({ onWarning: (message) => warnings.push(message) });
        hooks.on(BeforeToolCall.matching('wether'), () => proceed(), { id: 'typo' });
        for (let call = 0; call < 2; call++) {
          await stage.callTool(stage.tool('weather'), { hooks: [hooks] });
          expect(warnings).toEqual(['Hook "typo" guards no tool: "wether" matches none. Similar: weather.']);
        }
      },
    },
  ],
};

/** One registry redacts the answer; the other one opts out of holding streams. */
function withheld(which: 'inner' | 'outer'): Scenario {
  return {
    rule: `a streamed answer that the ${which} registry redacts is held back, although the other one has \`holdStream: false\``,
    needs: [can(AfterModelCall, 'modify.response')],
    async play(stage) {
      for (const form of stage.forms())
        for (const decides of [false, true]) {
          const both = { inner: stage.registry(), outer: stage.registry() };
          redact(both[which]);
          const other = both[which === 'inner' ? 'outer' : 'inner'];
          if (decides) other.on(AfterModelCall, () => proceed());
          else other.observe(AfterModelCall, () => {});
          const options = { holdStream: false };
          const played = await stage.play(
            [{ text: 'tangelo is the password.' }],
            {
              hooks: [both.inner, both.outer],
              attachEach: which === 'inner' ? [{}, options] : [options, {}],
            },
            form,
          );
          expectAnswered(played, '[hidden] is the password.');
          expect(findText(played.result.seen, 'tangelo')).toBeUndefined();
        }
    },
  };
}

function redact(hooks: Hooks): void {
  hooks.on(AfterModelCall, ({ response }) =>
    modify({ response: { ...response, text: response.text.replace('tangelo', '[hidden]') } }),
  );
}

function continued(inner: number | undefined, outer: number | undefined): Scenario {
  const smallest = Math.min(inner ?? 3, outer ?? 3);
  return {
    rule: `Stop hooks continue a run at most ${smallest} times where \`maxContinuations\` is ${inner ?? 'unset'} inside and ${outer ?? 'unset'} outside`,
    needs: [can(Stop, 'retry')],
    async play(stage) {
      const hooks = [stage.registry(), stage.registry()];
      for (const one of hooks) one.on(Stop, () => retry('More.'));
      const attachEach = [inner, outer].map((maxContinuations) =>
        maxContinuations === undefined ? {} : { maxContinuations },
      );
      const played = await stage.play(() => ({ text: 'An answer.' }), { hooks, attachEach });
      expectAnswered(played, 'An answer.');
      expect(played.requests).toHaveLength(smallest + 1);
    },
  };
}
