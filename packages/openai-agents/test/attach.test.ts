import * as core from '@hooks/core';
import {
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  SessionEnd,
  Stop,
} from '@hooks/core';
import { Agent, OpenAIResponsesModel, RunContext, tool, toolNamespace } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  attachHooks,
  blockReason,
  hookedRunner,
  hookedTool,
  hookTool,
  hookTools,
  supports,
} from '../src/index.ts';
import { hookTools as hookRunTools, supports as openaiSupports } from '../src/openai/index.ts';
import { call, requestAt, results, setup } from './setup.ts';

const look = tool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.string() }),
  execute: ({ at }) => `saw ${at}`,
});
const loop = [{ toolCalls: [call('look', { at: 'a' })] }, { text: 'Done.' }];

describe('A bare tool', () => {
  test('keeps everything but its calls, and leaves the original as it was', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { at: 'b' } }));
    const hooked = hookTool(look, hooks);
    // Functions of the tool are bound to it, so that they can use `this`.
    const shown = (one: object) =>
      Object.entries(one).map(([key, value]) => [key, typeof value === 'function' ? 'a function' : value]);
    expect(shown(hooked)).toEqual(shown(look));
    expect(await hooked.invoke(new RunContext(), '{"at":"a"}')).toBe('saw b');
    expect(await look.invoke(new RunContext(), '{"at":"a"}')).toBe('saw a');
  });

  test('tells by its context why a call was refused', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no looking'));
    const context = new RunContext();
    expect(await hookTool(look, hooks).invoke(context, '{"at":"a"}')).toBe('no looking');
    expect(blockReason(context)).toBe('no looking');
  });

  test('is the same tool to `.for`, hooked or not', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.for(look), ({ input }) => modify({ input: { at: `${input.at}!` } }));
    expect(await hookTool(look, hooks).invoke(new RunContext(), '{"at":"a"}')).toBe('saw a!');
  });

  test('keeps its namespace', () => {
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {});
    const [namespaced] = toolNamespace({ name: 'eyes', description: 'Eyes.', tools: [look] });
    if (namespaced === undefined) throw new Error('no tool');
    const symbols = Object.getOwnPropertySymbols(hookTool(namespaced, hooks));
    expect(symbols).toEqual(Object.getOwnPropertySymbols(namespaced));
  });

  test('is hooked in lists and records, and given to an agent that is not attached', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'));
    expect(Object.keys(hookTools({ look }, hooks))).toEqual(['look']);
    await s.runner.run(new Agent({ name: 'A', tools: hookTools([look], hooks) }), 'go');
    expect(results(s)).toEqual({ call_look: 'no' });
  });

  test('that is given hooked to an agent with the same hooks is asked about once', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    hooks.on(BeforeToolCall, before);
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [hookTool(look, hooks)] }), 'go');
    expect(before).toHaveBeenCalledOnce();
  });
});

