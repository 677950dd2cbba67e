import {
  AfterModelCall,
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { InputProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools, pendingApprovals } from '../src/index.ts';
import { modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

type Approving = 'native' | Approver;

interface Setting {
  readonly ids: readonly string[];
  readonly storage?: InMemoryStore;
  /** Whether the tool requires approval itself. */
  readonly asks?: boolean;
  readonly requires?: boolean;
  readonly approval?: Approving;
  /** The approver of the tool's own registry. */
  readonly ofTool?: Approver;
}

const cityOf = (input: unknown): unknown => Reflect.get(Object(input), 'city');

const CITIES = ['Rome', 'Oslo', 'Bonn'];

/** An agent, whose model calls one tool several times in one answer. */
async function start({ ids, asks = false, requires = false, ofTool, approval, ...setting }: Setting) {
  const server = await serve([
    {
      toolCalls: ids.map((id, nth) => ({ id, name: 'weather', arguments: { city: CITIES[nth] } })),
    },
    { text: 'Done.' },
  ]);
  const ran: string[] = [];
  const storage = setting.storage ?? new InMemoryStore();
  /** Each agent is one of another process. */
  const make = (): Agent => {
    const weather = createTool({
      id: 'weather',
      description: '',
      inputSchema: z.object({ city: z.string() }),
      requireApproval: asks,
      execute: async ({ city }) => {
        ran.push(city);
        return `sunny in ${city}`;
      },
    });
    const [outer, inner] = [createHooks(), createHooks()];
    outer.on(BeforeToolCall, () => (requires ? requireApproval('Sure?') : proceed()));
    inner.on(BeforeToolCall, () => proceed());
    const tools = ofTool === undefined ? { weather } : hookTools({ weather }, inner, { approval: ofTool });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    const agent = quiet(hookedAgent(config, outer, { ...(approval && { approval }) }));
    new Mastra({ agents: { agent }, storage, logger: false });
    return agent as Agent;
  };
  return { server, ran, make };
}

describe('the calls of one answer', () => {
  test('with one id run with the inputs that their approver was asked about, each once', async () => {
    const asked: unknown[] = [];
    const approval: Approver = ({ input }) => {
      asked.push(cityOf(input));
      return { decision: 'allow' };
    };
    const { server, ran, make } = await start({ ids: ['c', 'c'], asks: true, approval });
    await using _ = server;
    await make().generate('Go');
    expect([asked, ran.toSorted()]).toEqual([
      ['Rome', 'Oslo'],
      ['Oslo', 'Rome'],
    ]);
  });

  test('with one id take no yes from another process, which does not know to which of them it was given', async () => {
    const { server, ran, make } = await start({ ids: ['c', 'c', 'c'], asks: true, approval: 'native' });
    await using _ = server;
    const output = await make().generate('Go');
    expect(await pendingApprovals(output)).toHaveLength(1);
    await make().approveToolCallGenerate({ runId: output.runId ?? '', toolCallId: 'c' });
    expect(ran).toEqual([]);
  });

  test('pause in turn in the processes in which a person says yes', async () => {
    const setting = { ids: ['c1', 'c2', 'c3'], requires: true, approval: 'native' } as const;
    const { server, ran, make } = await start(setting);
    await using _ = server;
    let output: { readonly runId?: string | undefined } = await make().generate('Go');
    const shown: unknown[] = [];
    for (const toolCallId of setting.ids) {
      shown.push((await pendingApprovals(output)).map(({ callId, input }) => [callId, cityOf(input)]));
      const runId = output.runId ?? '';
      const answer = { runId, toolCallId };
      output =
        toolCallId === 'c2'
          ? await make().declineToolCallGenerate(answer)
          : await make().approveToolCallGenerate(answer);
    }
    expect(shown).toEqual([[['c1', 'Rome']], [['c2', 'Oslo']], [['c3', 'Bonn']]]);
    expect(ran).toEqual(['Rome', 'Bonn']);
    expect(readByModel(server)).toMatchObject({ c1: 'sunny in Rome', c3: 'sunny in Bonn' });
  });

  test('are approved by everybody whom they concern, also if one yes is given twice at once', async () => {
    const asked: unknown[] = [];
    const ofTool: Approver = ({ input }) => {
      asked.push(cityOf(input));
      return { decision: 'deny' };
    };
    const { server, ran, make } = await start({
      ...{ ids: ['c1'], asks: true, requires: true },
      ...{ approval: 'native', ofTool },
    });
    await using _ = server;
    const agent = make();
    const { runId = '' } = await agent.generate('Go');
    const yes = () => agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
    await Promise.allSettled([yes(), yes()]);
    expect([asked, ran]).toEqual([['Rome'], []]);
  });
});

test.each([
  ['ahead', ['{"data":-1e400}', '{"data":5}'], ['note', 'pay']],
  ['behind', ['{"data":5}', '{"data":{"__proto__":{}}}'], ['pay', 'note']],
])(
  'a call that a person denies is over once, also if an invalid call %s of it has its id',
  async (_where, inputs, names) => {
    const toolCalls = names.map((name, nth) => ({ id: 'c', name, arguments: inputs[nth] ?? '' }));
    const server = await serve([{ toolCalls }, { text: 'Done.' }]);
    await using _ = server;
    const make = (id: string) =>
      createTool({ id, description: '', inputSchema: z.object({ data: z.any() }), execute: async () => id });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('pay'), () => requireApproval('It costs money.'));
    const over: string[] = [];
    hooks.observe(AfterToolCall, ({ toolName, status }) => void over.push(`${toolName}: ${status}`));
    const tools = { note: make('note'), pay: make('pay') };
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    const agent = quiet(hookedAgent(config, hooks, { approval: 'native' })) as Agent;
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId = '' } = await agent.generate('Go');
    await agent.declineToolCallGenerate({ runId, toolCallId: 'c' });
    expect(over.toSorted()).toEqual(['note: error', 'pay: denied']);
  },
);

