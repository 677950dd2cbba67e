import { type AgentOutputItem, type Model, Usage } from '@openai/agents';

/** Reads "Refund 120 for order 7", calls the tool, and says what the tool answered. It needs no key. */
export const scriptedModel: Model = {
  getResponse: async ({ input }) => {
    const last = typeof input === 'string' ? undefined : input.at(-1);
    const output =
      last?.type === 'function_call_result'
        ? say(Object(last.output).text)
        : call(JSON.stringify(last ?? input));
    return { usage: new Usage(), output: [output] };
  },
  getStreamedResponse: () => {
    throw new Error('The scripted model does not stream.');
  },
};

function call(prompt: string): AgentOutputItem {
  const [, euros, order] = /refund (\d+) for order (\w+)/i.exec(prompt) ?? [];
  if (order === undefined) return say('I refund orders.');
  return {
    type: 'function_call',
    callId: crypto.randomUUID(),
    name: 'refund',
    arguments: JSON.stringify({ order, euros: Number(euros) }),
  };
}

function say(text: string): AgentOutputItem {
  const content = [{ type: 'output_text' as const, text }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}
