import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import { z } from 'zod';

const readConfig = tool(async () => 'port=80 token=abc123', {
  name: 'read_config',
  description: 'Reads the configuration.',
  schema: z.object({}),
});

const hooks = createHooks();
hooks.on(TransformToolResult, ({ output }) =>
  modify({ output: String(output).replace(/token=\S+/, 'token=***') }),
);

const agent = createHookedAgent(
  { model: new ChatOpenAI({ model: 'gpt-5' }), tools: [readConfig] },
  hooks,
);
let seen = '';
for await (const event of agent.streamEvents(
  { messages: 'Which port?' },
  { version: 'v2' },
))
  seen += JSON.stringify(event);
console.log(seen.includes('token=***'), seen.includes('abc123'));
// true false