describe('a call with the id of one that did not come to hooks', () => {
  /** Hooks that refuse what has `rm`, and know the calls of each answer. */
  const guarded = () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => proceed());
    const seen: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => {
      seen.push(input);
      return JSON.stringify(input).includes('rm') ? block('No.') : proceed();
    });
    return { hooks, seen };
  };

  test('is seen with its own input, where Mastra has refused that of the other', async () => {
    const server = await serve([
      {
        toolCalls: [
          { id: 'c', name: 'shell', arguments: { command: ['ls'] } },
          { id: 'c', name: 'shell', arguments: { command: 'rm' } },
        ],
      },
      { text: 'Done.' },
    ]);
    await using _ = server;
    const { hooks, seen } = guarded();
    const ran: unknown[] = [];
    const shell = createTool({
      id: 'shell',
      description: '',
      inputSchema: z.object({ command: z.string() }),
      execute: async (input) => void ran.push(input),
    });
    const bringing: InputProcessor = {
      id: 'bringing',
      processInputStep: ({ tools }) => ({ tools: { ...tools, shell } }),
    };
    const model = modelOf(server);
    const config = { id: 'a', name: 'a', instructions: '', model, inputProcessors: [bringing] };
    await runAgent(quiet(hookedAgent(config, hooks)), 'Go', false);
    expect([seen, ran]).toEqual([[{ command: 'rm' }], []]);
  });

  test.each([
    ['of more fields', [{ prompt: 'ls' }, { prompt: 'ls', instructions: 'rm' }]],
    ['of other fields', [{ prompt: 'ls', maxSteps: 2 }, { prompt: 'rm' }]],
  ])(
    'of a sub-agent, %s, is seen with its own input, where a native hook has refused the other',
    async (_, inputs) => {
      const server = await serve([
        { toolCalls: inputs.map((input) => ({ id: 'c', name: 'agent-sub', arguments: input })) },
        { text: 'Done.' },
      ]);
      await using _server = server;
      const { hooks, seen } = guarded();
      const asked = await serve([]);
      await using _asked = asked;
      const sub = quiet(
        new Agent({ id: 'sub', name: 'sub', description: '', instructions: '', model: modelOf(asked) }),
      );
      const memory = new Memory({ storage: new InMemoryStore() });
      const config = {
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        agents: { sub },
        memory,
      };
      let calls = 0;
      await runAgent(quiet(hookedAgent(config, hooks)), 'Go', false, {
        memory: { thread: 't', resource: 'r' },
        hooks: {
          beforeToolCall: async () => {
            if (calls++ === 0) throw new Error('Not this one.');
          },
        },
      });
      expect([seen, asked.requests]).toMatchObject([[inputs[1]], []]);
    },
  );
});

const withheld = modify({ output: 'withheld' });

describe.each([
  ['plain', false],
  ['streamed', true],
])('a tool that a memory brings to a run, %s,', (_form, streaming) => {
  test.each([
    ['TransformToolResult', (hooks: Hooks) => hooks.on(TransformToolResult, () => withheld)],
    ['AfterToolCall', (hooks: Hooks) => hooks.on(AfterToolCall, () => withheld)],
  ])('is hooked where hooks on %s are the only ones', async (_name, register) => {
    const server = await serve([
      { toolCalls: [{ id: 'c1', name: 'peek', arguments: {} }] },
      { text: 'Done.' },
    ]);
    await using _ = server;
    const peek = createTool({
      id: 'peek',
      description: '',
      inputSchema: z.object({}),
      execute: async () => 'secret',
    });
    class Bringing extends Memory {
      override async getInputProcessors(...given: Parameters<Memory['getInputProcessors']>) {
        const bringing: InputProcessor = {
          id: 'bringing',
          processInputStep: ({ tools }) => ({ tools: { ...tools, peek } }),
        };
        return [...(await super.getInputProcessors(...given)), bringing];
      }
    }
    const hooks = createHooks();
    register(hooks);
    const memory = new Bringing({ storage: new InMemoryStore() });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), memory };
    const options = { memory: { thread: 't', resource: 'r' } };
    await runAgent(quiet(hookedAgent(config, hooks)), 'Go', streaming, options);
    expect(readByModel(server)).toEqual({ c1: 'withheld' });
  });
});
