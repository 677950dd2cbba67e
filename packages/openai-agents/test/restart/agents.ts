import { appendFileSync } from 'node:fs';
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

// Or the SDK would send its traces to OpenAI.
setTracingDisabled(true);

/** An agent whose helper, an agent as a tool, removes files; each removal is noted in the file `log`. */
export function clerk(log: string): Agent {
  const remove = tool({
    name: 'remove',
    description: 'Removes a file.',
    parameters: z.object({ path: z.string() }),
    execute: ({ path }) => {
      appendFileSync(log, `${process.pid} removed ${path}\n`);
      return `removed ${path}`;
    },
  });
  const helper = new Agent({ name: 'Helper', instructions: 'Help.', tools: [remove] });
  return new Agent({
    name: 'Clerk',
    instructions: 'Tidy up.',
    tools: [helper.asTool({ toolName: 'helper', toolDescription: 'Helps.' })],
  });
}

/** A runner on the scripted model behind that address. */
export function runnerOn(modelUrl: string): Runner {
  const client = new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 });
  return new Runner({
    modelProvider: { getModel: () => new OpenAIChatCompletionsModel(client, 'scripted') },
  });
}
