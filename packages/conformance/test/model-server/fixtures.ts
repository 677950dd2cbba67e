import OpenAI from 'openai';
import type { Answer, ModelServer } from '../../src/index.ts';

/** OpenAI's SDK without retries. */
export const clientOf = (server: ModelServer): OpenAI =>
  new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });

/** A promise that the test resolves. */
export function gate<T>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A call of the tool `weather`, which returns `sunny in <city>`, and an answer. */
export const oneCall: readonly Answer[] = [
  { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
  { text: 'It is sunny.' },
];

/** Two such calls in one turn, and an answer. */
export const twoCalls: readonly Answer[] = [
  {
    text: 'I look at both.',
    toolCalls: [
      { id: 'rome', name: 'weather', arguments: { city: 'Rome' } },
      { id: 'oslo', name: 'weather', arguments: { city: 'Oslo' } },
    ],
  },
  { text: 'Both are sunny.' },
];
