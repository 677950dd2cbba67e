import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  type ModelMessage,
  modify,
  requireApproval,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const rewriting: Scenario['needs'] = [can(BeforeModelCall, 'modify.messages')];

/** What observers see of the results in each model call: `weather c1: sunny in Rome`. */
function watch(hooks: Stage['hooks']): string[][] {
  const seen: string[][] = [];
  hooks.observe(BeforeModelCall, ({ messages }) => {
    const isNamed = ({ role, toolName, callId }: ModelMessage) =>
      role === 'tool' || toolName !== undefined || callId !== undefined;
    seen.push(messages.filter(isNamed).map(({ toolName, callId, text }) => `${toolName} ${callId}: ${text}`));
  });
  return seen;
}

/** What a hook can write of which call a result is. */
const forgeries: Readonly<Record<string, (message: ModelMessage) => ModelMessage>> = {
  'another tool': (message) => (message.role === 'tool' ? { ...message, toolName: 'archive' } : message),
  'another call': (message) =>
    message.role === 'tool' ? { ...message, callId: message.callId === 'c1' ? 'c2' : 'c1' } : message,
  'a call for a prompt': (message) =>
    message.role === 'user' ? { ...message, toolName: 'weather', callId: 'c1' } : message,
  'a result of its own': ({ native: _native, ...message }) =>
    message.role === 'tool' ? { ...message, callId: 'c9' } : message,
};

/** Of which call a result is, in the messages of a model call. */
export const resultNames: Family = {
  name: 'which call a result is of',
  scenarios: [
    {
      rule: 'each result on BeforeModelCall names its tool and its call, also where a hook changes the text of another, and no other message does',
      needs: [...rewriting, can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('archive'), () => block('No files.'), { allowUnknown: true });
        stage.hooks.on(BeforeModelCall, ({ messages }) =>
          modify({
            messages: messages.map((one) => ({ ...one, text: one.text.replace('in Rome', 'there') })),
          }),
        );
        const seen = watch(stage.hooks);
        const played = await stage.play(
          [
            { toolCalls: [call('c1', 'weather', 'Rome'), call('c2', 'archive', 'Rome')] },
            { toolCalls: [call('c3', 'weather', 'Bonn')] },
            { text: 'Done.' },
          ],
          { tools: [stage.tool('weather'), stage.tool('archive')] },
        );
        expectAnswered(played);
        const first = ['weather c1: sunny there', 'archive c2: No files.'];
        expect(seen).toEqual([[], first, [...first, 'weather c3: sunny in Bonn']]);
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall without the names of results keeps of which call each is',
      needs: rewriting,
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ messages }) =>
          modify({
            messages: messages.map(({ role, text, native }) => ({ role, text: `${text}!`, native })),
          }),
        );
        const played = await stage.play(calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Bonn')));
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Rome!', c2: 'sunny in Bonn!' });
      },
    },
    {
      rule: 'each answer on BeforeModelCall names its calls, and a result that a hook writes for one of them reaches the model as its result',
      needs: rewriting,
      async play(stage) {
        const named: ModelMessage['calls'][] = [];
        stage.hooks.on(BeforeModelCall, ({ messages }) => {
          const made = messages.flatMap(({ calls: own = [] }) => own);
          named.push(made);
          // What a hook does about a call that an abort left without a result.
          const written = made
            .slice(0, 1)
            .map((one) => ({ ...one, role: 'tool' as const, text: 'Canceled.' }));
          return modify({
            messages: messages.flatMap((one) =>
              one.callId !== undefined && one.callId === written[0]?.callId ? written : [one],
            ),
          });
        });
        const played = await stage.play(calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Bonn')));
        expectAnswered(played);
        expect(named).toEqual([
          [],
          [
            { callId: 'c1', toolName: 'weather' },
            { callId: 'c2', toolName: 'weather' },
          ],
        ]);
        expect(played.read).toEqual({ c1: 'Canceled.', c2: 'sunny in Bonn' });
      },
    },
    ...Object.entries(forgeries).map(
      ([what, forge]): Scenario => ({
        rule: `Modify of messages on BeforeModelCall that names ${what} fails the hook, and the model reads nothing of it`,
        needs: [...rewriting, can(BeforeModelCall, 'block')],
        async play(stage) {
          stage.hooks.on(
            BeforeModelCall,
            ({ messages, iteration }) =>
              modify({ messages: iteration === 1 ? messages : messages.map(forge) }),
            { id: 'forger' },
          );
          const { requests, result } = await stage.play(
            calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Bonn')),
          );
          expect(requests).toHaveLength(1);
          expect(stage.failures).toMatchObject([
            { hook: 'forger', message: expect.stringContaining('not say of which call it is') },
          ]);
          expect(result.blockReason).toContain('forger');
        },
      }),
    ),
    {
      rule: 'native: each result on BeforeModelCall names its tool and its call in a history from another process',
      needs: [can(BeforeModelCall), can(BeforeToolCall, 'modify.approval'), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('archive'), () => requireApproval('It costs money.'), {
          allowUnknown: true,
        });
        const cast = {
          tools: [stage.tool('weather'), stage.tool('archive')],
          storage: await stage.directory(),
          attach: { approval: 'native' },
        } as const;
        const here = await stage.agent(
          [...askWeather.slice(0, 1), ...calls(call('c2', 'archive', 'Bonn'))],
          cast,
        );
        const { result } = await here.run({ session: 's1' });
        expect(result.pending).toMatchObject([{ callId: 'c2' }]);
        const there = stage.registry();
        const seen = watch(there);
        const elsewhere = await stage.agent(() => ({ text: 'Done.' }), { ...cast, hooks: [there] });
        const resumed = await elsewhere.resume('s1', [{ callId: 'c2', decision: 'allow' }]);
        expect(resumed.result.error).toBeUndefined();
        expect(seen).toEqual([['weather c1: sunny in Rome', 'archive c2: sunny in Bonn']]);
      },
    },
  ],
};
