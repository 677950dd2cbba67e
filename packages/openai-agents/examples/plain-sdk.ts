import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { hookTools } from '@hooks/openai-agents/openai';
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { z } from 'zod';

const shell = zodFunction({
  name: 'shell',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  function: ({ command }) => `ran ${command}`,
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('shell'), () =>
  block('There is no shell here.'),
);

const runner = new OpenAI().chat.completions.runTools({
  model: 'gpt-5',
  messages: [{ role: 'user', content: 'Tidy up.' }],
  tools: hookTools([shell], hooks),
});
console.log(await runner.finalContent());
// I have no shell.
