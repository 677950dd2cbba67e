import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import {
  Agent,
  type AgentOutputItem,
  hostedMcpTool,
  type Model,
  type ModelRequest,
  type ModelResponse,
  OpenAIResponsesModel,
  type RunContext,
  Runner,
  type Tool,
  tool,
  toolSearchTool,
  Usage,
  webSearchTool,
} from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attachHooks, blockReason, hookedRunner, hookTool } from '../src/index.ts';
import { call, restore, results, setup } from './setup.ts';

describe('An agent whose own class hands out more tools than it was given', () => {
  /** A class of its own for each test, since classes stay reached. */
  function boxWith(extra: Tool) {
    return class extends Agent {
      override async getAllTools(context: RunContext<unknown>) {
        return [...(await super.getAllTools(context)), extra] as never;
      }
    };
  }

  function wiping() {
    const execute = vi.fn(() => 'wiped');
    const wipe = tool({ name: 'wipe', description: '', parameters: z.object({}), execute });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('wipe'), () => block('no'));
    return { wipe, execute, hooks };
  }

  test('has them hooked where a handoff leads to it', async () => {
    await using s = await setup([
      { toolCalls: [call('transfer_to_B', {})] },
      { toolCalls: [call('wipe', {})] },
      { text: 'Done.' },
    ]);
    const { wipe, execute, hooks } = wiping();
    const target = new (boxWith(wipe))({ name: 'B' });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', handoffs: [target] }), 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_wipe']).toBe('no');
  });

  test('has them hooked where it is a tool', async () => {
    await using s = await setup(({ system, turn }) => {
      const helper = system.includes('Help.');
      if (turn > 0) return { text: helper ? 'Helped.' : 'Done.' };
      return { toolCalls: [helper ? call('wipe', {}) : call('helper', { input: 'x' })] };
    });
    const { wipe, execute, hooks } = wiping();
    const helper = new (boxWith(wipe))({ name: 'Helper', instructions: 'Help.' });
    const agent = new Agent({
      name: 'A',
      instructions: 'Work.',
      tools: [helper.asTool({ toolName: 'helper', toolDescription: '' })],
    });
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(result.finalOutput).toBe('Done.');
  });
});

test('A tool that was not made by `tool` does not run with an input that its schema refuses, which hooks are not asked about', async () => {
  await using s = await setup([{ toolCalls: [call('wipe', { all: 'yes' })] }, { text: 'Done.' }]);
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('no'));
  const invoke = vi.fn(async () => 'wiped');
  const made = tool({ name: 'wipe', description: '', parameters: z.object({}), execute: () => '' });
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [{ ...made, invoke }] }), 'go');
  expect(invoke).not.toHaveBeenCalled();
  expect(results(s)['call_wipe']).toMatch(/does not fit/);
});

test('A tool that runs an attached agent in a bare runner does not get past hooks which that runner cannot ask', async () => {
  await using s = await setup([{ toolCalls: [call('delegate', {})] }, { text: 'Done.' }]);
  await using inner = await setup([{ text: 'unseen' }]);
  const hooks = createHooks();
  hooks.guard(BeforeModelCall, () => proceed());
  const helper = attachHooks(new Agent({ name: 'Helper' }), hooks);
  const delegate = tool({
    name: 'delegate',
    description: '',
    parameters: z.object({}),
    errorFunction: (_context, error) => String(error),
    execute: async () => (await inner.runner.run(helper, 'x')).finalOutput,
  });
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [delegate] }), 'go');
  expect(results(s)['call_delegate']).toContain('hookedRunner');
  expect(inner.server.requests).toEqual([]);
});

test.each(['deny', 'native'] as const)(
  'A call that a hook turns into one of an agent as a tool is a run of that agent (approval: %s)',
  async (approval) => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('Help.')) return { text: 'Helped.' };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('look', { input: 'x' })] };
    });
    const hooks = createHooks();
    const log: string[] = [];
    hooks.observe(HookEvent, ({ type, agent }) => void log.push(`${type} ${agent}`));
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'helper' }));
    const look = tool({
      name: 'look',
      description: '',
      parameters: z.object({ input: z.string() }),
      execute: () => '',
    });
    const helper = new Agent({ name: 'Helper', instructions: 'Help.' });
    const agent = new Agent({
      name: 'A',
      instructions: 'Work.',
      tools: [look, helper.asTool({ toolName: 'helper', toolDescription: '' })],
    });
    await hookedRunner(s.runner, hooks, { approval }).run(agent, 'go');
    await hooks.settled();
    expect(results(s)).toEqual({ call_look: 'Helped.' });
    expect(log).toContain('subagent_start A');
    expect(log).toContain('before_model_call Helper');
    expect(log.at(-1)).toBe('session_end undefined');
  },
);

