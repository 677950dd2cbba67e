import {
  AfterToolCall,
  AgentSwitch,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
  SessionStart,
  SubagentStart,
  SubagentStop,
  ToolEvent,
  TurnEnd,
  UserPromptSubmit,
} from '@hooks/core';
import { Agent, MCPServerStdio, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, pendingApprovals } from '../src/index.ts';
import { call, restore, results, setup } from './setup.ts';

function family(needsApproval = false) {
  const execute = vi.fn(() => 'looked');
  const look = tool({ name: 'look', description: '', parameters: z.object({}), needsApproval, execute });
  const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [look] });
  const main = new Agent({
    name: 'Main',
    tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
  });
  return { main, helper, execute };
}

/** The helper looks and answers; the main agent asks it and is done. */
const script = (request: { readonly system: string; readonly turn: number }) => {
  const helper = request.system.includes('You help.');
  if (request.turn > 0) return { text: helper ? 'Looked.' : 'Done.' };
  return { toolCalls: [helper ? call('look', {}) : call('ask_helper', { input: 'look there' })] };
};

describe('An agent as a tool', () => {
  test('has its tools hooked, in a session of its own that knows its parent', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const log: string[] = [];
    let parent: string | undefined;
    hooks.on(BeforeToolCall, (event) => {
      log.push(`${event.agent}: ${event.toolName} (${event.tool?.kind}) in ${event.parentCallId}`);
      if (event.toolName === 'ask_helper') parent = event.session.id;
      else expect(event.session.parent?.id).toBe(parent);
      return proceed();
    });
    hooks.observe(
      SubagentStart,
      ({ agent, subagent, session }) => void log.push(`${agent} starts ${subagent} ${session.id === parent}`),
    );
    hooks.observe(SubagentStop, ({ subagent, response }) => void log.push(`${subagent} stops: ${response}`));
    hooks.observe(UserPromptSubmit, ({ prompt }) => void log.push(`prompt ${prompt}`));
    const result = await hookedRunner(s.runner, hooks).run(family().main, 'go');
    await hooks.settled();
    expect(result.finalOutput).toBe('Done.');
    expect(log).toEqual([
      'prompt go',
      'Main: ask_helper (agent) in undefined',
      'Main starts Helper true',
      'Helper: look (function) in call_ask_helper',
      'Helper stops: Looked.',
    ]);
  });

  test('has stopped, too, where its run throws', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const log: string[] = [];
    hooks.observe(SubagentStart, ({ subagent }) => void log.push(`${subagent} starts`));
    hooks.observe(SubagentStop, ({ subagent, response }) => void log.push(`${subagent} stops: ${response}`));
    const runOptions = { maxTurns: 1 }; // it would take two
    const asked = family().helper.asTool({ toolName: 'ask_helper', toolDescription: '', runOptions });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'Main', tools: [asked] }), 'go');
    await hooks.settled();
    expect(log).toEqual(['Helper starts', expect.stringMatching(/^Helper stops: An error occurred/)]);
  });

  test('is hooked inside where only its parent was attached, and a bare runner runs it', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('look'), () => block('no looking'));
    const log: string[] = [];
    hooks.observe(SubagentStart, ({ subagent }) => void log.push(`${subagent} starts`));
    hooks.observe(SubagentStop, ({ subagent }) => void log.push(`${subagent} stops`));
    const { main, execute } = family();
    await s.runner.run(attachHooks(main, hooks), 'go');
    await hooks.settled();
    expect(execute).not.toHaveBeenCalled();
    expect(log).toEqual(['Helper starts', 'Helper stops']);
  });

  test('has its turns told, each with its end', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const log: string[] = [];
    hooks.observe(
      TurnEnd,
      ({ agent, iteration, reason }) => void log.push(`${agent} ${iteration} ${reason}`),
    );
    await hookedRunner(s.runner, hooks).run(family().main, 'go');
    await hooks.settled();
    expect(log).toEqual(['Helper 1 continue', 'Helper 2 normal', 'Main 1 continue', 'Main 2 normal']);
  });

  test('has its turn ended as canceled where the run is aborted inside of it', async () => {
    await using s = await setup(script);
    const abort = new AbortController();
    const { main, execute } = family();
    execute.mockImplementation(() => {
      abort.abort();
      throw new Error('aborted');
    });
    const hooks = createHooks();
    const ends: string[] = [];
    hooks.observe(TurnEnd, ({ agent, reason }) => void ends.push(`${agent} ${reason}`));
    const run = hookedRunner(s.runner, hooks).run(main, 'go', { signal: abort.signal });
    await expect(run).rejects.toThrow();
    expect(ends).toEqual(['Helper canceled', 'Main canceled']);
  });

  test('that goes on in another process has a session that was resumed', async () => {
    await using s = await setup(script);
    const { main } = family(true);
    const paused = await hookedRunner(s.runner, createHooks()).run(main, 'go');
    const state = await restore(main, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    const hooks = createHooks();
    const sources: string[] = [];
    hooks.observe(SessionStart, ({ source }) => void sources.push(source));
    await hookedRunner(s.runner, hooks).run(main, state);
    expect(sources).toEqual(['resume', 'resume']);
  });

  test('has its model calls hooked', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const agents: (string | undefined)[] = [];
    hooks.on(BeforeModelCall, ({ agent }) => {
      agents.push(agent);
      return proceed();
    });
    await hookedRunner(s.runner, hooks).run(family().main, 'go');
    expect(agents).toEqual(['Main', 'Helper', 'Helper', 'Main']);
  });

  test.each([false, true])(
    'that pauses is judged once and reported once (new process: %s)',
    async (restored) => {
      await using s = await setup(script);
      const hooks = createHooks();
      const log: string[] = [];
      hooks.on(BeforeToolCall.matching('look'), () => requireApproval('sure?'));
      hooks.observe(ToolEvent, ({ type, toolName }) => void log.push(`${type} ${toolName}`));
      hooks.observe(SubagentStart, () => void log.push('start'));
      hooks.observe(SubagentStop, () => void log.push('stop'));
      const { main, execute } = family();
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const paused = await runner.run(main, 'go');
      expect(paused.interruptions.map(({ name }) => name)).toEqual(['look']);
      expect(execute).not.toHaveBeenCalled();
      const state = restored ? await restore(main, paused.state.toString()) : paused.state;
      for (const item of state.getInterruptions()) state.approve(item);
      const result = await runner.run(main, state);
      await hooks.settled();
      expect(result.finalOutput).toBe('Done.');
      expect(execute).toHaveBeenCalledOnce();
      expect(results(s)).toEqual({ call_ask_helper: 'Looked.' });
      if (!restored)
        expect(log).toEqual([
          'before_tool_call ask_helper',
          'before_execute ask_helper',
          'start',
          'before_tool_call look',
          'permission_request look',
          'tool_approval_decision look',
          'before_execute look',
          'transform_tool_result look',
          'after_tool_call look',
          'stop',
          'transform_tool_result ask_helper',
          'after_tool_call ask_helper',
        ]);
    },
  );
});

