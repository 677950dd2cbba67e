import {
  AfterModelCall,
  AgentError,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  type EventPayload,
  MaxIterations,
  modify,
  Notification,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, call, expectAnswered, outOfOrder } from './script.ts';

const ends = (events: readonly EventPayload[]): readonly unknown[] =>
  events.filter(({ type }) => type === 'turn_end').map((event) => 'reason' in event && event.reason);

/** The events of a turn. */
const ofTurns: readonly string[] = [
  ...['turn_start', 'before_model_call', 'after_model_call', 'turn_end'],
  ...['before_tool_call', 'transform_tool_result', 'after_tool_call'],
];

function idsOf(events: readonly EventPayload[], id: 'run' | 'turn'): readonly (string | undefined)[] {
  return [...new Set(events.map((event) => event[id]))];
}

/** How runs and turns begin and end. */
export const turns: Family = {
  name: 'runs and turns',
  scenarios: [
    {
      rule: 'Modify of model and settings on BeforeRun applies to every model call of the run',
      needs: [can(BeforeRun, 'modify.model'), can(BeforeRun, 'modify.settings')],
      async play(stage) {
        stage.hooks.on(BeforeRun, () => modify({ model: 'smaller', settings: { temperature: 0.25 } }));
        const actor = await stage.agent(askWeather);
        const played = await actor.run();
        expectAnswered(played);
        expect(played.requests.map(({ model }) => model)).toEqual(['smaller', 'smaller']);
        expect(played.requests.map(({ settings }) => settings.temperature)).toEqual([0.25, 0.25]);
      },
    },
    {
      rule: 'Modify of model on BeforeRun applies to every model call of the run',
      needs: [can(BeforeRun, 'modify.model')],
      async play(stage) {
        stage.hooks.on(BeforeRun, () => modify({ model: 'smaller' }));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.requests.map(({ model }) => model)).toEqual(['smaller', 'smaller']);
      },
    },
    {
      rule: 'Block on BeforeRun calls no model, and the result has the reason',
      needs: [can(BeforeRun, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeRun, () => block('Not at night.'));
        const played = await stage.play(askWeather);
        expect(played.requests).toEqual([]);
        expect(played.result.blockReason).toBe('Not at night.');
      },
    },
    {
      rule: 'a hook that throws on BeforeRun calls no model, and the reason names the hook',
      needs: [can(BeforeRun, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeRun, outOfOrder, { id: 'broken-gate' });
        const played = await stage.play(askWeather);
        expect(played.requests).toEqual([]);
        expect(played.result.blockReason).toContain('broken-gate');
      },
    },
    {
      rule: 'BeforeRun has the prompt and the metadata as the hooks on UserPromptSubmit left them',
      needs: [
        can(BeforeRun),
        can(UserPromptSubmit, 'modify.metadata'),
        can(UserPromptSubmit, 'modify.prompt'),
      ],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, () => modify({ prompt: 'Rain?', metadata: { intent: 'weather' } }));
        const events = stage.events();
        expectAnswered(await stage.play(askWeather));
        expect(events.find(({ type }) => type === 'before_run')).toMatchObject({
          message: 'Rain?',
          metadata: { intent: 'weather' },
        });
      },
    },
    {
      rule: 'each turn starts and ends once, with continue after tool calls and normal after the answer',
      needs: [can(TurnStart), can(TurnEnd)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await stage.play(askWeather));
        const turnEvents = events.filter(({ type }) => type === 'turn_start' || type === 'turn_end');
        expect(turnEvents.map(({ type }) => type)).toEqual([
          'turn_start',
          'turn_end',
          'turn_start',
          'turn_end',
        ]);
        expect(ends(events)).toEqual(['continue', 'normal']);
      },
    },
    {
      rule: 'every event has its agent and run, and within a turn also its turn',
      needs: [can(TurnStart), can(TurnEnd), can(BeforeModelCall), can(AfterModelCall), can(BeforeToolCall)],
      async play(stage) {
        const events = stage.events();
        const actor = await stage.agent([...askWeather, { text: 'Again.' }]);
        expectAnswered(await actor.run({ session: 's1' }));
        expectAnswered(await actor.run({ session: 's1' }), 'Again.');
        await stage.hooks.settled();
        const inRuns = events.filter(({ type }) => !type.startsWith('session_'));
        expect(new Set(inRuns.map(({ agent }) => agent))).toEqual(new Set(['assistant']));
        expect(idsOf(inRuns, 'run')).toHaveLength(2);
        const inTurns = inRuns.filter(({ type }) => ofTurns.includes(type));
        expect(idsOf(inTurns, 'turn')).toHaveLength(3);
        for (const turn of idsOf(inTurns, 'turn')) {
          const types = inTurns.filter((event) => event.turn === turn).map(({ type }) => type);
          expect(types.slice(0, 3)).toEqual(['turn_start', 'before_model_call', 'after_model_call']);
          expect(types.at(-1)).toBe('turn_end');
        }
        const run = inRuns.at(0)?.run;
        expect(
          inRuns.filter(({ type }) => type === 'user_prompt_submit').map((event) => event.run === run),
        ).toEqual([true, false]);
      },
    },
    {
      rule: 'a turn with a failed model call ends with error, and AgentError and Notification fire',
      needs: [can(TurnEnd), can(AgentError), can(Notification)],
      async play(stage) {
        const events = stage.events();
        const { result } = await stage.play([{ status: 400, error: 'No credit.' }]);
        expect(result.error).toBeDefined();
        expect(ends(events)).toEqual(['error']);
        const told = events.filter(({ type }) => type === 'agent_error' || type === 'notification');
        expect(told.map(({ type }) => type).toSorted()).toEqual(['agent_error', 'notification']);
        const turn = events.find(({ type }) => type === 'turn_end')?.turn;
        for (const event of told)
          expect(event).toMatchObject({ message: expect.stringContaining('No credit.'), turn });
      },
    },
    {
      rule: 'an aborted turn ends with canceled',
      needs: [can(TurnEnd)],
      async play(stage) {
        const abort = new AbortController();
        const events = stage.events();
        const tool = stage.tool('weather', () => {
          abort.abort();
          throw new Error('aborted');
        });
        await stage.play(askWeather, { tools: [tool] }, { signal: abort.signal });
        await stage.hooks.settled();
        expect(ends(events)).toEqual(['canceled']);
      },
    },
    {
      rule: 'the limit of iterations fires MaxIterations and Notification once, after a turn that ended with continue',
      needs: [can(MaxIterations), can(Notification), can(TurnEnd)],
      async play(stage) {
        const events = stage.events();
        let id = 0;
        const played = await stage.play(() => ({ toolCalls: [call(`c${++id}`, 'weather', 'Rome')] }), {
          maxIterations: 2,
        });
        expect(played.requests).toHaveLength(2);
        const told = events.filter(({ type }) => type === 'max_iterations' || type === 'notification');
        expect(told.map(({ type }) => type).toSorted()).toEqual(['max_iterations', 'notification']);
        expect(told.find(({ type }) => type === 'max_iterations')).toMatchObject({ maxIterations: 2 });
        expect(ends(events)).toEqual(['continue', 'continue']);
      },
    },
    {
      rule: 'Notification has level warning at the limit of iterations and level error after an error',
      needs: [can(MaxIterations), can(AgentError), can(Notification)],
      async play(stage) {
        const levels: string[] = [];
        stage.hooks.observe(Notification, ({ level }) => void levels.push(level));
        let id = 0;
        await stage.play(() => ({ toolCalls: [call(`c${++id}`, 'weather', 'Rome')] }), { maxIterations: 2 });
        await stage.play([{ status: 400, error: 'No credit.' }]);
        await stage.hooks.settled();
        expect(levels).toEqual(['warning', 'error']);
      },
    },
  ],
};
