import { hookedAgent } from '@hooks/mastra';
import { createTool } from '@mastra/core/tools';
import type { TeamAgent } from './team.ts';

export const mastra: TeamAgent = async ({ hooks, tools, model }, task) => {
  const agent = hookedAgent(
    {
      id: 'team',
      name: 'Team',
      instructions: 'Help.',
      model: { id: 'acme/gpt-5', ...model },
      tools: Object.fromEntries(
        tools.map(({ name, description, schema, execute }) => [
          name,
          createTool({
            id: name,
            description,
            inputSchema: schema,
            execute: async (input) => execute(input),
          }),
        ]),
      ),
    },
    hooks,
  );
  const { text } = await agent.generate(task, { maxSteps: 12 });
  return text;
};