test('An agent as a tool that is interrupted is not over, whatever is made of its output meanwhile', async () => {
  await using s = await setup(({ system, turn }) => {
    const helper = system.includes('Help.');
    if (turn > 0) return { text: helper ? 'Helped.' : 'Done.' };
    return { toolCalls: [helper ? call('look', {}) : call('helper', { input: 'x' })] };
  });
  const hooks = createHooks();
  const log: string[] = [];
  hooks.on(BeforeToolCall, ({ toolName }) => {
    log.push(`before ${toolName}`);
    return toolName === 'look' ? requireApproval('sure?') : proceed();
  });
  hooks.observe(AfterToolCall, ({ toolName, output }) => void log.push(`after ${toolName}: ${output}`));
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
  const helper = new Agent({ name: 'Helper', instructions: 'Help.', tools: [look] });
  const agent = new Agent({
    name: 'A',
    instructions: 'Work.',
    tools: [
      helper.asTool({
        toolName: 'helper',
        toolDescription: '',
        customOutputExtractor: ({ interruptions, finalOutput }) =>
          interruptions.length > 0 ? 'waiting' : String(finalOutput),
      }),
    ],
  });
  const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
  const paused = await runner.run(agent, 'go');
  paused.state.approve(paused.interruptions[0]!);
  const result = await runner.run(agent, paused.state);
  await hooks.settled();
  expect(result.finalOutput).toBe('Done.');
  expect(log).toEqual(['before helper', 'before look', 'after look: seen', 'after helper: Helped.']);
});

test('A handoff is told, and the tools of the agent that takes over are hooked', async () => {
  await using s = await setup([
    { toolCalls: [call('transfer_to_Second', {})] },
    { toolCalls: [call('look', {})] },
    { text: 'Done.' },
  ]);
  const hooks = createHooks();
  const log: string[] = [];
  hooks.observe(AgentSwitch, ({ from, to, switchKind }) => void log.push(`${from} to ${to}: ${switchKind}`));
  hooks.observe(TurnEnd, ({ agent, iteration }) => void log.push(`turn ${iteration} of ${agent}`));
  hooks.guard(BeforeToolCall, ({ agent, toolName }) => block(`${agent} may not ${toolName}`));
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'looked' });
  const second = new Agent({ name: 'Second', tools: [look] });
  const result = await hookedRunner(s.runner, hooks).run(
    new Agent({ name: 'First', handoffs: [second] }),
    'go',
  );
  await hooks.settled();
  expect(result.lastAgent?.name).toBe('Second');
  expect(log).toEqual([
    'First to Second: handoff',
    'turn 1 of First',
    'turn 2 of Second',
    'turn 3 of Second',
  ]);
  expect(results(s)['call_look']).toBe('Second may not look');
});

