import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import type { TeamAgent } from './team.ts';

export const langchain: TeamAgent = async ({ hooks, tools, model }, task) => {
  const agent = createHookedAgent(
    {
      model: new ChatOpenAI({
        model: 'gpt-5',
        apiKey: model.apiKey,
        configuration: { baseURL: model.url },
      }),
      tools: tools.map(({ name, description, schema, execute }) =>
        tool(execute, { name, description, schema }),
      ),
    },
    hooks,
  );
  const { messages } = await agent.invoke(
    { messages: task },
    { recursionLimit: 40 },
  );
  return messages.at(-1)?.text ?? '';
};
