import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, ToolMessage, tool } from 'langchain';
import { z } from 'zod';

const sendEmail = tool(async ({ to }) => `sent to ${to}`, {
  name: 'send_email',
  description: 'Sends an email.',
  schema: z.object({ to: z.string() }),
});
const model = new ChatOpenAI({ model: 'gpt-5' });

// #region before
const colleaguesOnly = createMiddleware({
  name: 'ColleaguesOnly',
  wrapToolCall: (request, handler) => {
    const { name, args, id = '' } = request.toolCall;
    if (name === 'send_email' && !String(args['to']).endsWith('@acme.test')) {
      return new ToolMessage({
        content: 'Write to colleagues only.',
        tool_call_id: id,
        status: 'error',
      });
    }
    return handler(request);
  },
});
const before = createAgent({
  model,
  tools: [sendEmail],
  middleware: [colleaguesOnly],
});
// #endregion before

// #region after
const hooks = createHooks();
hooks.guard(BeforeToolCall.for(sendEmail), ({ input }) =>
  input.to.endsWith('@acme.test')
    ? proceed()
    : block('Write to colleagues only.'),
);
const after = createHookedAgent({ model, tools: [sendEmail] }, hooks);
// #endregion after

const task = { messages: 'Write to eve@evil.test.' };
for (const [name, agent] of Object.entries({
  middleware: before,
  hooks: after,
})) {
  const { messages } = await agent.invoke(task);
  console.log(
    `${name}: ${messages.find((message) => message.type === 'tool')?.text}`,
  );
}
