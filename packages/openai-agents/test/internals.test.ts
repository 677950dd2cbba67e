import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import {
  Agent,
  type AgentInputItem,
  MaxTurnsExceededError,
  MCPServerStdio,
  type Model,
  OpenAIProvider,
  RunContext,
  Runner,
  tool,
  toolNamespace,
  toolSearchTool,
  Usage,
  withTrace,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import {
  approvalKey,
  isAgentTool,
  isMadeBySdk,
  isOpenAI,
  limitOf,
  namePause,
  namespaceOf,
  PAUSE,
  pausedSession,
  type SdkFunctionTool,
  type SdkState,
  searchKey,
  stateText,
  toolSlotsOf,
} from '../src/internals.ts';
import { definitionOf } from '../src/tool/definition.ts';
import { call, restore, setup } from './setup.ts';

const look = tool({
  name: 'look',
  description: '',
  parameters: z.object({}),
  needsApproval: true,
  execute: () => 'seen',
});

/** A state of the SDK as this package takes it. */
const stateOf = (state: object) => state as SdkState;
const functionTool = (one: object) => one as SdkFunctionTool;

/** A run that has paused for the tool. */
async function paused() {
  const s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
  const agent = new Agent({ name: 'A', tools: [look] });
  const { state } = await s.runner.run(agent, 'go', { context: { own: true }, maxTurns: 7 });
  return { s, agent, state };
}

// Each fails by its name where a new version of the SDK moves what this package uses of its private parts.
describe('The SDK, as src/internals.ts knows it,', () => {
  test('hands out an agent’s tools by getAllTools, asks for handoffs before, and copies agents by clone', async () => {
    for (const name of ['getAllTools', 'getEnabledHandoffs', 'clone'])
      expect(Object.hasOwn(Agent.prototype, name), name).toBe(true);
    const asked: string[] = [];
    class Watched extends Agent {
      override async getEnabledHandoffs(...args: Parameters<Agent['getEnabledHandoffs']>) {
        asked.push('handoffs');
        return super.getEnabledHandoffs(...args);
      }
      override async getAllTools(...args: Parameters<Agent['getAllTools']>) {
        asked.push(`tools ${args[0] instanceof RunContext}`);
        return super.getAllTools(...args);
      }
    }
    await using s = await setup([{ text: 'Done.' }]);
    await s.runner.run(new Watched({ name: 'A' }), 'go');
    expect(asked.slice(0, 2)).toEqual(['handoffs', 'tools true']);
  });

  test('keeps the namespace of a tool under a hidden symbol', () => {
    const [named] = toolNamespace({ name: 'eyes', description: 'Eyes.', tools: [look] });
    expect(namespaceOf(functionTool(named!))).toBe('eyes');
    expect(namespaceOf(functionTool(look))).toBeUndefined();
  });

  test.each([
    ['a tool', look],
    ['a tool in a namespace', toolNamespace({ name: 'eyes', description: 'Eyes.', tools: [look] })[0]!],
    ['a deferred tool', { ...look, deferLoading: true }],
  ])('keeps decisions about %s under our approvalKey', (_which, one) => {
    const context = new RunContext();
    const key = approvalKey(functionTool(one));
    const item = { toolName: key, callId: 'c1' };
    expect(context.isToolApproved(item)).toBeUndefined();
    // A key that is no JSON list is a plain name to the SDK.
    expect(JSON.parse(key).at(-1)).toBe('look');
  });

  test('keeps a person’s yes under the key of the tool and of the agent', async () => {
    const { s, agent, state } = await paused();
    await using _closed = s;
    const [item] = state.getInterruptions();
    expect(Reflect.get(item!, 'functionToolStateKey')).toBe(approvalKey(functionTool(look)));
    state.approve(item!);
    const about = { toolName: approvalKey(functionTool(look)), callId: 'call_look' };
    expect(stateOf(state)._context.isToolApproved({ ...about, agent })).toBe(true);
    expect(stateOf(state)._context.isToolApproved({ ...about, agent: new Agent({ name: 'B' }) })).not.toBe(
      true,
    );
  });

  test('calls a hidden function of the details between parsing and running, and rethrows what the call was aborted by, past the errorFunction', async () => {
    const failed: unknown[] = [];
    const ran: unknown[] = [];
    const add = tool({
      name: 'add',
      description: '',
      parameters: z.object({ a: z.number(), b: z.number().default(7) }),
      errorFunction: (_context, error) => {
        failed.push(error);
        return 'It does not fit.';
      },
      execute: (input) => {
        ran.push(input);
        return 'added';
      },
    });
    const parsed: unknown[] = [];
    const { invoke } = add;
    const watched: typeof add = {
      ...add,
      invoke: async (context, input, details) => {
        const { parse } = definitionOf(functionTool(add));
        for (const text of [input, '{}'])
          parsed.push(await parse?.({ context, input: text, details } as Parameters<typeof parse>[0]));
        return invoke(context, input, details);
      },
    };
    await using s = await setup([{ toolCalls: [call('add', { a: 1 })] }, { text: 'Done.' }]);
    await s.runner.run(new Agent({ name: 'A', tools: [watched] }), 'go');
    // Once, of the input that does not fit.
    expect(failed).toHaveLength(1);
    expect(parsed).toEqual([{ a: 1, b: 7 }, undefined]);
    expect(ran).toEqual([{ a: 1, b: 7 }]);
  });

  test('gives details with the span of the call, where runs are traced', async () => {
    const spans: (string | undefined)[] = [];
    const traced = tool({
      name: 'look',
      description: '',
      parameters: z.object({}),
      execute: (_input, _context, details) => {
        spans.push(...Object.getOwnPropertySymbols(details ?? {}).map(({ description }) => description));
        return 'seen';
      },
    });
    await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
    const runner = new Runner({ modelProvider: s.runner.config.modelProvider });
    await withTrace('t', () => runner.run(new Agent({ name: 'A', tools: [traced] }), 'go'));
    expect(spans).toContain('openai.agents.toolCallParentSpan');
  });

  test('invokes tools of `tool` by a function that we know by its text', () => {
    expect(isMadeBySdk(functionTool(look))).toBe(true);
    expect(isMadeBySdk({ ...functionTool(look), invoke: async () => '' })).toBe(false);
  });

  test('has listeners on agents as tools, and on no other tool', () => {
    const asTool = new Agent({ name: 'A' }).asTool({ toolName: 'a', toolDescription: '' });
    expect([isAgentTool(asTool), isAgentTool(look)]).toEqual([true, false]);
  });

  test('keeps what searches for tools under a hidden symbol', () => {
    const search = toolSearchTool({
      execution: 'client',
      description: 'Finds tools.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      execute: async () => [],
    });
    expect(searchKey(search)).toEqual(expect.any(Symbol));
  });

  test('keeps the listeners of a runner in its eventEmitter', () => {
    const runner = new Runner();
    let heard = 0;
    runner.on('agent_start', () => heard++);
    const emitter = Reflect.get(runner, 'eventEmitter') as { emit(event: string): void };
    emitter.emit('agent_start');
    expect(heard).toBe(1);
  });

  test('keeps the names of traces that were configured in traceOverrides', () => {
    expect(Reflect.get(new Runner(), 'traceOverrides')).toEqual({});
    const named = new Runner({ workflowName: 'mine' });
    expect(Reflect.get(named, 'traceOverrides')).toEqual({ workflowName: 'mine' });
  });

  test('keeps in a paused state its agent, context, limit, tools and what users said', async () => {
    const { s, agent, state } = await paused();
    await using _closed = s;
    const known = stateOf(state);
    expect(known._currentAgent).toBe(agent);
    expect(known._context.context).toEqual({ own: true });
    expect(known._maxTurns).toBe(7);
    expect(known._currentTurn).toBe(1);
    expect(toolSlotsOf(known).map((slot) => slot.tool)).toEqual([look]);
    expect(known._toolSearchRuntimeToolsByAgent).toBeInstanceOf(Map);
    known.addInput([{ role: 'user', content: 'more' }] satisfies AgentInputItem[]);
    expect(known._pendingInput).toHaveLength(1);
    known.clearPendingInput();
    expect(known._pendingInput).toEqual([]);
  });

  test('keeps what the answers of a model have in providerData in a stored state, and sends it to no model', async () => {
    const { s, agent, state } = await paused();
    await using _ = s;
    namePause(stateOf(state), 'the-session');
    const restored = await restore(agent, state.toString());
    const named = (one: object) =>
      JSON.parse(stateText(stateOf(one))).modelResponses[0].providerData[PAUSE].id;
    expect(named(state)).toEqual(expect.any(String));
    expect(named(restored)).toBe(named(state));
    expect(pausedSession(stateOf(restored))).toBe('the-session');
    for (const item of restored.getInterruptions()) restored.approve(item);
    await s.runner.run(agent, restored);
    expect(s.server.requests).toHaveLength(2);
    expect(JSON.stringify(s.server.requests)).not.toContain(named(state));
    expect(JSON.stringify(s.server.requests)).not.toContain('the-session');
  });

  test('writes a state as JSON, with the calls of the paused turn', async () => {
    const { s, state } = await paused();
    await using _closed = s;
    expect(JSON.parse(stateText(stateOf(state)))).toMatchObject({
      lastProcessedResponse: { functions: [{}] },
    });
    expect(stateOf(state)._context.context).toEqual({ own: true });
  });

  test('keeps the tools that searches have found in a state, where they can be replaced', async () => {
    const found = tool({
      name: 'found',
      description: '',
      parameters: z.object({}),
      execute: () => 'seen',
      deferLoading: true,
    });
    const search = toolSearchTool({ execution: 'client', execute: () => [found] });
    const searching = { type: 'tool_search_call', call_id: 's1', execution: 'client', arguments: {} };
    const content = [{ type: 'output_text', text: 'Done.' }];
    const saying = { type: 'message', role: 'assistant', status: 'completed', content };
    const outputs = [searching, saying] as never[];
    const model: Model = {
      getResponse: async () => ({ usage: new Usage(), output: outputs.splice(0, 1) }),
      getStreamedResponse: () => expect.unreachable(),
    };
    const agent = new Agent({ name: 'A', model, tools: [search] });
    const { state } = await new Runner({ tracingDisabled: true }).run(agent, 'go');
    const [slot] = toolSlotsOf(stateOf(state));
    expect(slot?.agent).toBe(agent);
    expect(slot?.tool).toBe(found);
    const other = { ...found };
    slot?.replace(functionTool(other));
    expect(state.getToolSearchRuntimeTools(agent)).toEqual([other]);
    expect(state.getToolSearchRuntimeTools(agent)[0]).toBe(other);
  });

  test('keeps the final output in the current step of a state, where it can be replaced', async () => {
    await using s = await setup([{ text: 'Done.' }]);
    const result = await s.runner.run(new Agent({ name: 'A' }), 'go');
    const { _currentStep: step, _finalOutputSource: source } = stateOf(result.state);
    expect([step?.output, source]).toEqual(['Done.', 'turn_resolution']);
    step!.output = 'Other.';
    expect(result.finalOutput).toBe('Other.');
  });

  test('rejects at the limit of turns with a MaxTurnsExceededError, which has the state', async () => {
    await using s = await setup(() => ({ toolCalls: [call('look', {})] }));
    const plain = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
    const run = s.runner.run(new Agent({ name: 'A', tools: [plain] }), 'go', { maxTurns: 1 });
    const error: unknown = await run.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(MaxTurnsExceededError);
    expect(limitOf(error)).toBe(1);
    expect(limitOf(new Error('other'))).toBeUndefined();
  });

  test('notes with a waiting call of an MCP tool which server it is for, under mcpToolBinding', async () => {
    const args = [new URL('./mcp-server.mjs', import.meta.url).pathname, 'notes'];
    const server = new MCPServerStdio({ name: 'files', command: process.execPath, args });
    await server.connect();
    try {
      const agent = new Agent({ name: 'A', mcpServers: [server] });
      const tools = await agent.getAllTools(new RunContext());
      await using s = await setup([{ toolCalls: [call(tools[0]!.name, { path: 'a' })] }, { text: 'Done.' }]);
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      const { state } = await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, 'go');
      const [written] = JSON.parse(state.toString()).lastProcessedResponse.functions;
      expect(written.mcpToolBinding).toMatchObject({});
      expect(written.mcpToolBinding).not.toBeNull();
    } finally {
      await server.close();
    }
  });

  test('names its own models and providers so that we know them for OpenAI’s', async () => {
    const provider = new OpenAIProvider({ apiKey: 'none' });
    const model = await provider.getModel('gpt-5');
    for (const one of [provider, model, new Runner().config.modelProvider])
      expect(isOpenAI(one), one.constructor.name).toBe(true);
  });
});
