// The table of guides/refused.md about a Block on Stop, on each framework.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as aiSdk from '@hooks/ai-sdk';
import { startModelServer } from '@hooks/conformance';
import { block, createHooks, Stop } from '@hooks/core';
import * as langchain from '@hooks/langchain';
import * as mastra from '@hooks/mastra';
import * as openaiAgents from '@hooks/openai-agents';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, streamText } from 'ai';
import { expect, test } from 'vitest';

type Refused = 'return' | 'throw';

const hooks = createHooks();
hooks.guard(Stop, () => block('the reason'));

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

/** What each framework gives, run plainly and streamed, against a model at this address. */
const runs: Readonly<Record<string, (url: string, refused: Refused) => Promise<unknown>>> = {
  LangChain: async (url, refused) => {
    const { messages } = await langchainAgent(url, refused).invoke({ messages: 'hi' });
    return messages.at(-1)?.content;
  },
  'a stream of LangChain': async (url, refused) => {
    const stream = await langchainAgent(url, refused).stream({ messages: 'hi' }, { streamMode: 'messages' });
    let text = '';
    for await (const [message] of stream) text += message.content;
    return text;
  },
  'the last state of a stream of LangChain': async (url, refused) => {
    const stream = await langchainAgent(url, refused).stream({ messages: 'hi' }, { streamMode: 'values' });
    let last: unknown;
    for await (const { messages } of stream) last = messages.at(-1)?.content;
    return last;
  },
  'OpenAI Agents': async (url, refused) =>
    (await openaiRunner(url, refused).run(openaiAgent, 'hi')).finalOutput,
  'a stream of OpenAI Agents': async (url, refused) => {
    const result = await openaiRunner(url, refused).run(openaiAgent, 'hi', { stream: true });
    const text = await textOf(result.toTextStream());
    await result.completed;
    return text;
  },
  'the finalOutput of a stream of OpenAI Agents': async (url, refused) => {
    const result = await openaiRunner(url, refused).run(openaiAgent, 'hi', { stream: true });
    await result.completed;
    return result.finalOutput;
  },
  Mastra: async (url, refused) => (await mastraAgent(url, refused).generate('hi')).text,
  'a stream of Mastra': async (url, refused) =>
    textOf((await mastraAgent(url, refused).stream('hi')).textStream),
  'an agent of the AI SDK': async (url, refused) =>
    (await aiSdkAgent(url, refused).generate({ prompt: 'hi' })).text,
  'a stream of an agent of the AI SDK': async (url, refused) =>
    textOf((await aiSdkAgent(url, refused).stream({ prompt: 'hi' })).textStream),
  generateText: async (url, refused) =>
    (await generateText(aiSdk.hookedCall({ model: aiSdkModel(url), prompt: 'hi' }, hooks, { refused }))).text,
  streamText: async (url, refused) =>
    textOf(
      streamText(aiSdk.hookedCall({ model: aiSdkModel(url), prompt: 'hi' }, hooks, { refused })).textStream,
    ),
};

const langchainAgent = (url: string, refused: Refused) => {
  const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: url } });
  return langchain.createHookedAgent({ model, tools: [] }, hooks, { refused });
};
const openaiAgent = new Agent({ name: 'a', model: 'm' });
const openaiRunner = (url: string, refused: Refused) => {
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: url, useResponses: false });
  return openaiAgents.hookedRunner(new Runner({ modelProvider, tracingDisabled: true }), hooks, { refused });
};
const mastraAgent = (url: string, refused: Refused) =>
  mastra.hookedAgent(
    { id: 'a', name: 'a', instructions: 'x', model: { id: 'p/m', url, apiKey: 'none' } },
    hooks,
    { refused },
  );
const aiSdkModel = (url: string) => createOpenAICompatible({ name: 'p', apiKey: 'none', baseURL: url })('m');
const aiSdkAgent = (url: string, refused: Refused) =>
  aiSdk.hookedAgent({ model: aiSdkModel(url), tools: {} }, hooks, { refused });

test.each<readonly [string, returned: string, thrown: string]>([
  ['LangChain', 'the reason', 'a BlockedError'],
  ['OpenAI Agents', 'the reason', 'a BlockedError'],
  ['Mastra', 'the answer', 'a BlockedError'],
  ['an agent of the AI SDK', 'the answer', 'a BlockedError'],
  ['generateText', 'the answer', 'the answer'],
  ['a stream of LangChain', 'the answer', 'a BlockedError'],
  ['a stream of OpenAI Agents', 'the answer', 'a BlockedError'],
  ['the last state of a stream of LangChain', 'the reason', 'a BlockedError'],
  ['the finalOutput of a stream of OpenAI Agents', 'the reason', 'a BlockedError'],
  ['a stream of Mastra', 'the answer', 'a BlockedError'],
  ['a stream of an agent of the AI SDK', 'the answer', 'the answer'],
  ['streamText', 'the answer', 'the answer'],
])('a Block on Stop gives the code of %s %s, or %s with refused: "throw"', async (name, returned, thrown) => {
  await using server = await startModelServer({ script: [{ text: 'the answer' }, { text: 'the answer' }] });
  const got = async (refused: Refused): Promise<unknown> => {
    try {
      return await runs[name]?.(server.url, refused);
    } catch (error) {
      return `a ${(error as Error).name}`;
    }
  };
  expect([await got('return'), await got('throw')]).toEqual([returned, thrown]);
});
