import { block, createHooks, proceed, UserPromptSubmit } from '@hooks/core';
import { blockReason, hookedAgent } from '@hooks/mastra';
import { Agent } from '@mastra/core/agent';
import type { InputProcessor } from '@mastra/core/processors';

const model = {
  id: 'custom/gpt-5' as const,
  url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
};
const config = { id: 'office', name: 'Office', instructions: 'Help.', model };

// #region before
const noSalaries: InputProcessor = {
  id: 'no-salaries',
  processInput: ({ messages, abort }) => {
    if (JSON.stringify(messages.at(-1)?.content).includes('salary'))
      abort('Ask the HR desk about salaries.');
    return messages;
  },
};
const before = new Agent({ ...config, inputProcessors: [noSalaries] });
// #endregion before

// #region after
const hooks = createHooks();
hooks.guard(UserPromptSubmit, ({ prompt }) =>
  prompt.includes('salary')
    ? block('Ask the HR desk about salaries.')
    : proceed(),
);
const after = hookedAgent(config, hooks);
// #endregion after

const question = 'What is the salary of Ann?';
console.log('processor:', (await before.generate(question)).tripwire?.reason);
console.log('hooks:', blockReason(await after.generate(question)));
