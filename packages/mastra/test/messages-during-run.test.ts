import { AfterModelCall, block, createHooks, modify, proceed, TurnEnd, UserPromptSubmit } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, serve } from './fixtures.ts';

const thread = { threadId: 't', resourceId: 'u' };

/** An agent with a memory, whose tool is over when a message has been sent to the agent's thread. */
async function setUp(send: 'sendMessage' | 'queueMessage' = 'sendMessage') {
  const server = await serve(callThenText('look', {}));
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.observe(UserPromptSubmit, ({ prompt }) => void prompts.push(prompt));
  const storage = new InMemoryStore();
  const memory = new Memory({ storage });
  const tools = {
    look: createTool({
      id: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: async () => {
        if (!prompts.includes('The key is hunter2-hunter2.'))
          await agent[send]('The key is hunter2-hunter2.', thread).accepted;
        return 'nothing';
      },
    }),
  };
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), memory, tools };
  const agent = quiet(hookedAgent(config, hooks));
  new Mastra({ agents: { agent }, storage, logger: false });
  const stored = async () => JSON.stringify((await memory.recall(thread)).messages);
  const run = async () => {
    const output = await agent.stream('Go', { memory: { thread: 't', resource: 'u' } });
    return output.getFullOutput();
  };
  return { server, hooks, agent, prompts, stored, run };
}

describe('a message that is sent while a run is going', () => {
  test('is asked about before the model reads it', async () => {
    const { server, hooks, prompts, run } = await setUp();
    await using _ = server;
    hooks.on(UserPromptSubmit, () => proceed());
    await run();
    await hooks.settled();
    expect(prompts).toEqual(['Go', 'The key is hunter2-hunter2.']);
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('hunter2-hunter2');
  });

  test('is read and stored as a hook has rewritten it', async () => {
    const { server, hooks, stored, run } = await setUp();
    await using _ = server;
    hooks.on(UserPromptSubmit, ({ prompt }) =>
      modify({ prompt: prompt.replace('hunter2-hunter2', '[key]') }),
    );
    await run();
    const read = JSON.stringify(server.requests[1]?.messages);
    expect(
      [read, await stored()].map((text) => [text.includes('[key]'), text.includes('hunter2-hunter2')]),
    ).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test('that a hook blocks ends the run; no model reads it, and nothing stores it', async () => {
    const { server, hooks, stored, run } = await setUp();
    await using _ = server;
    hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt.includes('key') ? block('No keys.') : proceed()));
    const { tripwire } = await run();
    expect([tripwire?.reason, server.requests.length]).toEqual(['No keys.', 1]);
    expect(await stored()).not.toContain('hunter2-hunter2');
  });
});

test('a message that waits until the answer is given is the prompt of a run of its own', async () => {
  const { server, hooks, prompts, run } = await setUp('queueMessage');
  await using _ = server;
  const ended: unknown[] = [];
  const runs = new Set<string | undefined>();
  hooks.guard(AfterModelCall, ({ lastUserMessage, response: { toolCalls } }) =>
    lastUserMessage === 'Go' && toolCalls.length === 0 ? block('Not that.') : proceed(),
  );
  hooks.observe(TurnEnd, (turn) => {
    ended.push(turn.reason);
    runs.add(turn.run);
  });
  hooks.on(UserPromptSubmit, () => proceed());
  expect((await run()).tripwire?.reason).toBe('Not that.');
  await expect.poll(() => ended).toEqual(['continue', 'hook_blocked', 'continue', 'normal']);
  expect([prompts, runs.size, server.requests.length]).toEqual([['Go', 'The key is hunter2-hunter2.'], 2, 4]);
});

test('a message that starts a run is the prompt of that run', async () => {
  const { server, hooks, agent, prompts } = await setUp();
  await using _ = server;
  const asked = Promise.withResolvers<void>();
  hooks.guard(UserPromptSubmit, () => {
    asked.resolve();
    return block('Not now.');
  });
  await agent.sendMessage('The key is hunter2-hunter2.', thread).accepted;
  await asked.promise;
  await hooks.settled();
  expect([prompts, server.requests.length]).toEqual([['The key is hunter2-hunter2.'], 0]);
});
