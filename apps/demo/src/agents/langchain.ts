import { createHookedAgent } from '@hooks/langchain';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { type Framework, INSTRUCTIONS } from './index.ts';

export const langchain: Framework = async ({ hooks, tools, model, task, approval }) => {
  const agent = createHookedAgent(
    {
      name: 'demo on LangChain',
      model: new ChatOpenAI({
        model: model.name,
        apiKey: model.apiKey,
        configuration: { baseURL: model.url },
        useResponsesApi: false,
        maxRetries: 0,
      }),
      tools: tools.map(({ name, description, parameters, execute }) =>
        tool((input) => execute(input as never), { name, description, schema: parameters }),
      ),
      systemPrompt: INSTRUCTIONS,
    },
    hooks,
    approval && { approval },
  );
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: task }] },
    { recursionLimit: 40 },
  );
  return messages.at(-1)?.text ?? '';
};
