import { BeforeToolCall, block, createHooks, type Hooks, modify, TransformToolResult } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** Refuses every call, and gives what was asked about. */
function refusing(): { readonly hooks: Hooks; readonly asked: readonly unknown[] } {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ toolName, tool }) => {
    asked.push([toolName, tool?.kind]);
    return block('Not here.');
  });
  return { hooks, asked };
}

const mine = createTool({
  id: 'mine',
  description: 'Mine.',
  inputSchema: z.object({}).loose(),
  execute: async () => 'mine ran',
});

const storage = new InMemoryStore();
const remembering = () => new Memory({ storage, options: { workingMemory: { enabled: true } } });
const inThread = () => ({ memory: { thread: crypto.randomUUID(), resource: 'r' } });
const update = () => callThenText('updateWorkingMemory', { memory: '# Notes' });

describe.each([false, true])(
  'a tool whose name Mastra gives to one of its own (streamed: %s)',
  (streaming) => {
    const start = async (
      script: ReturnType<typeof callThenText>,
      hooks: Hooks,
      more: Partial<AgentConfig>,
      options: object = {},
    ) => {
      await using server = await serve(script);
      const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), ...more };
      const agent = quiet(hookedAgent(config, hooks));
      new Mastra({ agents: { agent }, storage, logger: false });
      await runAgent(agent, 'Go', streaming, { ...inThread(), ...options });
      return readByModel(server);
    };

    test('of memory: Mastra’s stands in its place, and hooks are asked about it', async () => {
      const { hooks, asked } = refusing();
      const tools = { updateWorkingMemory: mine };
      expect(await start(update(), hooks, { memory: remembering(), tools })).toEqual({ c1: 'Not here.' });
      expect(asked).toEqual([['updateWorkingMemory', 'framework']]);
    });

    test('of memory, where there is none in this run: it is the one that was given', async () => {
      const hooks = createHooks();
      hooks.on(TransformToolResult, ({ tool }) => modify({ output: `of a ${tool?.kind}` }));
      const tools = { updateWorkingMemory: mine };
      expect(await start(update(), hooks, { tools })).toEqual({ c1: 'of a function' });
    });

    test('of memory, in a toolset: that of the toolset stands in the place of Mastra’s', async () => {
      const hooks = createHooks();
      hooks.on(TransformToolResult, ({ tool }) => modify({ output: `of a ${tool?.kind}` }));
      const tools = { updateWorkingMemory: mine };
      const toolsets = { own: tools };
      expect(await start(update(), hooks, { memory: remembering(), tools }, { toolsets })).toEqual({
        c1: 'of a function',
      });
    });

    test('of a workspace: Mastra’s stands in its place, and hooks are asked about it', async () => {
      const { hooks, asked } = refusing();
      const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath: import.meta.dirname }) });
      const name = 'mastra_workspace_list_files';
      const script = callThenText(name, { path: '.' });
      expect(await start(script, hooks, { workspace, tools: { [name]: mine } })).toEqual({ c1: 'Not here.' });
      expect(asked).toEqual([[name, 'framework']]);
    });

    test('that Mastra would give to a sub-agent, where there is none: it is a function', async () => {
      const hooks = createHooks();
      hooks.on(TransformToolResult, ({ tool }) => modify({ output: `of a ${tool?.kind}` }));
      const script = callThenText('agent-smith', {});
      expect(await start(script, hooks, { tools: { 'agent-smith': mine } })).toEqual({ c1: 'of a function' });
    });
  },
);

describe('hooks are asked about tools that Mastra makes', () => {
  const forms = ['of a config', 'of an agent'] as const;

  test.each(forms)('where it starts the run itself, %s, with native hooks for the run', async (form) => {
    await using server = await serve(update());
    const { hooks, asked } = refusing();
    const config = {
      id: 'a',
      name: 'a',
      instructions: '',
      model: modelOf(server),
      memory: remembering(),
      durable: true,
    };
    const agent = quiet(
      form === 'of an agent' ? hookedAgent(new Agent(config), hooks) : hookedAgent(config, hooks),
    );
    const mastra = new Mastra({ agents: { agent }, storage, logger: false });
    const output = await mastra
      .getAgent('agent')
      .stream('Go', { ...inThread(), hooks: { beforeToolCall: () => {} } });
    for await (const _chunk of output.fullStream);
    expect(readByModel(server)).toEqual({ c1: 'Not here.' });
    expect(asked).toEqual([['updateWorkingMemory', 'framework']]);
  });

  test('where the first hook is registered while a run with native hooks of its own is going', async () => {
    await using server = await serve([
      { toolCalls: [{ id: 'c1', name: 'register', arguments: {} }] },
      { toolCalls: [{ id: 'c2', name: 'updateWorkingMemory', arguments: { memory: '# Notes' } }] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    const register = createTool({
      id: 'register',
      description: 'Registers.',
      execute: async () => {
        hooks.guard(BeforeToolCall, () => block('From now on not.'));
        return 'registered';
      },
    });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { register } };
    const agent = quiet(hookedAgent({ ...config, memory: remembering() }, hooks));
    new Mastra({ agents: { agent }, storage, logger: false });
    await runAgent(agent, 'Go', false, { ...inThread(), hooks: { beforeToolCall: () => {} } });
    expect(readByModel(server, 2)).toEqual({ c1: 'registered', c2: 'From now on not.' });
  });
});
