import {
  AfterToolCall,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  requireApproval,
} from '@hooks/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { ToolSearchProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hooked, hookTools } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const schemas = { inputSchema: z.object({ city: z.string() }), outputSchema: z.object({ in: z.string() }) };

/** Keeps the cities that it was asked for. */
function weather(ran: string[]) {
  return createTool({
    id: 'weather',
    description: 'Tells the weather.',
    ...schemas,
    execute: async ({ city }) => {
      ran.push(city);
      return { in: city };
    },
  });
}

/** Mastra makes a tool of it itself, so that the native hooks alone are asked about its calls. */
function report(ran: string[]) {
  const step = createStep({
    id: 'only',
    ...schemas,
    execute: async ({ inputData: { city } }) => {
      ran.push(city);
      return { in: city };
    },
  });
  return createWorkflow({ id: 'report', description: 'Reports.', ...schemas })
    .then(step)
    .commit();
}

/** An agent that calls the workflow for Rome, with hooks of two registries; the inner one makes Oslo of it. */
async function setUp(options: HookedOptions = {}, more: Partial<AgentConfig> = {}) {
  const server = await serve(callThenText('workflow-report', { inputData: { city: 'Rome' } }));
  const [inner, outer] = [createHooks(), createHooks()];
  inner.on(BeforeToolCall, () => modify({ input: { inputData: { city: 'Oslo' } } }));
  const ran: string[] = [];
  const workflows = { report: report(ran) };
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), workflows, ...more };
  const agent = hooked(quiet(hooked(config, inner)), outer, options);
  return { server, inner, outer, ran, agent };
}

const cityIn = (input: unknown): string => (JSON.stringify(input).includes('Oslo') ? 'Oslo' : 'Rome');

describe.each([false, true])(
  'two registries around a tool that Mastra makes itself (streamed: %s)',
  (streaming) => {
    test('the guards of the outer one refuse what the inner one has made of the input', async () => {
      const { server, outer, ran, agent } = await setUp();
      await using _ = server;
      outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
      await runAgent(agent, 'Go', streaming);
      expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
    });

    test('the outer one has one call: its guards alone are asked again, and AfterToolCall tells what ran', async () => {
      const { server, outer, ran, agent } = await setUp();
      await using _ = server;
      const asked: string[] = [];
      outer.on(BeforeToolCall, ({ input }) => {
        asked.push(`on ${cityIn(input)}`);
        return proceed();
      });
      outer.guard(BeforeToolCall, ({ input }) => {
        asked.push(`guard ${cityIn(input)}`);
        return proceed();
      });
      outer.observe(AfterToolCall, ({ status, input, attempt }) => {
        asked.push(`${status} ${cityIn(input)} ${attempt}`);
      });
      await runAgent(agent, 'Go', streaming);
      await outer.settled();
      expect([ran, asked]).toEqual([['Oslo'], ['on Rome', 'guard Rome', 'guard Oslo', 'ok Oslo 1']]);
    });

    test('where the inner one refuses, AfterToolCall of the outer one fires, too', async () => {
      const { server, inner, outer, ran, agent } = await setUp();
      await using _ = server;
      inner.guard(BeforeToolCall, () => block('Closed.'));
      const ended: string[] = [];
      outer.observe(AfterToolCall, ({ callId, status }) => void ended.push(`${callId} ${status}`));
      await runAgent(agent, 'Go', streaming);
      await outer.settled();
      expect([ran, ended, readByModel(server)]).toEqual([[], ['c1 error'], { c1: 'Closed.' }]);
    });

    test('an approval that a guard of the outer one requires is sought for it; what a person puts in its place runs', async () => {
      const requests: ApprovalRequest[] = [];
      const { server, outer, ran, agent } = await setUp({
        approval: (request) => {
          requests.push(request);
          return { decision: 'allow', input: { inputData: { city: 'Bonn' } } };
        },
      });
      await using _ = server;
      outer.guard(BeforeToolCall, ({ input }) =>
        cityIn(input) === 'Oslo' ? requireApproval('Oslo?') : proceed(),
      );
      await runAgent(agent, 'Go', streaming);
      expect([requests.map(({ input }) => input), ran]).toEqual([
        [{ inputData: { city: 'Oslo' } }],
        ['Bonn'],
      ]);
    });

    test('a sub-agent is not given a prompt that the outer one refuses', async () => {
      const clerk = { id: 'clerk', name: 'clerk', description: 'Works.', instructions: 'clerk' };
      const server = await serve(({ system }) =>
        system.includes('clerk')
          ? { text: 'Did it.' }
          : (callThenText('agent-clerk', { prompt: 'Read.' })[server.requests.length - 1] ?? { text: '' }),
      );
      await using _ = server;
      const [inner, outer] = [createHooks(), createHooks()];
      inner.on(BeforeToolCall, () => modify({ input: { prompt: 'Delete.' } }));
      outer.guard(BeforeToolCall, ({ input }) =>
        JSON.stringify(input).includes('Delete') ? block('Nothing is deleted.') : proceed(),
      );
      const model = modelOf(server);
      const agents = { clerk: quiet(new Agent({ ...clerk, model })) };
      const lead = new Agent({ id: 'lead', name: 'lead', instructions: 'lead', model, agents });
      await runAgent(hooked(hooked(quiet(lead), inner), outer), 'Go', streaming);
      expect(readByModel(server)).toEqual({ c1: 'Nothing is deleted.' });
    });
  },
);

describe.each([false, true])('two registries (streamed: %s)', (streaming) => {
  test('the outer one is asked about what the hooks of a tool in a toolset make of the input', async () => {
    await using server = await serve(callThenText('weather', { city: 'Rome' }));
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
    outer.guard(BeforeToolCall, ({ input }) => (cityIn(input) === 'Oslo' ? block('Not Oslo.') : proceed()));
    const ran: string[] = [];
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const toolsets = { mine: hookTools({ weather: weather(ran) }, inner) };
    await runAgent(quiet(hooked(config, outer)), 'Go', streaming, { toolsets });
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
    await runAgent(quiet(hooked(config, outer)), 'Go', streaming);
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
    const bare = quiet(
      new Agent({
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        tools: hookTools(tools, inner),
      }),
    );
    await runAgent(hooked(bare, outer), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  test('the outer one is not asked about another tool that the inner one has called', async () => {
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
    const bare = quiet(
      new Agent({
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        tools: hookTools(tools, inner),
      }),
    );
    await runAgent(hooked(bare, outer), 'Go', streaming);
    expect([asked, ran]).toEqual([['first'], ['Oslo']]);
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
    await runAgent(quiet(hooked(config, outer)), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });

  // Core's `runNested` gives its own second look last, so that nobody further out sees what an approver makes of the input there.
  test.fails('what the inner approver puts in place at a second asking is put to the guards of the outer one', async () => {
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
    await runAgent(quiet(hooked(config, outer, { approval: outerApproval })), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not Oslo.' }]);
  });
});
