import { AfterToolCall, createHooks, proceed, retry } from '@hooks/core';
import { hookedRunner, hookedTool } from '@hooks/openai-agents';
import { Agent, Runner } from '@openai/agents';
import { z } from 'zod';

let calls = 0;
const fetchPage = hookedTool({
  name: 'fetch_page',
  description: 'Fetches a page.',
  parameters: z.object({ url: z.string() }),
  execute: async ({ url }) => {
    if (++calls === 1) throw new Error('The connection was reset.');
    return `the page at ${url}`;
  },
});

const hooks = createHooks();
hooks.on(AfterToolCall.for(fetchPage), ({ status }) =>
  status === 'error' ? retry('flaky') : proceed(),
);

const agent = new Agent({ name: 'Reader', tools: [fetchPage] });
await hookedRunner(new Runner(), hooks).run(agent, 'Read the page.');
console.log(`${calls} calls`);
// 2 calls
