import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hookedRunner } from '@hooks/openai-agents';
import {
  Agent,
  defineToolInputGuardrail,
  type RunItem,
  Runner,
  ToolGuardrailFunctionOutputFactory,
  tool,
} from '@openai/agents';
import { z } from 'zod';

// #region before
const colleaguesOnly = defineToolInputGuardrail({
  name: 'colleagues_only',
  run: async ({ toolCall }) => {
    const { to } = JSON.parse(toolCall.arguments) as { readonly to: string };
    return to.endsWith('@acme.test')
      ? ToolGuardrailFunctionOutputFactory.allow()
      : ToolGuardrailFunctionOutputFactory.rejectContent(
          'Write to colleagues only.',
        );
  },
});
const guarded = tool({
  name: 'send_email',
  description: 'Sends an email.',
  parameters: z.object({ to: z.string() }),
  inputGuardrails: [colleaguesOnly],
  execute: async ({ to }) => `sent to ${to}`,
});
// #endregion before

// #region after
const sendEmail = tool({
  name: 'send_email',
  description: 'Sends an email.',
  parameters: z.object({ to: z.string() }),
  execute: async ({ to }) => `sent to ${to}`,
});
const hooks = createHooks();
hooks.guard(BeforeToolCall.for(sendEmail), ({ input }) =>
  input.to.endsWith('@acme.test')
    ? proceed()
    : block('Write to colleagues only.'),
);
// #endregion after

const before = await new Runner().run(
  new Agent({ name: 'Clerk', tools: [guarded] }),
  'Write to Eve.',
);
const after = await hookedRunner(new Runner(), hooks).run(
  new Agent({ name: 'Clerk', tools: [sendEmail] }),
  'Write to Eve.',
);
console.log('guardrail:', toolAnswer(before));
console.log('hooks:', toolAnswer(after));

function toolAnswer({
  newItems,
}: {
  readonly newItems: readonly RunItem[];
}): unknown {
  const answered = newItems.find(
    (item) => item.type === 'tool_call_output_item',
  );
  return answered?.type === 'tool_call_output_item'
    ? answered.output
    : undefined;
}
