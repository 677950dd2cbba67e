import { hookedQuery } from '@hooks/claude-agent-sdk';
import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('Bash'), ({ input }) =>
  JSON.stringify(input).includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);

const query = hookedQuery(
  {
    prompt: 'Delete the old build.',
    options: {
      tools: ['Bash'],
      allowedTools: ['Bash'],
      settingSources: [],
    },
  },
  hooks,
);

let answer = '';
for await (const message of query)
  if (message.type === 'result' && message.subtype === 'success')
    answer = message.result;
console.log(answer); // I was told: Name the folder that you want to delete.
