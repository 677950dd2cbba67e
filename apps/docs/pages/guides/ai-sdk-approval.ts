import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';

const model = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
})('gpt-5');
const email = z.object({ to: z.string() });
const sendEmail = tool({
  description: 'Sends an email.',
  inputSchema: email,
  execute: async ({ to }) => `sent to ${to}`,
});
const settings = { model, tools: { send_email: sendEmail } };

// #region before
const before = new ToolLoopAgent({
  ...settings,
  toolApproval: {
    send_email: ({ to }) =>
      to.endsWith('@acme.test')
        ? undefined
        : { type: 'denied', reason: 'Write to colleagues only.' },
  },
});
// #endregion before

// #region after
const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('send_email', email), ({ input }) =>
  input.to.endsWith('@acme.test')
    ? proceed()
    : block('Write to colleagues only.'),
);
const after = hookedAgent(settings, hooks);
// #endregion after

const prompt = 'Write to Eve.';
console.log('toolApproval:', (await before.generate({ prompt })).text);
console.log('hooks:', (await after.generate({ prompt })).text);
