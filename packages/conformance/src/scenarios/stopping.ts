import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  type BlockCode,
  block,
  type EventPayload,
  type Hooks,
  proceed,
  SessionEnd,
  TurnEnd,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import type { Script } from '../model-server/index.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather, call, expectAnswered } from './script.ts';

/** The model first calls for Rome and Oslo in parallel. Later it answers 'Back again.'. */
const romeAndOslo: Script = ({ turn }) =>
  turn === 0
    ? { toolCalls: [call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo')] }
    : { text: 'Back again.' };

/** Runs that a hook ends early. */
export const stopping: Family = {
  name: 'stop',
  scenarios: [
    {
      rule: 'Block with stop answers the sibling call, calls no model, sets the reason on the result, and the session continues',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ callId }) =>
          callId === 'rome' ? block('That is enough.', { stop: true }) : proceed(),
        );
        const actor = await stage.agent(romeAndOslo);
        const stopped = await actor.run({ session: 's1' });
        expect(stopped.requests).toHaveLength(1);
        expect(stopped.result.blockReason).toBe('That is enough.');
        expect(stage.ran.filter(({ input }) => JSON.stringify(input).includes('Rome'))).toEqual([]);
        // The model server rejects a history with an unanswered call.
        expectAnswered(await actor.run({ session: 's1' }), 'Back again.');
      },
    },
    {
      rule: 'Block with stop on AfterToolCall answers the sibling call, calls no model, sets the reason on the result, and the session continues',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, ({ callId }) =>
          callId === 'rome' ? block('That is enough.', { stop: true }) : proceed(),
        );
        const actor = await stage.agent(romeAndOslo);
        const stopped = await actor.run({ session: 's1' });
        expect(stopped.requests).toHaveLength(1);
        expect(stopped.result.blockReason).toBe('That is enough.');
        expect(stage.ran).toHaveLength(2);
        expectAnswered(await actor.run({ session: 's1' }), 'Back again.');
      },
    },
    {
      rule: 'Block without stop sets no blockReason on the result',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => block('No forecasts today.'));
        const { result } = await stage.play(askWeather);
        expect(result.blockReason).toBeUndefined();
        expect(result.text).toBe('Done.');
      },
    },
    {
      rule: 'a session continues from before a blocked model call',
      needs: [can(BeforeModelCall, 'block')],
      async play(stage) {
        let asked = 0;
        stage.hooks.on(BeforeModelCall, () => (++asked === 2 ? block('That is enough.') : proceed()));
        await expectGoesOn(stage);
      },
    },
    {
      rule: 'a session continues without a blocked answer and its tool calls',
      needs: [can(AfterModelCall, 'block')],
      async play(stage) {
        let asked = 0;
        stage.hooks.on(AfterModelCall, () => (++asked === 1 ? block('That is enough.') : proceed()));
        const next = await expectGoesOn(stage);
        expect(stage.ran).toEqual([]);
        expect(findText(next.requests, 'Let me see.')).toBeUndefined();
      },
    },
    {
      rule: 'a run that a hook ends has a turn that ends with hook_blocked or the code of the Block, no Stop, and a session that ends once',
      needs: [
        ...[UserPromptSubmit, BeforeRun, BeforeModelCall, AfterModelCall, BeforeToolCall, AfterToolCall].map(
          (point) => can(point, 'block'),
        ),
        can(TurnEnd),
        can(SessionEnd),
      ],
      async play(stage) {
        for (const register of beforeATurn)
          expect(await lastEvents(stage, register)).toEqual(['session_end']);
        for (const register of inATurn)
          expect(await lastEvents(stage, register)).toEqual(['turn_end hook_blocked', 'session_end']);
        for (const register of inATurn)
          expect(await lastEvents(stage, (hooks) => register(hooks, 'loop_detected'))).toEqual([
            'turn_end loop_detected',
            'session_end',
          ]);
      },
    },
  ],
};

const enough = () => block('That is enough.', { stop: true });
const enoughOf = (code?: BlockCode) => () => block('That is enough.', { stop: true, ...(code && { code }) });

const beforeATurn: readonly ((hooks: Hooks) => void)[] = [
  (hooks) => hooks.on(UserPromptSubmit, enough),
  (hooks) => hooks.on(BeforeRun, enough),
];

const inATurn: readonly ((hooks: Hooks, code?: BlockCode) => void)[] = [
  (hooks, code) => hooks.on(BeforeModelCall, enoughOf(code)),
  (hooks, code) => hooks.on(AfterModelCall, enoughOf(code)),
  (hooks, code) => hooks.on(BeforeToolCall, enoughOf(code)),
  (hooks, code) => hooks.on(AfterToolCall, enoughOf(code)),
];

/** Ends of turns and sessions, and Stop, in a run with these hooks. */
async function lastEvents(stage: Stage, register: (hooks: Hooks) => void): Promise<readonly string[]> {
  const hooks = stage.registry();
  register(hooks);
  const events = stage.events(hooks);
  const { result } = await stage.play(askWeather, { hooks: [hooks] });
  expect(result.blockReason).toBe('That is enough.');
  await hooks.settled();
  return events.filter(({ type }) => ['turn_end', 'stop', 'session_end'].includes(type)).map(ended);
}

function ended(event: EventPayload): string {
  return event.type === 'turn_end' && 'reason' in event ? `${event.type} ${event.reason}` : event.type;
}

/** A run that a hook ends, and a second run in the same session. The model server rejects unanswered calls. */
async function expectGoesOn(stage: Stage): Promise<Played> {
  const script: Script = ({ messages }) =>
    messages.at(-1)?.content === 'And now?'
      ? { text: 'Back again.' }
      : { text: 'Let me see.', toolCalls: [call('rome', 'weather', 'Rome')] };
  const actor = await stage.agent(script);
  const { result } = await actor.run({ session: 's1' });
  expect(result.blockReason).toBe('That is enough.');
  const next = await actor.run({ session: 's1', prompt: 'And now?' });
  expectAnswered(next, 'Back again.');
  return next;
}