describe('A tool that a tool search of the user finds', () => {
  /** Searches, calls what was found, and is done. */
  class SearchingModel implements Model {
    readonly inputs: unknown[] = [];

    async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
      this.inputs.push(input);
      const outputs: AgentOutputItem[] = [
        {
          type: 'tool_search_call',
          id: 'search',
          status: 'completed',
          arguments: { query: 'wipe' },
          providerData: { call_id: 'search', execution: 'client' },
        },
        { type: 'function_call', callId: 'c1', name: 'wipe', arguments: '{}', status: 'completed' },
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Done.' }],
        },
      ];
      return { usage: new Usage(), output: outputs.slice(this.inputs.length - 1, this.inputs.length) };
    }

    getStreamedResponse(): never {
      throw new Error('not streamed here');
    }
  }

  function searching(needsApproval = false) {
    const execute = vi.fn(() => 'wiped');
    const wipe = tool({
      name: 'wipe',
      description: 'Wipes.',
      parameters: z.object({}),
      deferLoading: true,
      needsApproval,
      execute,
    });
    const search = toolSearchTool({
      execution: 'client',
      description: 'Finds tools.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
        additionalProperties: false,
      },
      execute: async () => [wipe],
    });
    const model = new SearchingModel();
    const runner = new Runner({ modelProvider: { getModel: () => model } });
    return { agent: new Agent({ name: 'A', tools: [search] }), execute, runner, model };
  }

  test('is hooked', async () => {
    const { agent, execute, runner, model } = searching();
    const hooks = createHooks();
    const kinds: unknown[] = [];
    hooks.on(BeforeToolCall.matching('wipe'), (event) => {
      kinds.push(event.tool?.kind);
      return block('no');
    });
    const result = await hookedRunner(runner, hooks).run(agent, 'go');
    expect(result.finalOutput).toBe('Done.');
    expect(execute).not.toHaveBeenCalled();
    expect(JSON.stringify(model.inputs.at(-1))).toContain('"text":"no"');
    expect(kinds).toEqual(['function']);
  });

  test('is hooked in a state that was restored before anything was', async () => {
    const first = searching(true);
    const bare = await first.runner.run(first.agent, 'go');
    const { agent, execute, runner, model } = searching(true);
    model.inputs.push(...first.model.inputs);
    const state = await restore(agent, bare.state.toString());
    state.approve(state.getInterruptions()[0]!);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('wipe'), () => block('no'));
    await hookedRunner(runner, hooks).run(agent, state);
    expect(execute).not.toHaveBeenCalled();
    expect(JSON.stringify(model.inputs.at(-1))).toContain('"text":"no"');
  });
});

describe('The model of a hooked runner', () => {
  test('is hooked where the runner is given another one later', async () => {
    await using s = await setup([{ text: 'Done.' }]);
    const hooks = createHooks();
    const asked = vi.fn(() => proceed());
    hooks.on(BeforeModelCall, asked);
    const runner = hookedRunner(s.runner, hooks);
    runner.config.modelProvider = s.runner.config.modelProvider;
    await runner.run(new Agent({ name: 'A' }), 'go');
    runner.config.model = await s.runner.config.modelProvider.getModel('own');
    await runner.run(new Agent({ name: 'A' }), 'go');
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('is not replaced for an agent as a tool past hooks that may refuse', async () => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('Help.')) return { text: 'Helped.' };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('helper', { input: 'x' })] };
    });
    const model = await s.runner.config.modelProvider.getModel('own');
    const asTool = () =>
      new Agent({ name: 'Helper', instructions: 'Help.' }).asTool({
        toolName: 'helper',
        toolDescription: '',
        runConfig: { model },
      });
    const agent = () => new Agent({ name: 'A', instructions: 'Work.', tools: [asTool()] });
    const hooks = createHooks();
    hooks.observe(BeforeModelCall, () => {});
    expect((await hookedRunner(s.runner, hooks).run(agent(), 'go')).finalOutput).toBe('Done.');
    hooks.guard(BeforeModelCall, () => proceed());
    await expect(hookedRunner(s.runner, hooks).run(agent(), 'go')).rejects.toThrow(/model of its own/);
    const allowed = hookedRunner(s.runner, hooks, { allowUnsupported: ['before_model_call'] });
    expect((await allowed.run(agent(), 'go')).finalOutput).toBe('Done.');
  });
});

describe('A block with `stop` in a runner that is not hooked', () => {
  function stopping() {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('not today', { stop: true }));
    const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => '' });
    return { hooks, look };
  }
  const loop = [{ toolCalls: [call('look', {})] }, { text: 'Done.' }];

  test.each([
    [
      'of an attached agent',
      ({ hooks, look }: ReturnType<typeof stopping>) =>
        attachHooks(new Agent({ name: 'A', tools: [look] }), hooks),
    ],
    [
      'with a tool that was hooked by itself',
      ({ hooks, look }: ReturnType<typeof stopping>) =>
        new Agent({ name: 'A', tools: [hookTool(look, hooks)] }),
    ],
  ])('has a run %s rejected with the reason', async (_which, agentOf) => {
    await using s = await setup(loop);
    const error: unknown = await s.runner.run(agentOf(stopping()), 'go').catch((cause: unknown) => cause);
    expect(blockReason(error)).toBe('not today');
    expect(s.server.requests).toHaveLength(1);
  });
});

