import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';

/** Any model that the AI SDK takes; here an OpenAI-compatible server. */
export const model: LanguageModel = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
})('gpt-5');
