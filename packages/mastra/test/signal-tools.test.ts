import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  PermissionRequest,
  proceed,
  retry,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { SignalProvider } from '@mastra/core/signals';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each(['a config', 'an agent'])('a tool that a signal provider brings to %s', (form) => {
  const setUp = async (hooks: Hooks, requireApproval = false) => {
    const server = await serve(callThenText('peek', {}));
    const ran: string[] = [];
    const peek = createTool({
      id: 'peek',
      description: 'Peeks.',
      inputSchema: z.object({}),
      requireApproval,
      execute: async () => {
        ran.push('peek');
        return 'seen';
      },
    });
    class Peeking extends SignalProvider<'peeking'> {
      readonly id = 'peeking';
      override getTools() {
        return { peek };
      }
    }
    const start = () => {
      const signals = [new Peeking()];
      const config: AgentConfig = { id: 'a', name: 'a', instructions: '', model: modelOf(server), signals };
      const agent = quiet(
        form === 'a config' ? hookedAgent(config, hooks) : hookedAgent(new Agent(config), hooks),
      );
      new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      return agent;
    };
    return { server, ran, peek, start };
  };

  test('is known as the tool that it is, and can be refused', async () => {
    const hooks = createHooks();
    const { server, ran, peek, start } = await setUp(hooks);
    await using _ = server;
    hooks.guard(BeforeToolCall.for(peek), ({ tool }) => block(`Not the ${tool?.kind}.`));
    await runAgent(start(), 'Go', false);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not the function.' }]);
  });

  test('is called again where a hook wants so', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('Once more.') : proceed()));
    const { server, ran, start } = await setUp(hooks);
    await using _ = server;
    await runAgent(start(), 'Go', false);
    expect(ran).toEqual(['peek', 'peek']);
  });

  test('that asks for approval by itself does not pause where a hook grants it', async () => {
    const hooks = createHooks();
    hooks.on(PermissionRequest, () => grantApproval('Known.'));
    const { server, ran, start } = await setUp(hooks, true);
    await using _ = server;
    await runAgent(start(), 'Go', false);
    expect(ran).toEqual(['peek']);
  });
});
