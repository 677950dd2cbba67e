import { blockReason, hookedAgent } from '@hooks/mastra';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { type Framework, INSTRUCTIONS } from './index.ts';

export const mastra: Framework = async ({ hooks, tools, model, task, approval }) => {
  const agent = hookedAgent(
    {
      id: 'demo',
      name: 'demo on Mastra',
      instructions: INSTRUCTIONS,
      model: { id: `demo/${model.name}`, url: model.url, apiKey: model.apiKey },
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters, execute }) => [
          name,
          createTool({
            id: name,
            description,
            inputSchema: parameters,
            execute: (input) => execute(input as never),
          }),
        ]),
      ),
    },
    hooks,
    approval && { approval },
  );
  agent.__setLogger(noopLogger);
  const result = await agent.generate(task, { maxSteps: 12 });
  return blockReason(result) ?? result.text;
};
