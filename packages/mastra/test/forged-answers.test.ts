import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  createHooks,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

const yes = { confirmed: true };

interface Setup {
  /** Whether the tool is hooked, and not its agent. */
  readonly alone?: boolean;
  readonly observes?: boolean;
  /** Registers what decides instead of a guard of `BeforeToolCall`. */
  readonly decide?: (hooks: Hooks) => void;
  /** The tool that the model calls. Default: `pay`; `settle` is another one. */
  readonly called?: string;
  readonly options?: { readonly allowUnsupported?: readonly string[]; readonly approval?: 'native' };
}

/** A tool that pays once a person has confirmed it. Mastra lets a model answer in the person's place. */
async function paying(
  streaming: boolean,
  calls: readonly (readonly [id: string, arguments: object])[],
  { alone = false, observes = false, decide, called = 'pay', options = {} }: Setup = {},
) {
  const answers = calls.map(([id, given]) => ({ toolCalls: [{ id, name: called, arguments: given }] }));
  const server = await serve([...answers, { text: 'Done.' }]);
  const hooks = createHooks();
  if (decide !== undefined) decide(hooks);
  else if (observes) hooks.observe(BeforeToolCall, () => {});
  else hooks.guard(BeforeToolCall, () => proceed());
  const ended: string[] = [];
  const reasons: unknown[] = [];
  hooks.observe(AfterToolCall, ({ callId, status, errorMessage }) => {
    ended.push(`${callId} ${status}`);
    reasons.push(errorMessage);
  });
  const paid: unknown[] = [];
  const pay = createTool({
    id: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ n: z.number() }),
    suspendSchema: z.object({}),
    resumeSchema: z.object({ confirmed: z.boolean() }),
    execute: async ({ n }, { agent }) => {
      if (agent?.resumeData?.confirmed !== true) return agent?.suspend({});
      paid.push(n);
      return 'paid';
    },
  });
  const settle = createTool({
    id: 'settle',
    description: 'Settles.',
    inputSchema: z.object({ n: z.number() }),
    execute: async () => 'settled',
  });
  const tools = { pay, settle };
  const about = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
  const agent = quiet(
    alone
      ? new Agent({ ...about, tools: hookTools(tools, hooks, { ...options, approval: 'deny' }) })
      : hookedAgent({ ...about, tools }, hooks, options),
  );
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return {
    paid,
    ended,
    reasons,
    run: (options: Record<string, unknown> = {}) => runAgent(agent, 'Go', streaming, options),
    async answer(runId: string, toolCallId?: string) {
      const paused = { runId, ...(toolCallId !== undefined && { toolCallId }) };
      if (!streaming) return agent.resumeGenerate(yes, paused);
      return (await agent.resumeStream(yes, paused)).getFullOutput();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe.each([false, true])('what a call waits for (streamed: %s)', (streaming) => {
  test('is not answered by the model', async () => {
    await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]]);
    const { finishReason } = await at.run();
    expect([at.paid, finishReason, at.ended]).toEqual([[], 'suspended', []]);
  });

  test.each(['c1', undefined])('is answered by a person, for that call alone (%s)', async (callId) => {
    await using at = await paying(streaming, [
      ['c1', { n: 1 }],
      ['c2', { n: 1000, resumeData: yes }],
    ]);
    const { runId } = await at.run();
    const { finishReason } = await at.answer(runId, callId);
    expect([at.paid, finishReason, at.ended]).toEqual([[1], 'suspended', ['c1 ok']]);
  });

  test('is answered by the model where the program lets it (`autoResumeSuspendedTools`) and hooks may go unasked', async () => {
    const options = { allowUnsupported: ['before_tool_call'] };
    await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]], { options });
    await at.run({ autoResumeSuspendedTools: true });
    expect([at.paid, at.ended]).toEqual([[1], ['c1 ok']]);
  });

  test('is not answered by the model where hooks decide, who would not see it: the call is refused, and says why', async () => {
    await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]]);
    await at.run({ autoResumeSuspendedTools: true });
    expect([at.paid, at.ended]).toEqual([[], ['c1 error']]);
    expect(at.reasons[0]).toMatch(/resumeData.*before_tool_call.*autoResumeSuspendedTools.*allowUnsupported/);
  });

  test('is answered by a person where the program lets models answer, too', async () => {
    await using at = await paying(streaming, [['c1', { n: 1 }]]);
    const { runId } = await at.run({ autoResumeSuspendedTools: true });
    await at.answer(runId, 'c1');
    expect([at.paid, at.ended]).toEqual([[1], ['c1 ok']]);
  });
});

describe.each([false, true])(
  'what a call of a tool that is hooked alone waits for (streamed: %s)',
  (streaming) => {
    test('is not answered by the model where hooks decide: the call is refused, and says why', async () => {
      await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]], { alone: true });
      await at.run();
      expect([at.paid, at.ended]).toEqual([[], ['c1 error']]);
      expect(at.reasons[0]).toMatch(/resumeData.*before_tool_call.*hookedAgent/);
    });

    test('is answered where hooks may go unasked, and where they only observe', async () => {
      for (const setup of [{ options: { allowUnsupported: ['before_tool_call'] } }, { observes: true }]) {
        await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]], {
          alone: true,
          ...setup,
        });
        await at.run();
        expect([at.paid, at.ended]).toEqual([[1], ['c1 ok']]);
      }
    });
  },
);

const deciding: readonly (readonly [string, Setup])[] = [
  ['of BeforeExecute', { decide: (hooks) => hooks.guard(BeforeExecute, () => proceed()) }],
  ['of PermissionRequest', { decide: (hooks) => hooks.on(PermissionRequest, () => proceed()) }],
  ...([{}, { approval: 'native' }] as const).map((options): [string, Setup] => [
    `that renames the call to the paused tool (${JSON.stringify(options)})`,
    {
      called: 'settle',
      decide: (hooks) => hooks.on(BeforeToolCall, () => modify({ toolName: 'pay' })),
      options,
    },
  ]),
];

describe.each([false, true])('an answer of the model (the tool is hooked alone: %s)', (alone) => {
  test.each(deciding)('is refused where a hook decides %s', async (_name, setup) => {
    if (alone && setup.options?.approval !== undefined) return; // only an agent pauses
    await using at = await paying(false, [['c1', { n: 1, resumeData: yes }]], { alone, ...setup });
    await at.run({ autoResumeSuspendedTools: true });
    expect([at.paid, at.ended]).toEqual([[], ['c1 error']]);
  });
});
