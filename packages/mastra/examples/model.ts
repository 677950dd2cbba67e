/** Any model that Mastra takes; here an OpenAI-compatible server. */
export const model: { id: `${string}/${string}`; url: string; apiKey: string } =
  {
    id: 'custom/gpt-5',
    url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
    apiKey: process.env['OPENAI_API_KEY'] ?? '',
  };
