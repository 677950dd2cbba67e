import { AfterModelCall, createHooks, modify } from '@hooks/core';
import { Agent, type AgentOutputItem, type Model, Runner, Usage } from '@openai/agents';
import { expect, test } from 'vitest';
import { hookedRunner } from '../src/index.ts';
import { spoken } from '../src/translate.ts';

/** A hook reads the reasoning wherever the SDK puts it, and can remove it. */

const said = 'It is a secret.';

const items: { readonly [where: string]: AgentOutputItem } = {
  'a summary': { type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: said }] },
  'raw content': {
    type: 'reasoning',
    id: 'rs_1',
    content: [],
    rawContent: [{ type: 'reasoning_text', text: said }],
  },
  'what the Responses API sent beside its summary': {
    type: 'reasoning',
    id: 'rs_1',
    content: [],
    providerData: { content: [{ type: 'reasoning_text', text: said }], encrypted_content: 'b3BhcXVl' },
  },
};

const saying = (item: AgentOutputItem): Model => ({
  getResponse: async () => ({ usage: new Usage(), output: [item, spoken('Done.')] }),
  async *getStreamedResponse() {},
});

test.each(Object.entries(items))('in %s is read and removed', async (_where, item) => {
  const seen: unknown[] = [];
  const hooks = createHooks();
  hooks.on(AfterModelCall, ({ response }) => {
    seen.push(response.reasoning);
    return modify({ response: { ...response, reasoning: '' } });
  });
  const agent = new Agent({ name: 'Clerk', model: saying(item) });
  const { history, finalOutput } = await hookedRunner(new Runner(), hooks).run(agent, 'Go.');
  expect(seen).toEqual([said]);
  expect(finalOutput).toBe('Done.');
  expect(JSON.stringify(history)).not.toContain(said);
});