test.each(['a hook', 'the tool'])(
  'An agent as a tool that waits for a yes itself goes on when what it calls has got a yes, too: each is asked about once (%s asks)',
  async (asking) => {
    await using s = await setup(script);
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return asking === 'a hook' ? requireApproval('sure?') : proceed();
    });
    const { helper, execute } = family(asking === 'the tool');
    const askHelper = helper.asTool({
      toolName: 'ask_helper',
      toolDescription: '',
      needsApproval: asking === 'the tool',
    });
    const main = new Agent({ name: 'Main', tools: [askHelper] });
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    let result = await runner.run(main, 'go');
    const waited: string[][] = [];
    while (result.interruptions.length > 0) {
      waited.push((await pendingApprovals(result)).map(({ toolName }) => toolName));
      for (const item of result.interruptions) result.state.approve(item);
      result = await runner.run(main, result.state);
    }
    expect(waited).toEqual([['ask_helper'], ['look']]);
    expect(asked).toEqual(['ask_helper', 'look']);
    expect(results(s)).toEqual({ call_ask_helper: 'Looked.' });
    expect(execute).toHaveBeenCalledOnce();
  },
);

describe('Of calls that wait in an agent and in one that it has as a tool', () => {
  /** Both want to look somewhere, and the model gives their calls the same id. */
  async function paused(decide: (hooks: Hooks) => void) {
    const s = await setup(({ system, turn }) => {
      const helper = system.includes('You help.');
      if (turn > 0) return { text: helper ? 'Helped.' : 'Done.' };
      const look = call('look', { at: helper ? 'inner' : 'outer' }, 'c1');
      return { toolCalls: helper ? [look] : [look, call('ask_helper', { input: 'help' })] };
    });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), ({ agent }) => requireApproval(`${agent} wants to`));
    decide(hooks);
    const execute = vi.fn(({ at }: { at: string }) => `saw ${at}`);
    const look = tool({ name: 'look', description: '', parameters: z.object({ at: z.string() }), execute });
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [look] });
    const askHelper = helper.asTool({ toolName: 'ask_helper', toolDescription: '' });
    const main = new Agent({ name: 'Main', tools: [look, askHelper] });
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const { state } = await runner.run(main, 'go');
    const goOn = () => runner.run(main, state);
    return { s, state, goOn, execute, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
  }

  test('with one id each is shown with its own input, and what is told of a no is about that one', async () => {
    const told: string[] = [];
    await using run = await paused((hooks) => {
      hooks.observe(
        AfterToolCall.matching('look'),
        ({ agent, status }) => void told.push(`${agent} ${status}`),
      );
    });
    expect(await pendingApprovals(run.state)).toMatchObject([
      { input: { at: 'outer' }, reason: 'Main wants to' },
      { input: { at: 'inner' }, reason: 'Helper wants to' },
    ]);
    const [outer, inner] = run.state.getInterruptions();
    run.state.approve(outer!);
    run.state.reject(inner!);
    await run.goOn();
    expect(told.toSorted()).toEqual(['Helper denied', 'Main ok']);
    expect(run.execute.mock.calls.map(([input]) => input)).toEqual([{ at: 'outer' }]);
  });

  test('a no to the inner one, with which a hook ends the run, ends that of the inner agent', async () => {
    await using run = await paused((hooks) => {
      hooks.on(AfterToolCall, ({ status }) =>
        status === 'denied' ? block('over', { stop: true }) : proceed(),
      );
    });
    const [outer, inner] = run.state.getInterruptions();
    run.state.approve(outer!);
    run.state.reject(inner!);
    const result = await run.goOn();
    expect(result.finalOutput).toBe('Done.');
    expect(results(run.s)).toEqual({ c1: 'saw outer', call_ask_helper: 'over' });
  });
});

test('A block with `stop` beside a handoff ends the run all the same', async () => {
  await using s = await setup([
    { toolCalls: [call('look', {}), call('transfer_to_Second', {})] },
    { text: 'Too far.' },
  ]);
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('over', { stop: true }));
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'looked' });
  const agent = new Agent({ name: 'First', tools: [look], handoffs: [new Agent({ name: 'Second' })] });
  const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
  expect(result.finalOutput).toBe('over');
  expect(s.server.requests).toHaveLength(1);
});

test('The tools of an MCP server are hooked, and known as such', async () => {
  const server = new MCPServerStdio({
    name: 'files',
    command: process.execPath,
    args: [`${import.meta.dirname}/mcp-server.mjs`],
  });
  await server.connect();
  try {
    await using s = await setup([
      { toolCalls: [call('read', { path: '/etc/passwd' }, 'c1'), call('read', { path: 'a' }, 'c2')] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    const kinds = new Set<string | undefined>();
    hooks.guard(BeforeToolCall.matching('read'), ({ input, tool: described }) => {
      kinds.add(described?.kind);
      return (input as { path: string }).path.startsWith('/etc') ? block('outside') : proceed();
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', mcpServers: [server] }), 'go');
    expect([...kinds]).toEqual(['mcp']);
    expect(results(s)).toEqual({ c1: 'outside', c2: expect.stringContaining('content of a') });
  } finally {
    await server.close();
  }
});
