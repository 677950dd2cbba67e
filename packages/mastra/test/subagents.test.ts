import {
  AfterToolCall,
  AgentSwitch,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  modify,
  proceed,
  requireApproval,
  SubagentStop,
  UserPromptSubmit,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
import { makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('a sub-agent of a hooked agent (streamed: %s)', (streaming) => {
  const setUp = async (options: object = {}) => {
    // The parent calls its sub-agent, which calls its own tool; both answer with a text in the end.
    const server = await serve(({ tools, turn }) => {
      if (turn > 0) return { text: 'Done.' };
      const [tool] = tools;
      const args = tool?.name === 'add' ? { a: 1 } : { prompt: 'Add.' };
      return { toolCalls: [{ id: `call-${tool?.name}`, name: tool?.name ?? '', arguments: args }] };
    });
    const hooks = createHooks();
    const { add, ran } = makeAdd();
    const model = modelOf(server);
    const sub = quiet(
      new Agent({
        id: 'sub',
        name: 'sub',
        description: 'Adds.',
        instructions: 'Add.',
        model,
        tools: { add: Object.assign(add, options) },
      }),
    );
    const parent = quiet(
      hookedAgent({ id: 'parent', name: 'parent', instructions: 'Ask.', model, agents: { sub } }, hooks),
    );
    return { server, hooks, ran, parent, sub, model };
  };

  test('its tools are hooked, in a session that knows its parent’s; its kick-off is no user’s prompt', async () => {
    const { server, hooks, parent, ran } = await setUp();
    await using _ = server;
    const calls: unknown[] = [];
    const prompts: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      prompts.push(prompt);
      return proceed();
    });
    hooks.on(BeforeToolCall, ({ toolName, agent, session }) => {
      calls.push([toolName, agent, session.parent !== undefined]);
      return toolName === 'add' ? block('Not in a sub-agent.') : proceed();
    });
    await runAgent(parent, 'Go', streaming);
    expect(calls).toEqual([
      ['agent-sub', 'parent', false],
      ['add', 'sub', true],
    ]);
    expect([prompts, ran]).toEqual([['Go'], []]);
    expect(readByModel(server, 2)).toEqual({ 'call-add': 'Not in a sub-agent.' });
  });

  test('an agent that its tool starts with its request context is no sub-agent: it is asked about its prompt', async () => {
    const answering = await serve([{ text: 'Done.' }]);
    await using _other = answering;
    let started: Pick<Agent, 'generate'> | undefined;
    const { server, hooks, parent } = await setUp({
      execute: async (_input: unknown, { requestContext }: { requestContext: RequestContext }) => {
        await started?.generate('Add to the mail.', { requestContext });
        return 'sent';
      },
    });
    await using _ = server;
    const prompts: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      prompts.push(prompt);
      return proceed();
    });
    const config = { id: 'mail', name: 'mail', instructions: '', model: modelOf(answering) };
    started = quiet(hookedAgent(config, hooks));
    await runAgent(parent, 'Go', streaming);
    expect(prompts).toEqual(['Go', 'Add to the mail.']);
  });

  test('the user’s own agent stays as it was', async () => {
    const { server, hooks, sub, ran } = await setUp();
    await using _ = server;
    hooks.guard(BeforeToolCall, () => block('No.'));
    await runAgent(sub, 'Go', streaming);
    expect(ran.length).toBe(1);
  });

  test('it starts and stops in its parent’s session, between two switches', async () => {
    const { server, hooks, parent } = await setUp();
    await using _ = server;
    const seen: unknown[] = [];
    hooks.observe(HookEvent, (event) => {
      if (AgentSwitch.is(event)) seen.push([event.from, event.to, event.switchKind]);
      else if (SubagentStop.is(event)) seen.push([event.subagent, event.response]);
      else if (event.type === 'subagent_start') seen.push(event.type);
    });
    await runAgent(parent, 'Go', streaming);
    await hooks.settled();
    expect(seen).toEqual([
      'subagent_start',
      ['parent', 'sub', 'transfer_task'],
      ['sub', 'Done.'],
      ['sub', 'parent', 'transfer_task_return'],
    ]);
  });

  test('a call of it can be blocked, rewritten, and its answer redacted', async () => {
    const { server, hooks, parent } = await setUp();
    await using _ = server;
    hooks.on(BeforeToolCall.matching('agent-sub'), ({ input }) =>
      modify({ input: { ...Object(input), prompt: 'Rewritten.' } }),
    );
    hooks.on(AfterToolCall.matching('agent-sub'), ({ output }) =>
      modify({ output: { ...Object(output), text: 'Hidden.' } }),
    );
    await runAgent(parent, 'Go', streaming);
    const kickOff = server.requests.find(({ tools }) => tools[0]?.name === 'add')?.messages;
    expect(kickOff?.at(-1)?.content).toBe('Rewritten.');
    expect(readByModel(server, 3)).toEqual({ 'call-agent-sub': 'Hidden.' });
    hooks.guard(BeforeToolCall.matching('agent-sub'), () => block('Nobody there.'));
    const before = server.requests.length;
    await runAgent(parent, 'Go', streaming);
    expect(readByModel(server, before + 1)).toEqual({ 'call-agent-sub': 'Nobody there.' });
  });

  test('a pause of its tool bubbles up, and goes on where it stopped: no hook is asked twice', async () => {
    const { server, hooks, parent, ran } = await setUp({ requireApproval: true });
    await using _ = server;
    new Mastra({ agents: { parent }, storage: new InMemoryStore(), logger: false });
    const seen: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      seen.push(`before ${toolName}`);
      return proceed();
    });
    hooks.on(AfterToolCall, ({ toolName, status }) => {
      seen.push(`after ${toolName} ${status}`);
      return proceed();
    });
    const { runId, finishReason } = await runAgent(parent, 'Go', streaming);
    expect([finishReason, ran]).toEqual(['suspended', []]);
    const answer = { runId, toolCallId: 'call-agent-sub' };
    if (streaming) await (await parent.approveToolCall(answer)).getFullOutput();
    else await parent.approveToolCallGenerate(answer);
    expect(ran.length).toBe(1);
    expect(seen).toEqual(['before agent-sub', 'before add', 'after add ok', 'after agent-sub ok']);
  });

  test('with native approval and a memory: its call is asked about once, keeps its thread, and a person is shown the call inside of it', async () => {
    const { server, hooks, ran, sub, model } = await setUp();
    await using _ = server;
    const storage = new InMemoryStore();
    const memory = new Memory({ storage });
    const parent = quiet(
      hookedAgent(
        { id: 'parent', name: 'parent', instructions: 'Ask.', model, memory, agents: { sub } },
        hooks,
        {
          approval: 'native',
        },
      ),
    );
    new Mastra({ agents: { parent }, storage, logger: false });
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName, input }) => {
      asked.push(toolName);
      return toolName === 'add'
        ? requireApproval('Sure?')
        : modify({ input: { ...Object(input), maxSteps: 3 } });
    });
    const threads: unknown[] = [];
    hooks.observe(AfterToolCall.matching('agent-sub'), ({ output }) => {
      threads.push(Object(output).subAgentResourceId);
    });
    const options = { memory: { thread: 't', resource: 'user' } };
    const paused = streaming
      ? await (await parent.stream('Go', options)).getFullOutput()
      : await parent.generate('Go', options);
    const pending = await pendingApprovals(paused);
    expect(pending).toMatchObject([
      { callId: 'call-agent-sub', toolName: 'add', input: { a: 1 }, reason: 'Sure?' },
    ]);
    const answer = { runId: paused.runId ?? '', toolCallId: 'call-agent-sub', ...options };
    if (streaming) await (await parent.approveToolCall(answer)).getFullOutput();
    else await parent.approveToolCallGenerate(answer);
    expect(asked).toEqual(['agent-sub', 'add']);
    expect(ran).toHaveLength(1);
    await hooks.settled();
    expect(threads).toEqual(['user-sub']);
  });

  test('a pause of its tool, a no in another process: hooks are told that this call was denied', async () => {
    const { server, parent, sub, model, ran } = await setUp({ requireApproval: true });
    await using _ = server;
    const storage = new InMemoryStore();
    new Mastra({ agents: { parent }, storage, logger: false });
    const { runId } = await runAgent(parent, 'Go', streaming);
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(AfterToolCall, ({ toolName, status }) => void seen.push(`${toolName} ${status}`));
    const there = quiet(
      hookedAgent({ id: 'parent', name: 'parent', instructions: 'Ask.', model, agents: { sub } }, hooks),
    );
    new Mastra({ agents: { there }, storage, logger: false });
    const answer = { runId, toolCallId: 'call-agent-sub', reason: 'No way.' };
    if (streaming) await (await there.declineToolCall(answer)).getFullOutput();
    else await there.declineToolCallGenerate(answer);
    await hooks.settled();
    expect([ran, seen]).toEqual([[], ['add denied', 'agent-sub ok']]);
  });
});

