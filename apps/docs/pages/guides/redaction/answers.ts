import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { createHooks } from '@hooks/core';
import { pii, redactSecrets } from '@hooks/guards';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});

const hooks = createHooks();
hooks.use(pii({ kinds: { email: 'mask' }, answers: true }));
hooks.use(redactSecrets({ answers: true }));

const agent = hookedAgent({ model: openai('gpt-5') }, hooks);
const { text } = await agent.generate({ prompt: 'How do I reach Ann?' });
console.log(text); // Write to a***@acme.dev.
