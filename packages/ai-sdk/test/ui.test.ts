import { BeforeToolCall, block, modify, TransformToolResult } from '@hooks/core';
import {
  createAgentUIStream,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { expect, test } from 'vitest';
import { hookedAgent, hookedCall } from '../src/index.ts';
import { asking, pays, payTool, serve, watched } from './fixtures.ts';

test('createAgentUIStream: a call waits for the user, and runs after a yes in the messages of the next request', async () => {
  await using served = await serve(pays);
  const { settings, hooks, ran, asked } = asking(served.model);
  const agent = hookedAgent(settings, hooks, { approval: 'native' });
  const request = async (messages: readonly unknown[], message?: UIMessage) => {
    const stream = await createAgentUIStream({ agent, uiMessages: [...messages] });
    return shown(stream, message);
  };
  const user = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] };
  const paused = await request([user]);
  expect(paused.parts.at(-1)).toMatchObject({ type: 'tool-pay', state: 'approval-requested' });
  expect(ran).toEqual([]);
  // What useChat makes of the user's yes.
  const answered: UIMessage = JSON.parse(JSON.stringify(paused), (_key, value) =>
    value?.state === 'approval-requested'
      ? { ...value, state: 'approval-responded', approval: { ...value.approval, approved: true } }
      : value,
  );
  const done = await request([user, answered], answered);
  expect(done.parts.at(-1)).toMatchObject({ type: 'text', text: 'Paid.' });
  expect({ ran, asked }).toEqual({ ran: [{ sum: 5 }], asked: ['c1'] });
});

/** The message to which a stream leads. */
async function shown(
  stream: Parameters<typeof readUIMessageStream>[0]['stream'],
  message?: UIMessage,
): Promise<UIMessage> {
  let last: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream, ...(message && { message }) })) last = state;
  if (last === undefined) throw new Error('There was no message.');
  return last;
}

test.each([
  ['replaces', 'output-available', { output: { paid: 'much' } }],
  ['blocks', 'output-error', { errorText: 'Too much.' }],
])('toUIMessageStream: what a hook %s is what a page shows', async (what, state, has) => {
  await using served = await serve(pays);
  const { hooks } = watched();
  if (what === 'blocks') hooks.on(BeforeToolCall, () => block('Too much.'));
  else hooks.on(TransformToolResult, () => modify({ output: { paid: 'much' } }));
  const { stream } = streamText(
    hookedCall(
      { model: served.model, tools: { pay: payTool([]) }, prompt: 'Pay.', stopWhen: isStepCount(4) },
      hooks,
    ),
  );
  const { parts } = await shown(toUIMessageStream({ stream, onError: (error) => String(error) }));
  expect(parts.find(({ type }) => type === 'tool-pay')).toMatchObject({ state, ...has });
  expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'Paid.' });
});
