import { BeforeToolCall, block, createHooks, modify, proceed, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { ToolSearchProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, test } from 'vitest';
import { hookedAgent, hookTools } from '../src/index.ts';
import { callThenText, cityIn, modelOf, quiet, readByModel, runAgent, serve, weather } from './fixtures.ts';

describe.each([false, true])('two registries (streamed: %s)', (streaming) => {
  test('the outer one is asked about what the hooks of a tool in a toolset make of the input', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
    outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
    const ran: string[] = [];
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const toolsets = { mine: hookTools({ weather: weather(ran) }, inner) };
    await runAgent(quiet(hookedAgent(config, outer)), 'Go', streaming, { toolsets });
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  test('the outer one is asked about what the hooks of a tool make of the input that a processor brings along', async () => {
    const search = [
      { toolCalls: [{ id: 's1', name: 'load_tool', arguments: { toolNames: ['weather'] } }] },
      ...callThenText('weather', { city: 'Rome' }),
    ];
    await using server = await serve(search);
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
    outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
    const ran: string[] = [];
    const tools = hookTools({ weather: weather(ran) }, inner);
    const inputProcessors = [new ToolSearchProcessor({ tools })];
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), inputProcessors };
    await runAgent(quiet(hookedAgent(config, outer)), 'Go', streaming);
    expect([ran, readByModel(server, 2)['c1']]).toEqual([[], 'Not Oslo.']);
  });

  test('the outer one is asked about what hooks make of the input of the tool that it has called in the place of another', async () => {
    await using server = await serve(callThenText('first', { city: 'Paris' }));
    const [inner, outer] = [createHooks(), createHooks()];
    outer.on(BeforeToolCall.matching('first'), () =>
      modify({ toolName: 'weather', input: { city: 'Rome' } }),
    );
    inner.on(BeforeToolCall.matching('weather'), () => modify({ input: { city: 'Oslo' } }));
    outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
    const ran: string[] = [];
    const tools = { first: weather([]), weather: weather(ran) };
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const bare = quiet(new Agent({ ...config, tools: hookTools(tools, inner) }));
    await runAgent(hookedAgent(bare, outer), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  test('the guards of the outer one are asked about the tool that the inner one has called in the place of another', async () => {
    await using server = await serve(callThenText('first', { city: 'Paris' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall.matching('first'), () =>
      modify({ toolName: 'weather', input: { city: 'Oslo' } }),
    );
    const asked: string[] = [];
    outer.guard(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return proceed();
    });
    const ran: string[] = [];
    const tools = { first: weather([]), weather: weather(ran) };
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const bare = quiet(new Agent({ ...config, tools: hookTools(tools, inner) }));
    await runAgent(hookedAgent(bare, outer), 'Go', streaming);
    expect([asked, ran]).toEqual([['weather'], ['Oslo']]);
  });

  test('what the inner approver puts in place is put to the guards of the outer one', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.guard(BeforeToolCall, () => requireApproval('Sure?'));
    outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
    const ran: string[] = [];
    const approval = () => ({ decision: 'allow', input: { city: 'Oslo' } }) as const;
    const tools = hookTools({ weather: weather(ran) }, inner, { approval });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    await runAgent(quiet(hookedAgent(config, outer)), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  test('what the inner approver puts in place at a second asking is put to the guards of the outer one', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    // The inner one changes it, the outer person changes that, so that the inner guards want approval anew, in which Oslo is put in place.
    inner.on(BeforeToolCall, () => modify({ input: { city: 'Bonn' } }));
    inner.guard(BeforeToolCall, ({ input }) =>
      JSON.stringify(input).includes('Paris') ? requireApproval('Paris?') : proceed(),
    );
    outer.guard(BeforeToolCall, ({ input }) => {
      if (cityIn(input) === 'Oslo') return block('Not Oslo.');
      return JSON.stringify(input).includes('Bonn') ? requireApproval('Bonn?') : proceed();
    });
    const ran: string[] = [];
    const approval = () => ({ decision: 'allow', input: { city: 'Oslo' } }) as const;
    const outerApproval = () => ({ decision: 'allow', input: { city: 'Paris' } }) as const;
    const tools = hookTools({ weather: weather(ran) }, inner, { approval });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    await runAgent(quiet(hookedAgent(config, outer, { approval: outerApproval })), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  test('a changed input is put to the approver of one where the other one has Mastra’s own pause', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
    inner.guard(BeforeToolCall, () => requireApproval('Sure?'));
    outer.on(BeforeToolCall, () => proceed());
    const [ran, shown]: [string[], unknown[]] = [[], []];
    const approval = ({ input }: { readonly input: unknown }) => {
      shown.push(input);
      return { decision: 'allow' } as const;
    };
    const tools = hookTools({ weather: weather(ran) }, inner, { approval });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    const agent = quiet(hookedAgent(config, outer, { approval: 'native' }));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    await runAgent(agent, 'Go', streaming);
    expect([ran, shown]).toEqual([['Oslo'], [{ city: 'Oslo' }]]);
  });

  test('an unchanged input is put to the approver of one where the other one has Mastra’s own pause', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.guard(BeforeToolCall, () => requireApproval('Sure?'));
    outer.on(BeforeToolCall, () => proceed());
    const ran: string[] = [];
    let asked = 0;
    const approval = () => {
      asked++;
      return { decision: 'allow' } as const;
    };
    const tools = hookTools({ weather: weather(ran) }, inner, { approval });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    const agent = quiet(hookedAgent(config, outer, { approval: 'native' }));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    await runAgent(agent, 'Go', streaming);
    expect([ran, asked]).toEqual([['Rome'], 1]);
  });
});
