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
