import { hookedRunner, hookedTool } from '@hooks/openai-agents';
import { Agent, OpenAIChatCompletionsModel, Runner } from '@openai/agents';
import OpenAI from 'openai';
import { type Framework, INSTRUCTIONS } from './index.ts';

export const openaiAgents: Framework = async ({ hooks, tools, model, task, approval }) => {
  const client = new OpenAI({ baseURL: model.url, apiKey: model.apiKey, maxRetries: 0 });
  const agent = new Agent({
    name: 'demo on OpenAI Agents',
    instructions: INSTRUCTIONS,
    model: new OpenAIChatCompletionsModel(client, model.name),
    // `hookedTool`, because a finished tool hides its failures, and the flaky call is to be retried.
    tools: tools.map(({ name, description, parameters, execute }) =>
      hookedTool({
        name,
        description,
        parameters,
        execute: (input) => execute(input as never),
        // Unless told otherwise, the SDK tells its model only that there was an error.
        errorFunction: (_, error) => String(error),
      }),
    ),
  });
  const runner = hookedRunner(new Runner({ tracingDisabled: true }), hooks, approval && { approval });
  const result = await runner.run(agent, task, { maxTurns: 12 });
  return String(result.finalOutput);
};
