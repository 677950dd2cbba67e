import { AfterToolCall, BeforeExecute, BeforeToolCall, block, createHooks, type Hooks } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, serve } from './fixtures.ts';

describe.each([
  { what: 'a sub-agent', primitiveId: 'clerk', primitiveType: 'agent', prompt: 'Help.' },
  { what: 'a workflow', primitiveId: 'ledger', primitiveType: 'workflow', prompt: '{"sum":1}' },
])('a network that starts $what', ({ primitiveId, primitiveType, prompt }) => {
  const start = async (hooks: Hooks, allowUnsupported: readonly string[] = []) => {
    const next = { primitiveId, primitiveType, prompt, selectionReason: 'It fits.' };
    const done = { isComplete: true, completionReason: 'Done.', finalResult: 'Done.' };
    // What the network asks of the model first, and what it asks in the end.
    const server = await serve(() => ({ text: JSON.stringify({ ...next, ...done }) }));
    await using _ = server;
    const ran: string[] = [];
    const schemas = {
      inputSchema: z.object({ sum: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    };
    const note = createStep({
      id: 'note',
      ...schemas,
      execute: async ({ inputData }) => {
        ran.push('ledger');
        return inputData;
      },
    });
    const ledger = createWorkflow({ id: 'ledger', description: 'Books.', ...schemas })
      .then(note)
      .commit();
    const storage = new InMemoryStore();
    const common = { instructions: '', model: modelOf(server), memory: new Memory({ storage }) };
    const clerk = quiet(new Agent({ ...common, id: 'clerk', name: 'clerk', description: 'Helps.' }));
    const config = { ...common, id: 'lead', name: 'lead', agents: { clerk }, workflows: { ledger } };
    const lead = quiet(hookedAgent(config, hooks, { allowUnsupported }));
    new Mastra({ agents: { lead }, storage, logger: false });
    const output = await lead.network('Go', { memory: { thread: 't', resource: 'r' } });
    const types: string[] = [];
    for await (const { type } of output) types.push(type);
    return types;
  };
  const name = `${primitiveType}-${primitiveId}`;
  const started = `${primitiveType}-execution-start`;

  test('is refused where a hook may refuse that, or change what it gives', async () => {
    const refusing = createHooks();
    refusing.guard(BeforeToolCall.matching(name), () => block('Not here.'));
    await expect(start(refusing)).rejects.toThrow('hooks on before_tool_call do not run in a network');
    const changing = createHooks();
    changing.on(AfterToolCall.matching(name), () => block('Not this.'));
    await expect(start(changing)).rejects.toMatchObject({ code: 'UNSUPPORTED_EVENT' });
    const once = createHooks();
    once.guard(BeforeExecute.matching(name), () => block('Not twice.'), { id: 'once' });
    const refused = { code: 'UNSUPPORTED_EVENT', hook: 'once', event: 'before_execute' };
    await expect(start(once)).rejects.toMatchObject(refused);
  });

  test('runs where hooks only look, are about another, or it is allowed', async () => {
    const looking = createHooks();
    looking.observe(BeforeToolCall, () => {});
    looking.guard(BeforeToolCall.matching('other'), () => block('Not here.'));
    expect(await start(looking)).toContain(started);
    const refusing = createHooks();
    refusing.guard(BeforeToolCall.matching(name), () => block('Not here.'));
    expect(await start(refusing, ['before_tool_call'])).toContain(started);
  });
});
