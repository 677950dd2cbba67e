import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  tool,
  toolNamespace,
  Usage,
} from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { hookedRunner, hookTool, pendingApprovals } from '../src/index.ts';
import { restore } from './setup.ts';

/** Calls a tool of the namespace `crm`, then answers: the model server speaks no namespaces. */
class NamespaceModel implements Model {
  readonly inputs: AgentInputItem[][] = [];

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const items = typeof input === 'string' ? [] : input;
    this.inputs.push(items);
    const called = items.some(({ type }) => type === 'function_call_result');
    return { usage: new Usage(), output: [called ? SAID : CALLED] };
  }

  getStreamedResponse(): never {
    throw new Error('not streamed here');
  }

  /** What the model read of its call. */
  get read(): unknown {
    const result = this.inputs.at(-1)?.find((item) => item.type === 'function_call_result');
    return result?.type === 'function_call_result' ? result.output : undefined;
  }
}

const CALLED = {
  type: 'function_call',
  callId: 'c1',
  name: 'remove',
  namespace: 'crm',
  status: 'completed',
  arguments: '{"id":7}',
} satisfies AgentOutputItem;
const SAID: AgentOutputItem = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.' }],
};

function setup() {
  const execute = vi.fn(({ id }: { id: number }) => `removed ${id}`);
  const remove = tool({ name: 'remove', description: '', parameters: z.object({ id: z.number() }), execute });
  const model = new NamespaceModel();
  const runner = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });
  const agentWith = (own: typeof remove) =>
    new Agent({ name: 'A', tools: toolNamespace({ name: 'crm', description: 'The CRM.', tools: [own] }) });
  return { execute, remove, model, runner, agentWith };
}

function asking(): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('remove'), () => requireApproval('it is gone for good'));
  return hooks;
}

describe('A tool in a namespace', () => {
  test('that a person has approved runs in a new process', async () => {
    const { runner, execute, remove, agentWith } = setup();
    const paused = await hookedRunner(runner, asking(), { approval: 'native' }).run(agentWith(remove), 'go');
    expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'c1', toolName: 'remove' }]);
    const agent = agentWith(remove);
    const state = await restore(agent, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    await hookedRunner(runner, asking(), { approval: 'native' }).run(agent, state);
    expect(execute).toHaveBeenCalledOnce();
  });

  test.each([false, true])(
    'that a person has refused is told to hooks (new process: %s)',
    async (restored) => {
      const { runner, execute, remove, agentWith, model } = setup();
      const ended = vi.fn();
      const told = (): Hooks => {
        const hooks = asking();
        hooks.observe(AfterToolCall, ({ toolName, status, reason }) => ended(toolName, status, reason));
        return hooks;
      };
      const hooks = told();
      const agent = agentWith(remove);
      const paused = await hookedRunner(runner, hooks, { approval: 'native' }).run(agent, 'go');
      const state = restored ? await restore(agent, paused.state.toString()) : paused.state;
      for (const item of state.getInterruptions()) state.reject(item, { message: 'keep it' });
      const later = restored ? told() : hooks;
      await hookedRunner(runner, later, { approval: 'native' }).run(agent, state);
      await later.settled();
      expect(execute).not.toHaveBeenCalled();
      expect(ended).toHaveBeenCalledExactlyOnceWith('remove', 'denied', 'keep it');
      expect(model.read).toMatchObject({ text: 'keep it' });
    },
  );

  test('ends the run of an agent that is to stop at it by its full name', async () => {
    const { remove, runner, agentWith } = setup();
    const agent = agentWith(remove).clone({ toolUseBehavior: { stopAtToolNames: ['crm.remove'] } });
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    expect((await hookedRunner(runner, hooks).run(agent, 'go')).finalOutput).toBe('removed 7');
  });

  test('that was hooked before it was put there asks hooks once', async () => {
    const { runner, remove, execute, agentWith } = setup();
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    hooks.on(BeforeToolCall, before);
    await hookedRunner(runner, hooks).run(agentWith(hookTool(remove, hooks)), 'go');
    expect(before).toHaveBeenCalledOnce();
    expect(execute).toHaveBeenCalledOnce();
  });

  test('that was hooked before it got another name is another tool to hooks', async () => {
    const { runner, remove, agentWith } = setup();
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return proceed();
    });
    const other = hookTool({ ...remove, name: 'erase' }, hooks);
    await hookedRunner(runner, hooks).run(agentWith({ ...other, name: 'remove' }), 'go');
    expect(asked).toEqual(['remove', 'erase']);
  });
});
