import { BeforeToolCall, createHooks, modify } from '@hooks/core';
import { hookTools } from '@hooks/langchain/tools';
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';

const search = tool(async ({ query }) => `found ${query}`, {
  name: 'search',
  description: 'Searches.',
  schema: z.object({ query: z.string() }),
});

const hooks = createHooks();
hooks.on(BeforeToolCall.for(search), ({ input }) =>
  modify({ input: { query: input.query.toLowerCase() } }),
);

const node = new ToolNode(hookTools([search], hooks));
const call = {
  type: 'tool_call' as const,
  id: 'c1',
  name: 'search',
  args: { query: 'FRUIT' },
};
const { messages } = await node.invoke({
  messages: [new AIMessage({ content: '', tool_calls: [call] })],
});
console.log(messages[0].content);
// found fruit
