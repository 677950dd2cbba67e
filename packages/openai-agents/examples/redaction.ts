import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { hookedRunner } from '@hooks/openai-agents';
import { Agent, MemorySession, Runner, tool } from '@openai/agents';
import { z } from 'zod';

const readConfig = tool({
  name: 'read_config',
  description: 'Reads the configuration.',
  parameters: z.object({}),
  execute: async () => 'port=80 token=abc123',
});

const hooks = createHooks();
hooks.on(TransformToolResult, ({ output }) =>
  modify({ output: String(output).replace(/token=\S+/, 'token=***') }),
);

const session = new MemorySession();
const agent = new Agent({ name: 'Clerk', tools: [readConfig] });
await hookedRunner(new Runner(), hooks).run(agent, 'Which port?', { session });
const stored = JSON.stringify(await session.getItems());
console.log(stored.includes('token=***'), stored.includes('abc123'));
// true false