describe('Attaching', () => {
  test('refuses a refusing hook on what the SDK cannot do, unless it is allowed', () => {
    const table: { [type: string]: core.EventSupport } = { ...supports.events };
    const impossible = Object.keys(table).filter(
      (type) => table[type]?.decisions?.['block']?.level === 'none',
    );
    expect(impossible).toEqual([]);
    const hooks = createHooks({ onWarning: () => {} });
    hooks.guard(BeforeModelCall, () => block('no'));
    expect(() => hookRunTools([], hooks)).toThrow(/before_model_call/);
    expect(hookRunTools([], hooks, { allowUnsupported: ['before_model_call'] })).toEqual([]);
  });

  test('has a bare runner refuse an agent whose hooks only a hooked runner can ask', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    const agent = attachHooks(new Agent({ name: 'A', tools: [look] }), hooks);
    hooks.guard(BeforeModelCall, () => proceed());
    await expect(s.runner.run(agent, 'go')).rejects.toThrow(/hookedRunner/);
    expect(s.server.requests).toHaveLength(0);
    expect((await hookedRunner(s.runner, hooks).run(agent, 'go')).finalOutput).toBe('Done.');
  });

  test('obeys hooks in copies of an attached agent', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'));
    const agent = attachHooks(new Agent({ name: 'A', tools: [look] }), hooks);
    await s.runner.run(agent.clone({ name: 'B' }), 'go');
    expect(results(s)).toEqual({ call_look: 'no' });
  });

  test('leaves agents that are not attached alone, in runs that are not hooked', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    const before = vi.fn(() => block('no'));
    hooks.on(BeforeToolCall, before);
    const agent = new Agent({ name: 'A', tools: [look] });
    attachHooks(new Agent({ name: 'other' }), hooks);
    await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(before).toHaveBeenCalledOnce();
    await using bare = await setup(loop);
    await bare.runner.run(agent, 'go');
    expect(before).toHaveBeenCalledOnce();
    expect(results(bare)).toEqual({ call_look: 'saw a' });
  });

  test('hears of listeners of the runner that it was made of', async () => {
    await using s = await setup(loop);
    const started = vi.fn();
    s.runner.on('agent_tool_start', started);
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {});
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [look] }), 'go');
    expect(started).toHaveBeenCalledOnce();
  });

  test('reaches a model that an agent has of its own', async () => {
    await using s = await setup(loop);
    await using other = await setup([{ text: 'unused' }]);
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => modify({ instructions: 'hooked' }));
    const model = await s.runner.config.modelProvider.getModel('own');
    await hookedRunner(other.runner, hooks).run(new Agent({ name: 'A', model, tools: [look] }), 'go');
    expect(requestAt(s, 0).system).toBe('hooked');
  });

  test('is not displaced by what an agent is given later: tools, a model of its own, another tool use', async () => {
    await using s = await setup(loop);
    await using other = await setup([{ text: 'unused' }]);
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => modify({ instructions: 'hooked' }));
    hooks.guard(BeforeToolCall, () => block('No.'));
    const runner = hookedRunner(other.runner, hooks);
    const agent = new Agent({ name: 'A' });
    await runner.run(agent, 'go');
    agent.model = await s.runner.config.modelProvider.getModel('own');
    agent.tools = [look];
    agent.toolUseBehavior = 'stop_on_first_tool';
    const result = await runner.run(agent, 'go');
    expect(result.finalOutput).toBe('Done.');
    expect(results(s)).toEqual({ call_look: 'No.' });
    expect(s.server.requests.map(({ system }) => system)).toEqual(['hooked', 'hooked']);
  });
});

test.each([true, false])(
  'Context that a hook adds to a call reaches the model in a hooked runner (%s), else there is a warning',
  async (hooked) => {
    await using s = await setup(loop);
    const onWarning = vi.fn();
    const hooks = createHooks({ onWarning });
    hooks.on(BeforeToolCall, () => addContext('Look twice.'));
    const agent = attachHooks(new Agent({ name: 'A', tools: [look] }), hooks);
    await (hooked ? hookedRunner(s.runner, hooks) : s.runner).run(agent, 'go');
    expect(requestAt(s).system.includes('Look twice.')).toBe(hooked);
    expect(onWarning.mock.calls).toEqual(hooked ? [] : [[expect.stringContaining('context')]]);
  },
);

