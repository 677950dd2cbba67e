import {
  experimental_createSteering,
  generateText,
  hasToolCall,
  isStepCount,
  type LanguageModel,
  tool,
} from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pays, read, serve } from './fixtures.ts';

// What the adapter needs of the AI SDK that is not documented, or is experimental.

test('conditions of isStepCount have one text, and others have another', () => {
  const text = String(isStepCount(1));
  expect(String(isStepCount(20))).toBe(text);
  expect(String(hasToolCall('pay'))).not.toBe(text);
});

test('a model reads toString() of what a tool throws', async () => {
  class Refused extends Error {
    override toString(): string {
      return 'plain words';
    }
  }
  await using served = await serve(pays);
  const pay = tool({
    inputSchema: z.object({ sum: z.number() }),
    execute: async (): Promise<string> => {
      throw new Refused();
    },
  });
  await generateText({ model: served.model, tools: { pay }, prompt: 'Pay.', stopWhen: isStepCount(3) });
  expect(read(served.server)).toEqual({ c1: 'plain words' });
});

test('a message that is steered in onStepEnd of an answer makes the run go on', async () => {
  let said = 0;
  await using served = await serve(() => ({ text: `Answer ${++said}.` }));
  const steering = experimental_createSteering();
  const { text } = await generateText({
    model: served.model,
    prompt: 'Hi.',
    stopWhen: isStepCount(3),
    experimental_steering: steering,
    onStepEnd: ({ stepNumber }) => {
      if (stepNumber === 0) void steering.steer('More.');
    },
  });
  expect(text).toBe('Answer 2.');
});

test("a provider's model asks for its own modelId, so that a copy has another", async () => {
  await using served = await serve([{ text: 'Hello.' }]);
  const other: LanguageModel = Object.create(served.model as object, { modelId: { value: 'smaller' } });
  await generateText({ model: other, prompt: 'Hi.' });
  expect(served.server.requests[0]?.model).toBe('smaller');
});
