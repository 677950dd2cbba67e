import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { createHooks } from '@hooks/core';
import { limits } from '@hooks/guards';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});

// Dollars for a million tokens. A conversation may cost a hundredth of a cent.
const prices = { 'gpt-5': { input: 1.25, output: 10 } };
const hooks = createHooks();
hooks.use(limits({ perSession: { cost: 0.0001 }, prices }));

const agent = hookedAgent({ model: openai('gpt-5') }, hooks, {
  session: () => 'chat-1',
});
for (const prompt of ['Hello', 'And now?', 'And then?']) {
  const { text } = await agent.generate({ prompt });
  console.log(text);
}
// Hello.
// Hello.
// Blocked (limits/cost): the limit of 0.0001 for this session is used up. Stop here.
