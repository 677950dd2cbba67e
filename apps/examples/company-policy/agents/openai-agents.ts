import { hookedRunner, hookedTool } from '@hooks/openai-agents';
import { Agent, OpenAIChatCompletionsModel, Runner } from '@openai/agents';
import OpenAI from 'openai';
import type { TeamAgent } from './team.ts';

export const openaiAgents: TeamAgent = async (
  { hooks, tools, model },
  task,
) => {
  const client = new OpenAI({ baseURL: model.url, apiKey: model.apiKey });
  const agent = new Agent({
    name: 'team',
    model: new OpenAIChatCompletionsModel(client, 'gpt-5'),
    tools: tools.map(({ name, description, schema, execute }) =>
      hookedTool({
        name,
        description,
        parameters: schema,
        execute: async (input) => execute(input),
      }),
    ),
  });
  const { finalOutput } = await hookedRunner(
    new Runner({ tracingDisabled: true }),
    hooks,
  ).run(agent, task);
  return finalOutput ?? '';
};