describe.each([false, true])('the sub-agents of (streamed: %s)', (streaming) => {
  test.each(['an agent that exists', 'a sub-agent'])('%s are hooked, and stay as they were', async (form) => {
    await using server = await serve(({ tools, turn }) => {
      if (turn > 0) return { text: 'Done.' };
      const [{ name } = { name: '' }] = tools;
      const args = name === 'add' ? { a: 1 } : { prompt: 'Add.' };
      return { toolCalls: [{ id: `call-${name}`, name, arguments: args }] };
    });
    const hooks = createHooks();
    const { add, ran } = makeAdd();
    hooks.guard(BeforeToolCall.matching('add'), () => block('Not down there.'));
    const define = (name: string) => ({
      id: name,
      name,
      description: name,
      instructions: '',
      model: modelOf(server),
    });
    const leaf = quiet(new Agent({ ...define('leaf'), tools: { add } }));
    const middle = quiet(new Agent({ ...define('middle'), agents: { leaf } }));
    const agent =
      form === 'a sub-agent'
        ? quiet(hookedAgent({ ...define('top'), agents: { middle } }, hooks))
        : hookedAgent(middle, hooks);
    await runAgent(agent, 'Go', streaming);
    expect(ran).toEqual([]);
    expect(server.requests.flatMap((_, n) => Object.values(readByModel(server, n)))).toContain(
      'Not down there.',
    );
    await runAgent(middle, 'Go', streaming);
    expect(ran.length).toBe(1);
  });
});
