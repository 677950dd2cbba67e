import { BeforeToolCall, requireApproval } from '@hooks/core';
import { createAgentUIStream, readUIMessageStream, type UIMessage } from 'ai';
import { expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { pays, payTool, secret, serve, watched } from './fixtures.ts';

test('createAgentUIStream: a call waits for the user, and runs after a yes in the messages of the next request', async () => {
  await using served = await serve(pays);
  const ran: unknown[] = [];
  const { hooks } = watched();
  let times = 0;
  hooks.on(BeforeToolCall, () => {
    times++;
    return requireApproval('It costs money.');
  });
  const settings = {
    model: served.model,
    tools: { pay: payTool(ran) },
    experimental_toolApprovalSecret: secret,
  };
  const agent = hookedAgent(settings, hooks, { approval: 'native' });
  const request = async (messages: readonly unknown[], message?: UIMessage) => {
    const stream = await createAgentUIStream({ agent, uiMessages: [...messages] });
    let last: UIMessage | undefined;
    for await (const state of readUIMessageStream({ stream, ...(message && { message }) })) last = state;
    if (last === undefined) throw new Error('There was no message.');
    return last;
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
  expect({ ran, times }).toEqual({ ran: [{ sum: 5 }], times: 1 });
});
