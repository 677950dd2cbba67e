import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { createHookedAgent, pendingApprovals } from '@hooks/langchain';
import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import { z } from 'zod';

const remove = tool(async ({ path }) => `removed ${path}`, {
  name: 'remove',
  description: 'Removes a file.',
  schema: z.object({ path: z.string() }),
});

const hooks = createHooks();
hooks.on(BeforeToolCall.for(remove), () =>
  requireApproval('It cannot be brought back.'),
);

const agent = createHookedAgent(
  {
    model: new ChatOpenAI({ model: 'gpt-5' }),
    tools: [remove],
    checkpointer: new MemorySaver(),
  },
  hooks,
  { approval: 'native' },
);
const config = { configurable: { thread_id: '1' } };
const paused = await agent.invoke({ messages: 'Remove notes.txt.' }, config);

const answers = Object.fromEntries(
  (await pendingApprovals(paused)).map(
    ({ callId, toolName, input, reason, hash }) => {
      console.log(toolName, input, reason);
      return [callId, { decision: 'allow', hash }];
    },
  ),
);
const { messages } = await agent.invoke(
  new Command({ resume: answers }),
  config,
);
console.log(messages.at(-1)?.text);
// remove { path: 'notes.txt' } It cannot be brought back.
// It is gone.
