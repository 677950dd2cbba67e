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
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, test } from 'vitest';
import { type HookedOptions, hookedAgent, pendingApprovals } from '../src/index.ts';
import {
  callThenText,
  cityIn,
  citySchemas,
  modelOf,
  quiet,
  readByModel,
  runAgent,
  serve,
  weather,
} from './fixtures.ts';

/** Mastra makes a tool of it itself, so that the native hooks alone are asked about its calls. */
function report(ran: string[]) {
  const step = createStep({
    id: 'only',
    ...citySchemas,
    execute: async ({ inputData: { city } }) => {
      ran.push(city);
      return { in: city };
    },
  });
  return createWorkflow({ id: 'report', description: 'Reports.', ...citySchemas })
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
  const agent = hookedAgent(quiet(hookedAgent(config, inner)), outer, options);
  return { server, inner, outer, ran, agent };
}

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

    test('the guards of the outer one are asked once, about what runs', async () => {
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
      expect([ran, asked]).toEqual([['Oslo'], ['on Rome', 'guard Oslo', 'ok Oslo 1']]);
    });

    test('where the inner one refuses, AfterToolCall of the outer one fires, too', async () => {
      const { server, inner, outer, ran, agent } = await setUp();
      await using _ = server;
      inner.guard(BeforeToolCall, () => block('Closed.'));
      const ended: string[] = [];
      outer.observe(AfterToolCall, ({ callId, status }) => void ended.push(`${callId} ${status}`));
      await runAgent(agent, 'Go', streaming);
      await outer.settled();
      expect([ran, ended, readByModel(server)]).toEqual([[], ['c1 blocked'], { c1: 'Closed.' }]);
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
      await runAgent(hookedAgent(hookedAgent(quiet(lead), inner), outer), 'Go', streaming);
      expect(readByModel(server)).toEqual({ c1: 'Nothing is deleted.' });
    });

    test('a person is shown the call inside of a sub-agent, once, where both want approval for it', async () => {
      await using server = await serve(({ system, messages }) => {
        const calls = system.includes('clerk')
          ? callThenText('weather', { city: 'Rome' })
          : callThenText('agent-clerk', { prompt: 'Look.' });
        return calls[messages.some(({ role }) => role === 'tool') ? 1 : 0] ?? { text: '' };
      });
      const [inner, outer] = [createHooks(), createHooks()];
      const asked: string[] = [];
      for (const hooks of [inner, outer])
        hooks.on(BeforeToolCall, ({ toolName }) => {
          asked.push(toolName);
          return toolName === 'weather' ? requireApproval('Sure?') : proceed();
        });
      const ran: string[] = [];
      const model = modelOf(server);
      const define = (name: string) => ({ id: name, name, description: name, instructions: name, model });
      const clerk = quiet(new Agent({ ...define('clerk'), tools: { weather: weather(ran) } }));
      const bare = quiet(new Agent({ ...define('lead'), agents: { clerk } }));
      const native = { approval: 'native' } as const;
      const lead = hookedAgent(hookedAgent(bare, inner, native), outer, native);
      new Mastra({ agents: { lead }, storage: new InMemoryStore(), logger: false });
      const paused = streaming ? await (await lead.stream('Go')).getFullOutput() : await lead.generate('Go');
      const pending = await pendingApprovals(paused);
      const call = { runId: paused.runId ?? '', toolCallId: pending[0]?.callId ?? '' };
      if (streaming) await (await lead.approveToolCall(call)).getFullOutput();
      else await lead.approveToolCallGenerate(call);
      const request = { callId: 'c1', toolName: 'weather', input: { city: 'Rome' }, reason: 'Sure?' };
      expect([pending, ran]).toMatchObject([[request], ['Rome']]);
      expect(asked).toEqual(['agent-clerk', 'agent-clerk', 'weather', 'weather']);
    });
  },
);
