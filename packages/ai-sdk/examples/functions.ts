import { hookedCall } from '@hooks/ai-sdk';
import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { isStepCount, streamText, tool } from 'ai';
import { z } from 'zod';
import { model } from './model.ts';

const readFile = tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async () => 'OPENAI_API_KEY=sk-0123456789abcdef',
});

const hooks = createHooks();
hooks.on(TransformToolResult, ({ output }) =>
  modify({ output: String(output).replace(/sk-\w+/g, '[redacted]') }),
);

const result = streamText(
  hookedCall(
    {
      model,
      tools: { readFile },
      prompt: 'What is in .env?',
      stopWhen: isStepCount(5),
    },
    hooks,
  ),
);
console.log(await result.text); // I was told: OPENAI_API_KEY=[redacted]
