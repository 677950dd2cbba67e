import {
  AfterModelCall,
  BeforeModelCall,
  type ModelMessage,
  modify,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { call, calls, conversation, expectAnswered } from './script.ts';

/** The smallest image. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = `data:image/png;base64,${pixel}`;

/** A hook's messages, with one text replaced by another. */
function replaced(messages: readonly ModelMessage[], from: string, to: string) {
  return modify({ messages: messages.map((one) => ({ ...one, text: one.text.replace(from, to) })) });
}

/** What a hook did not change is still there after it changed something beside it. */
export const neighbours: Family = {
  name: 'neighbours',
  scenarios: [
    {
      rule: 'Modify of prompt on UserPromptSubmit leaves the other parts of the message where they are',
      needs: [can(UserPromptSubmit, 'modify.prompt')],
      async play(stage) {
        stage.hooks.on(UserPromptSubmit, ({ prompt }) =>
          modify({ prompt: prompt.replace('secret', 'word') }),
        );
        const bare = await stage.agent([{ text: 'Done.' }], { hooks: [] });
        const actor = await stage.agent([{ text: 'Done.' }]);
        const expected = await bare.run({ prompt: 'Look at this.', image, caption: 'Is it a word?' });
        const played = await actor.run({ prompt: 'Look at this.', image, caption: 'Is it a secret?' });
        expectAnswered(played);
        expect(played.requests.map(conversation)).toEqual(expected.requests.map(conversation));
        expect(JSON.stringify(played.requests[0]?.body)).toContain(pixel);
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall keeps the image of a user message whose text it changes',
      needs: [can(BeforeModelCall, 'modify.messages')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ messages }) => replaced(messages, 'secret', 'word'));
        const actor = await stage.agent([{ text: 'Done.' }]);
        const played = await actor.run({ prompt: 'What is this secret?', image });
        expectAnswered(played);
        const [request] = played.requests;
        expect(request && conversation(request)[0]?.content).toContain('What is this word?');
        expect(JSON.stringify(request?.body)).toContain(pixel);
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall keeps the image of a user message that it does not change',
      needs: [can(BeforeModelCall, 'modify.messages')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ messages }) => replaced(messages, 'nothing', 'something'));
        const actor = await stage.agent([{ text: 'Done.' }]);
        const bare = await stage.agent([{ text: 'Done.' }], { hooks: [] });
        const [changed, expected] = [await actor.run({ image }), await bare.run({ image })];
        expect(changed.requests.map(conversation)).toEqual(expected.requests.map(conversation));
        expect(JSON.stringify(changed.requests[0]?.body)).toContain(pixel);
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall keeps the tool calls of an answer whose text it changes',
      needs: [can(BeforeModelCall, 'modify.messages')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ messages }) => replaced(messages, 'Looking', 'I look'));
        const toolCalls = [call('c1', 'weather', 'Rome')];
        const played = await stage.play([{ text: 'Looking.', toolCalls }, { text: 'Done.' }]);
        expectAnswered(played);
        expect(played.requests[1]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({
          content: 'I look.',
          toolCalls: [{ id: 'c1', name: 'weather' }],
        });
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'Modify of messages on BeforeModelCall changes one of several tool results and keeps the others',
      needs: [can(BeforeModelCall, 'modify.messages')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ messages }) => replaced(messages, 'in Rome', 'there'));
        const played = await stage.play(calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Bonn')));
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny there', c2: 'sunny in Bonn' });
      },
    },
    {
      rule: 'Modify of a description on BeforeModelCall reaches the model and keeps the schema of the tool',
      needs: [can(BeforeModelCall, 'modify.tools')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ tools }) =>
          modify({
            tools: tools.map((one) =>
              one.name === 'weather' ? { ...one, description: 'Only for Rome.' } : one,
            ),
          }),
        );
        const cast = { tools: [stage.tool('weather'), stage.tool('archive')] };
        const played = await stage.play(calls(call('c1', 'weather', 'Rome')), cast);
        expectAnswered(played);
        expect(stage.ran).toHaveLength(1);
        const bare = await stage.play([{ text: 'Done.' }], { ...cast, hooks: [] });
        const expected = bare.requests[0]?.tools.map((one) =>
          one.name === 'weather' ? { ...one, description: 'Only for Rome.' } : one,
        );
        expect(played.requests.map(({ tools }) => tools)).toEqual([expected, expected]);
      },
    },
    {
      rule: 'Modify of tools on BeforeModelCall with a tool that the agent does not have fails the hook, and the reason names the tool',
      needs: [can(BeforeModelCall, 'modify.tools'), can(BeforeModelCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ tools }) => modify({ tools: [...tools, { name: 'rocket' }] }), {
          id: 'adder',
        });
        const played = await stage.play([{ text: 'Done.' }]);
        expect(played.requests).toEqual([]);
        expect(stage.failures).toMatchObject([{ hook: 'adder', message: expect.stringContaining('rocket') }]);
        expect(played.result.blockReason).toContain('adder');
      },
    },
    {
      rule: 'Modify of response on AfterModelCall keeps the tool calls of an answer whose text it changes',
      needs: [can(AfterModelCall, 'modify.response')],
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          response.text === 'Looking.' ? modify({ response: { ...response, text: 'I look.' } }) : proceed(),
        );
        const toolCalls = [call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Bonn')];
        const played = await stage.play([{ text: 'Looking.', toolCalls }, { text: 'Done.' }]);
        expectAnswered(played);
        expect(played.requests[1]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({
          content: 'I look.',
          toolCalls: toolCalls.map(({ id, name }) => ({ id, name })),
        });
        expect(played.read).toEqual({ c1: 'sunny in Rome', c2: 'sunny in Bonn' });
      },
    },
  ],
};