describe('A tool that is no function, of whose calls hooks are not asked', () => {
  const search = webSearchTool();
  const agentWith = () => new Agent({ name: 'A', tools: [search] });
  const refusing = () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching(search.name), () => block('no'));
    return hooks;
  };

  test.each([
    ['attached', (hooks: Hooks) => void attachHooks(agentWith(), hooks)],
    ['hooked by itself', (hooks: Hooks) => void hookTool(search, hooks)],
  ])('is refused where hooks may refuse it and it is %s', (_how, hookIt) => {
    expect(() => hookIt(refusing())).toThrow(/web_search.*which the provider runs/);
    const others = createHooks();
    others.guard(BeforeToolCall.matching('shell'), () => block('no'));
    others.guard(BeforeToolCall, () => block('no'), { agents: 'B', id: 'of B' });
    others.guard(BeforeToolCall, () => block('no'), { agents: /^B/ });
    if (_how === 'attached') expect(() => hookIt(others)).not.toThrow();
  });

  test.each(['A|B', /^A/])('is refused where a hook for its agent may refuse it: %s', async (agents) => {
    await using s = await setup([{ text: 'Done.' }], OpenAIResponsesModel);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('no'), { agents });
    expect(() => attachHooks(agentWith(), hooks)).toThrow(/web_search.*which the provider runs/);
    await expect(hookedRunner(s.runner, hooks).run(agentWith(), 'go')).rejects.toThrow(/web_search/);
    expect(s.server.requests).toEqual([]);
  });

  test('is refused where hooks may refuse one of the tools of an MCP server that it is limited to', () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('wipe'), () => block('no'));
    const files = (allowedTools: string[]) =>
      hostedMcpTool({ serverLabel: 'files', serverUrl: 'https://files.test', allowedTools });
    const agentOf = (...allowed: string[]) => new Agent({ name: 'A', tools: [files(allowed)] });
    expect(() => attachHooks(agentOf('read', 'wipe'), hooks)).toThrow(/"wipe".*which the provider runs/);
    expect(() => attachHooks(agentOf('read'), hooks)).not.toThrow();
  });

  test('is not run past hooks that may refuse it, unless that is allowed', async () => {
    await using s = await setup([{ text: 'Done.' }], OpenAIResponsesModel);
    const hooks = refusing();
    await expect(hookedRunner(s.runner, hooks).run(agentWith(), 'go')).rejects.toThrow(/web_search/);
    expect(s.server.requests).toEqual([]);
    const allowing = hookedRunner(s.runner, hooks, { allowUnsupported: ['before_tool_call'] });
    expect((await allowing.run(agentWith(), 'go')).finalOutput).toBe('Done.');
  });

  test('is warned of once where hooks only look', async () => {
    await using s = await setup([{ text: 'Done.' }], OpenAIResponsesModel);
    const onWarning = vi.fn();
    const hooks = createHooks({ onWarning });
    hooks.observe(BeforeToolCall, () => {});
    const runner = hookedRunner(s.runner, hooks);
    await runner.run(agentWith(), 'go');
    await runner.run(agentWith(), 'go');
    expect(onWarning.mock.calls).toEqual([[expect.stringContaining('web_search')]]);
  });
});

describe('A block with `stop`', () => {
  const simple = (name: string, execute: () => string = () => name) =>
    tool({ name, description: '', parameters: z.object({}), execute });

  test('ends the run also beside a call that waits for a person, who is not asked any more', async () => {
    await using s = await setup([{ toolCalls: [call('look', {}), call('wipe', {})] }, { text: 'Done.' }]);
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(BeforeToolCall.matching('look'), () => block('enough', { stop: true }));
    hooks.on(BeforeToolCall.matching('wipe'), () => requireApproval('sure?'));
    hooks.observe(ToolApprovalDecision, ({ toolName, approval }) => void log.push(`${toolName} ${approval}`));
    const execute = vi.fn(() => 'wiped');
    const agent = new Agent({ name: 'A', tools: [simple('look'), simple('wipe', execute)] });
    const result = await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, 'go');
    await hooks.settled();
    expect(result.interruptions).toEqual([]);
    expect(result.finalOutput).toBe('enough');
    expect(blockReason(result)).toBe('enough');
    expect(execute).not.toHaveBeenCalled();
    expect(s.server.requests).toHaveLength(1);
    expect(log).toEqual(['look deny', 'wipe canceled']);
    const answered = result.history.filter(({ type }) => type === 'function_call_result');
    expect(answered).toHaveLength(2);
  });

  test('in the run of an agent as a tool ends that run, and not the one of its parent', async () => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('Help.')) return turn > 0 ? { text: 'Helped.' } : { toolCalls: [call('look', {})] };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('helper', { input: 'x' })] };
    });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => block('enough', { stop: true }));
    const helper = new Agent({ name: 'Helper', instructions: 'Help.', tools: [simple('look')] });
    const agent = new Agent({
      name: 'A',
      instructions: 'Work.',
      tools: [helper.asTool({ toolName: 'helper', toolDescription: '' })],
      toolUseBehavior: { stopAtToolNames: ['other'] },
    });
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(result.finalOutput).toBe('Done.');
    expect(blockReason(result)).toBeUndefined();
  });
});
