import OpenAI from 'openai';
import type { Answer, ModelServer } from '../../src/index.ts';

/** The plain SDK, which shows an error at once. */
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

/** For a tool `weather`, which answers `sunny in <city>`. */
export const oneCall: readonly Answer[] = [
  { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
  { text: 'It is sunny.' },
];

/** The same, twice in one turn. */
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
