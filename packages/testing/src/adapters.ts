/** The harnesses of the adapters, for tests that play a policy on each of them: each stands with the tests of its package. */
export const HARNESSES: readonly { readonly name: string; readonly harness: string }[] = [
  'langchain',
  'openai-agents',
  'mastra',
  'ai-sdk',
].map((name) => ({
  name,
  harness: new URL(`../../${name}/test/harness.ts`, import.meta.url).href,
}));

/** The same, and those that speak to models in two ways once more: OpenAI Agents on the Responses API. */
export const HARNESSES_OF_ENDPOINTS: typeof HARNESSES = [
  ...HARNESSES,
  {
    name: 'openai-agents, Responses API',
    harness: new URL('../../openai-agents/test/responses-harness.ts', import.meta.url).href,
  },
];
