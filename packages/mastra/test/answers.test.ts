import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  isHooksError,
  proceed,
  requireApproval,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import type { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, serve } from './fixtures.ts';

interface Setting {
  /** Who requires approval of the calls. Default: a hook. */
  readonly asks?: 'hook' | 'tool' | 'tool that no hook concerns';
  /** The calls of the model's answer. Default: one, `c0`. */
  readonly calls?: readonly { readonly id: string; readonly n: number }[];
  /** What the tool waits for once it runs. */
  readonly running?: PromiseLike<unknown>;
  /** What the model waits for before its second answer. */
  readonly answering?: PromiseLike<unknown>;
}

const thread = { memory: { thread: 't', resource: 'ann' } };
const of = (user: string) => ({ requestContext: new RequestContext([['user', user]]) as RequestContext });

/** A run of ann's that waits for her. Each agent that `make` gives is another object over the same storage. */
async function paused({
  asks = 'hook',
  calls = [{ id: 'c0', n: 0 }],
  running = Promise.resolve(),
  answering = Promise.resolve(),
}: Setting = {}) {
  const server = await serve(async ({ turn }) => {
    if (turn === 0) return { toolCalls: calls.map(({ id, n }) => ({ id, name: 'pay', arguments: { n } })) };
    await answering;
    return { text: 'Done.' };
  });
  const ran: number[] = [];
  const ended: string[] = [];
  const storage = new InMemoryStore();
  const make = () => {
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ n: z.number() }),
      requireApproval: asks !== 'hook',
      execute: async ({ n }) => {
        ran.push(n);
        await running;
        return `paid ${n}`;
      },
    });
    const hooks = createHooks();
    const [before, after] = [BeforeToolCall, AfterToolCall].map((event) =>
      event.matching(asks === 'tool that no hook concerns' ? 'another' : 'pay'),
    ) as [typeof BeforeToolCall, typeof AfterToolCall];
    hooks.on(before, (event) =>
      asks === 'hook' && Object(event.input).n === 0 ? requireApproval('Sure?') : proceed(),
    );
    hooks.observe(after, ({ status }) => void ended.push(status));
    const agent = hookedAgent(
      {
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        tools: { pay },
        memory: new Memory({ storage }),
      },
      hooks,
      {
        approval: 'native',
        principal: (context: { get(key: string): unknown }) => ({ id: String(context.get('user')) }),
      },
    );
    new Mastra({ agents: { agent }, storage, logger: false });
    return quiet(agent) as Agent;
  };
  const agent = make();
  const { runId = '' } = await agent.generate('Go', { ...thread, ...of('ann') } as never);
  return { server, agent, make, runId, ran, ended, [Symbol.asyncDispose]: () => server.close() };
}

type Answer = (agent: Agent, runId: string, approved: boolean, signal?: AbortSignal) => Promise<unknown>;

const call = (runId: string, signal?: AbortSignal) => ({
  ...{ runId, toolCallId: 'c0', ...of('ann') },
  ...(signal && { abortSignal: signal }),
});

const ways: Record<string, Answer> = {
  approveToolCallGenerate: (agent, runId, approved, signal) =>
    approved
      ? agent.approveToolCallGenerate(call(runId, signal))
      : agent.declineToolCallGenerate(call(runId, signal)),
  approveToolCall: async (agent, runId, approved, signal) => {
    const stream = await (approved
      ? agent.approveToolCall(call(runId, signal))
      : agent.declineToolCall(call(runId, signal)));
    return stream.getFullOutput();
  },
  resumeStream: async (agent, runId, approved, signal) => {
    const { toolCallId: _, ...options } = call(runId, signal); // the only call that waits
    return (await agent.resumeStream({ approved }, options)).getFullOutput();
  },
};

/** How each of several answers at a time came out, and why those were refused that were. */
async function outcomes(answers: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(answers);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'counts';
    return isHooksError(one.reason) ? one.reason.message : one.reason;
  });
}

describe.each(Object.entries(ways))('of an approval and a denial at once (%s)', (_way, answer) => {
  describe.each(['this agent', 'another agent'])('of which one is given to %s', (whose) => {
    test.each([true, false])(
      'the first counts, and the other is refused (a yes first: %s)',
      async (first) => {
        await using p = await paused();
        const other = whose === 'this agent' ? p.agent : p.make();
        const came = await outcomes([answer(p.agent, p.runId, first), answer(other, p.runId, !first)]);
        expect(came.toSorted()).toEqual(
          [expect.stringMatching(/"c0".*(answered|approved|denied)/), 'counts'].toSorted(),
        );
        const yes = came[first ? 0 : 1] === 'counts';
        expect([p.ran, p.ended]).toEqual(yes ? [[0], ['ok']] : [[], ['denied']]);
      },
    );
  });
});
