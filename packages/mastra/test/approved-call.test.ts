import { BeforeToolCall, createHooks, proceed, requireApproval, ToolEvent, TurnStart } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { OutputProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
import {
  addingAgent,
  callThenText,
  makeAdd,
  modelOf,
  quiet,
  readByModel,
  runAgent,
  serve,
} from './fixtures.ts';

describe.each([
  ['in this process', false],
  ['in another', true],
])('a yes (%s)', (_, restarted) => {
  test('is to what the person has seen, not to what native hooks make of it after it', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const storage = new InMemoryStore();
    const start = () => {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, () => requireApproval('Sure?'));
      const { add, ran } = makeAdd();
      const beforeToolCall = ({ input }: { input: unknown }) => void Object.assign(Object(input), { a: 100 });
      const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
      const agent = quiet(
        hookedAgent({ ...config, hooks: { beforeToolCall } }, hooks, { approval: 'native' }),
      );
      new Mastra({ agents: { agent }, storage, logger: false });
      return { agent, ran };
    };
    const before = start();
    const { runId } = await runAgent(before.agent, 'Go', false);
    const { agent, ran } = restarted ? start() : before;
    await agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
    expect(ran).toEqual([]);
    expect(readByModel(server)['c1']).toMatch(/Sure\?/);
  });

  test('is followed by turns whose calls know them', async () => {
    const call = (id: string) => ({ toolCalls: [{ id, name: 'add', arguments: { a: 1 } }] });
    await using server = await serve([call('c1'), call('c2'), { text: 'Done.' }]);
    const storage = new InMemoryStore();
    const turns = new Map<string | undefined, Set<string | undefined>>();
    const start = () => {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, ({ callId }) => (callId === 'c1' ? requireApproval('Sure?') : proceed()));
      hooks.observe(TurnStart, () => {}); // else nobody counts them
      hooks.observe(ToolEvent, ({ callId, turn }) => {
        turns.set(callId, (turns.get(callId) ?? new Set()).add(turn));
      });
      const agent = quiet(hookedAgent(addingAgent(server), hooks, { approval: 'native' }));
      new Mastra({ agents: { agent }, storage, logger: false });
      return { agent, hooks };
    };
    const before = start();
    const { runId } = await runAgent(before.agent, 'Go', false);
    const { agent, hooks } = restarted ? start() : before;
    await agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
    await hooks.settled();
    expect([...(turns.get('c2') ?? [])]).toEqual([`${runId}:2`]);
  });

  test('to the call of a sub-agent is one also where Mastra has added a thread to it', async () => {
    await using server = await serve([
      { toolCalls: [{ id: 'c1', name: 'agent-sub', arguments: { prompt: 'Help.' } }] },
      { text: 'Helped.' },
    ]);
    const storage = new InMemoryStore();
    const start = () => {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall.matching('agent-sub'), () => requireApproval('Sure?'));
      const common = { instructions: '', model: modelOf(server), memory: new Memory({ storage }) };
      const sub = new Agent({ ...common, id: 'sub', name: 'sub', description: 'Helps.' });
      const agent = quiet(
        hookedAgent({ ...common, id: 'a', name: 'a', agents: { sub } }, hooks, { approval: 'native' }),
      );
      new Mastra({ agents: { agent }, storage, logger: false });
      return agent;
    };
    const before = start();
    const { runId } = await runAgent(before, 'Go', false, { memory: { thread: 't', resource: 'u' } });
    const agent = restarted ? start() : before;
    await agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
    expect(readByModel(server, server.requests.length - 1)).toEqual({ c1: 'Helped.' });
  });
});

test.each([false, true])(
  'a call of an answer that an output processor has had made again is none: hooks are asked about the new one (streamed: %s)',
  async (streaming) => {
    await using server = await serve(() => {
      const n = server.requests.length;
      return n > 2 ? { text: 'Done.' } : { toolCalls: [{ id: `c${n}`, name: 'add', arguments: { a: 1 } }] };
    });
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeToolCall, ({ callId }) => {
      asked.push(callId);
      return requireApproval('Sure?');
    });
    let answers = 0;
    const again: OutputProcessor = {
      id: 'again',
      processOutputStep: ({ abort, messages }) => {
        if (++answers === 1) abort('Once more.', { retry: true });
        return messages;
      },
    };
    const { add, ran } = makeAdd();
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
    const own = { ...config, outputProcessors: [again], maxProcessorRetries: 1 };
    const agent = quiet(hookedAgent(own, hooks, { approval: 'native' }));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const paused = await runAgent(agent, 'Go', streaming);
    expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'c2', reason: 'Sure?' }]);
    await agent.approveToolCallGenerate({ runId: paused.runId, toolCallId: 'c2' });
    expect([asked, ran.length]).toEqual([['c2'], 1]);
  },
);
