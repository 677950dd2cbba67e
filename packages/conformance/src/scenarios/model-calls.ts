import {
  AfterModelCall,
  addContext,
  BeforeModelCall,
  BeforeRun,
  block,
  modify,
  proceed,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AgentSpec } from '../harness.ts';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, conversation, expectAnswered, outOfOrder } from './script.ts';

// A stream cuts a text every eight characters, so the marker has to be within the first eight.

const demandsTools: Scenario['appliesTo'] = ({ demandsTools: demands }) => demands === true;

/** Hooks take tools away from the second call, whose answer calls none. */
async function playLanding(
  stage: Stage,
  toolChoice: NonNullable<AgentSpec['toolChoice']>,
  ...taken: readonly string[]
): Promise<void> {
  stage.hooks.on(BeforeModelCall, ({ iteration, tools }) =>
    iteration === 2 ? modify({ tools: tools.filter(({ name }) => !taken.includes(name)) }) : proceed(),
  );
  const played = await stage.play(askWeather, {
    tools: [stage.tool('weather'), stage.tool('archive')],
    toolChoice,
  });
  expectAnswered(played);
  expect(played.requests.map(({ settings }) => settings.toolChoice)).toEqual([toolChoice, undefined]);
}

/** Decisions about a model call. */
export const modelCalls: Family = {
  name: 'model calls',
  scenarios: [
    {
      rule: 'Block on BeforeModelCall calls no model and ends the run, and the result has the reason',
      needs: [can(BeforeModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ iteration }) =>
          iteration === 2 ? block('The budget is spent.') : proceed(),
        );
        const played = await stage.play(askWeather);
        expect(played.requests).toHaveLength(1);
        expect(stage.ran).toHaveLength(1);
        expect(played.result.blockReason).toBe('The budget is spent.');
      },
    },
    {
      rule: 'a hook that throws on BeforeModelCall calls no model, and the reason names the hook',
      needs: [can(BeforeModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, outOfOrder, { id: 'broken-gate' });
        const played = await stage.play(askWeather);
        expect(played.requests).toEqual([]);
        expect(played.result.blockReason).toContain('broken-gate');
      },
    },
    {
      rule: 'Modify of instructions on BeforeModelCall applies to this call only',
      needs: [can(BeforeModelCall, 'modify.instructions')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ iteration }) =>
          iteration === 1 ? modify({ instructions: 'Be verbose.' }) : proceed(),
        );
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.requests.map(({ system }) => system)).toEqual(['Be verbose.', 'Be brief.']);
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall applies to this call only and is not stored',
      needs: [can(BeforeModelCall, 'modify.messages')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ iteration, messages }) =>
          iteration === 1
            ? modify({ messages: messages.map((one) => ({ role: one.role, text: 'Something else.' })) })
            : proceed(),
        );
        const actor = await stage.agent(askWeather);
        const played = await actor.run({ session: 's1' });
        expectAnswered(played);
        expect(played.requests.map((request) => conversation(request)[0]?.content)).toEqual([
          'Something else.',
          'How is the weather?',
        ]);
        expect(findText(await actor.agent.stored('s1'), 'Something else.')).toBeUndefined();
      },
    },
    {
      rule: 'Modify of tools on BeforeModelCall applies to this call only',
      needs: [can(BeforeModelCall, 'modify.tools')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ iteration, tools }) =>
          iteration === 1 ? modify({ tools: tools.filter(({ name }) => name !== 'archive') }) : proceed(),
        );
        const played = await stage.play(askWeather, {
          tools: [stage.tool('weather'), stage.tool('archive')],
        });
        expectAnswered(played);
        expect(played.requests.map(({ tools }) => tools.map(({ name }) => name).toSorted())).toEqual([
          ['weather'],
          ['archive', 'weather'],
        ]);
      },
    },
    {
      rule: 'an answer without a call stands where hooks took away all tools, although the program demands one in each answer',
      needs: [can(BeforeModelCall, 'modify.tools')],
      appliesTo: demandsTools,
      play: (stage) => playLanding(stage, 'required', 'weather', 'archive'),
    },
    {
      rule: 'an answer without a call stands where hooks took away the tool that the program demands in each answer',
      needs: [can(BeforeModelCall, 'modify.tools')],
      appliesTo: demandsTools,
      play: (stage) => playLanding(stage, { name: 'weather' }, 'weather'),
    },
    ...(['required', { name: 'weather' }] as const).flatMap((toolChoice) =>
      ([BeforeModelCall, AfterModelCall] as const).map((point) => ({
        rule: `the reason of a refused ${point === BeforeModelCall ? 'model call' : 'answer'} stands, although the program demands ${toolChoice === 'required' ? 'a' : 'one'} tool in each answer`,
        needs: [can(point, 'block')],
        appliesTo: demandsTools,
        async play(stage: Stage) {
          const ends = ({ iteration }: { readonly iteration: number }) =>
            iteration === 2 ? block('The budget is spent.') : proceed();
          if (point === BeforeModelCall) stage.hooks.guard(BeforeModelCall, ends);
          else stage.hooks.guard(AfterModelCall, ends);
          const played = await stage.play(askWeather, { toolChoice });
          expect(played.requests[0]?.settings.toolChoice).toEqual(toolChoice);
          expect(stage.ran).toHaveLength(1);
          expect(played.result.error).toBeUndefined();
          expect(played.result.blockReason).toBe('The budget is spent.');
        },
      })),
    ),
    {
      rule: 'Modify of settings on BeforeModelCall applies to this call only',
      needs: [can(BeforeModelCall, 'modify.settings')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ iteration }) =>
          iteration === 1 ? modify({ settings: { temperature: 0.25, maxTokens: 77 } }) : proceed(),
        );
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.requests[0]?.settings).toMatchObject({ temperature: 0.25, maxTokens: 77 });
        expect(played.requests[1]?.settings.temperature).not.toBe(0.25);
        expect(played.requests[1]?.settings.maxTokens).not.toBe(77);
      },
    },
    {
      rule: 'Modify of settings on BeforeModelCall overrides those from BeforeRun, which it sees',
      needs: [can(BeforeModelCall, 'modify.settings'), can(BeforeRun, 'modify.settings')],
      async play(stage) {
        const shown: unknown[] = [];
        stage.hooks.on(BeforeRun, () => modify({ settings: { temperature: 0.25, maxTokens: 77 } }));
        stage.hooks.on(BeforeModelCall, ({ iteration, settings }) => {
          shown.push(settings?.temperature);
          return iteration === 1 ? modify({ settings: { temperature: 0.5 } }) : proceed();
        });
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(shown).toEqual([0.25, 0.25]);
        expect(played.requests).toMatchObject([
          { settings: { temperature: 0.5, maxTokens: 77 } },
          { settings: { temperature: 0.25, maxTokens: 77 } },
        ]);
      },
    },
    ...([BeforeModelCall, TurnStart] as const).map((point) => ({
      rule: `Modify of context on ${point.type === 'turn_start' ? 'TurnStart' : 'BeforeModelCall'} applies to this call only and is not stored`,
      needs: [can(point, 'modify.context')],
      async play(stage: Parameters<Family['scenarios'][number]['play']>[0]) {
        const say = ({ iteration }: { readonly iteration: number }) =>
          addContext(`This is call ${iteration}.`);
        if (point.type === 'turn_start') stage.hooks.on(TurnStart, say);
        else stage.hooks.on(BeforeModelCall, say);
        const actor = await stage.agent(askWeather);
        const played = await actor.run({ session: 's1' });
        expectAnswered(played);
        expect(played.requests.map(({ system }) => system.match(/This is call \d\./g))).toEqual([
          ['This is call 1.'],
          ['This is call 2.'],
        ]);
        expect(findText(await actor.agent.stored('s1'), 'This is call')).toBeUndefined();
      },
    })),
    {
      rule: 'the prompt, the run and its model calls have the same model and provider',
      needs: [can(UserPromptSubmit), can(BeforeRun), can(BeforeModelCall), can(AfterModelCall)],
      async play(stage) {
        const events = stage.events();
        const played = await stage.play([{ text: 'Done.' }]);
        expectAnswered(played);
        await stage.hooks.settled();
        const types = ['user_prompt_submit', 'before_run', 'before_model_call', 'after_model_call'];
        const told = events.filter(({ type }) => types.includes(type)).map((event) => ({ ...event }));
        expect(told.map(({ type }) => type)).toEqual(types);
        const [first] = told;
        const provider = first && 'provider' in first ? first.provider : undefined;
        expect(provider).toEqual(expect.stringMatching(/./));
        for (const event of told) expect(event).toMatchObject({ model: played.requests[0]?.model, provider });
      },
    },
    {
      rule: 'the events of a model call have its iteration, messages, tools and response',
      needs: [can(BeforeModelCall), can(AfterModelCall)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await stage.play(askWeather));
        const before = events.filter(({ type }) => type === 'before_model_call');
        expect(before).toMatchObject([{ iteration: 1 }, { iteration: 2 }]);
        expect(before[0]).toMatchObject({ tools: [{ name: 'weather' }] });
        expect(before[0]).toMatchObject({
          messages: expect.arrayContaining([
            expect.objectContaining({ role: 'user', text: 'How is the weather?' }),
          ]),
        });
        const ended = events.filter(({ type }) => type === 'after_model_call');
        expect(ended).toMatchObject([
          {
            iteration: 1,
            attempt: 1,
            response: { toolCalls: [{ callId: 'c1', toolName: 'weather', input: { city: 'Rome' } }] },
          },
          { iteration: 2, attempt: 1, response: { text: 'Done.', toolCalls: [] } },
        ]);
      },
    },
  ],
};