describe('A tool call in the traps of the SDK', () => {
  test('does not start when its time ran out while a hook was asked', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    const execute = vi.fn();
    const over = Promise.withResolvers<string>();
    hooks.on(BeforeToolCall, async (_call, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ status }) => over.resolve(status));
    const slow = tool({
      name: 'look',
      description: '',
      parameters: z.object({ at: z.string() }),
      timeoutMs: 5,
      execute,
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [slow] }), 'go');
    expect(await over.promise).toBe('error');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_look']).toMatch(/timed out/);
  });

  describe('that takes longer than its timeout', () => {
    const slowTool = (execute: () => Promise<string>) =>
      tool({
        name: 'look',
        description: '',
        parameters: z.object({ at: z.string() }),
        timeoutMs: 5,
        execute,
      });

    test('is over with it, also where the tool runs on', async () => {
      await using s = await setup(loop);
      const hooks = createHooks();
      const told: string[] = [];
      hooks.observe(
        AfterToolCall,
        ({ status, ran, errorMessage }) => void told.push(`${status} ${ran} ${errorMessage}`),
      );
      hooks.observe(SessionEnd, () => void told.push('end'));
      const ended = Promise.withResolvers<string>();
      const agent = new Agent({ name: 'A', tools: [slowTool(() => ended.promise)] });
      await hookedRunner(s.runner, hooks).run(agent, 'go');
      ended.resolve('late');
      await hooks.settled();
      expect(told).toEqual(["error true Tool 'look' timed out after 5ms.", 'end']);
      expect(results(s)['call_look']).toMatch(/timed out/);
    });

    test('is told of before the end of its session, however long a hook takes', async () => {
      await using s = await setup(loop);
      const hooks = createHooks();
      const answered = Promise.withResolvers<void>();
      hooks.on(BeforeToolCall, () => answered.promise.then(proceed));
      const told: string[] = [];
      hooks.observe(Stop, () => answered.resolve());
      hooks.observe(AfterToolCall, ({ status }) => void told.push(status));
      hooks.observe(SessionEnd, () => void told.push('end'));
      const execute = vi.fn(async () => 'seen');
      await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [slowTool(execute)] }), 'go');
      expect(told).toEqual(['error', 'end']);
      expect(execute).not.toHaveBeenCalled();
    });
  });

  test('of a tool with an output schema gives the reason as text, and its output checked', async () => {
    for (const blocks of [true, false]) {
      await using s = await setup(loop, OpenAIResponsesModel);
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => (blocks ? block('no') : proceed()));
      const structured = hookedTool({
        name: 'look',
        description: '',
        parameters: z.object({ at: z.string() }),
        outputSchema: z.object({ saw: z.string() }),
        execute: async ({ at }) => ({ saw: at }),
      });
      await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [structured] }), 'go');
      expect(results(s)).toEqual({ call_look: blocks ? '"no"' : '{"saw":"a"}' });
    }
  });

  test('of a plain JSON schema is checked, which the SDK does not do', async () => {
    await using s = await setup([{ toolCalls: [call('look', { at: 1 })] }, { text: 'Done.' }]);
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    hooks.on(BeforeToolCall, before);
    const execute = vi.fn();
    const plain = tool({
      name: 'look',
      description: '',
      strict: false,
      parameters: {
        type: 'object',
        properties: { at: { type: 'string' } },
        required: ['at'],
        additionalProperties: true,
      },
      execute,
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [plain] }), 'go');
    expect(before).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
  });

  test('of a tool that the SDK would approve by its arguments shows the policy what the schema makes of them', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {});
    const policy = vi.fn(async (_context: unknown, _input: unknown) => false);
    const asking = hookedTool({
      name: 'look',
      description: '',
      parameters: z.object({ at: z.string(), depth: z.number().default(3) }),
      needsApproval: policy,
      execute: () => 'saw',
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [asking] }), 'go');
    expect(policy.mock.calls[0]?.[1]).toEqual({ at: 'a', depth: 3 });
  });
});

test('The tables of what is supported know every event of the catalogue, and each of its decisions', () => {
  const specs = Object.values(core).flatMap((value) =>
    typeof value === 'object' && value !== null && 'spec' in value ? [value.spec as core.EventSpec] : [],
  );
  for (const table of [supports, openaiSupports]) {
    for (const { kind, type, permits, modifies } of specs) {
      if (kind === 'group') continue;
      const decisions = permits.flatMap((decision) =>
        decision === 'modify' ? modifies.map((field) => `modify.${field}`) : [decision],
      );
      expect(Object.keys(table.events[type]?.decisions ?? {}).toSorted(), type).toEqual(decisions.toSorted());
    }
  }
});
