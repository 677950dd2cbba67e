import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { blockReason, hookedAgent } from '@hooks/ai-sdk';
import { isStepCount, tool } from 'ai';
import { type Framework, INSTRUCTIONS } from './index.ts';

export const aiSdk: Framework = async ({ hooks, tools, model, task, approval }) => {
  const provider = createOpenAICompatible({ name: 'demo', baseURL: model.url, apiKey: model.apiKey });
  const agent = hookedAgent(
    {
      id: 'demo on AI SDK',
      model: provider(model.name),
      instructions: INSTRUCTIONS,
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters, execute }) => [
          name,
          tool({ description, inputSchema: parameters, execute: (input) => execute(input as never) }),
        ]),
      ),
      stopWhen: isStepCount(12),
      maxRetries: 0,
    },
    hooks,
    approval && { approval },
  );
  const result = await agent.generate({ prompt: task });
  return blockReason(result) ?? result.text;
};
