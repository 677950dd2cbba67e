import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  isHooksError,
  proceed,
  requireApproval,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
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
  const broken = new Set<string>();
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
        model: () => {
          if (broken.size > 0) throw new Error('The model is broken.');
          return modelOf(server);
        },
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
  return { server, agent, make, runId, ran, ended, broken, [Symbol.asyncDispose]: () => server.close() };
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

/** Of an answer that names no call, Mastra says that the run waits for none. */
const LATE = /"c0" was approved|could not find a suspended run/;

const send = (agent: Agent, approved: boolean) =>
  agent.sendToolApproval({
    ...{ threadId: 't', resourceId: 'ann', toolCallId: 'c0', approved },
    ...of('ann'),
  } as never);

test.each(Object.entries(ways))(
  '%s lists the paused runs of the storage once, in this process and in another',
  async (_way, answer) => {
    for (const elsewhere of [false, true]) {
      await using p = await paused();
      const agent = elsewhere ? p.make() : p.agent;
      const list = agent.listSuspendedRuns.bind(agent);
      let listed = 0;
      agent.listSuspendedRuns = (...given) => {
        listed++;
        return list(...given);
      };
      await answer(agent, p.runId, true);
      expect([p.ran, listed]).toEqual([[0], elsewhere ? 1 : 0]);
    }
  },
);

describe('an answer that is sent to the thread', () => {
  test.each([true, false])('counts unless another one was first (a yes first: %s)', async (first) => {
    await using p = await paused();
    const generate = ways['approveToolCallGenerate'] as Answer;
    const came = await outcomes([generate(p.agent, p.runId, first), send(p.agent, !first)]);
    expect(came.filter((one) => one === 'counts')).toHaveLength(1);
    await expect.poll(() => p.ended).toHaveLength(1);
    const yes = (came[0] === 'counts') === first;
    expect([p.ran, p.ended]).toEqual(yes ? [[0], ['ok']] : [[], ['denied']]);
  });
});

describe.each(['hook', 'tool', 'tool that no hook concerns'] as const)(
  'approval that a %s requires',
  (asks) => {
    test.each(Object.entries(ways))('is not denied while the call runs (%s)', async (_way, answer) => {
      const running = Promise.withResolvers<void>();
      await using p = await paused({ asks, running: running.promise });
      const yes = answer(p.agent, p.runId, true);
      await expect.poll(() => p.ran).toEqual([0]);
      for (const agent of [p.agent, p.make()])
        for (const approved of [false, true])
          await expect(answer(agent, p.runId, approved)).rejects.toThrow(/"c0" has been answered/);
      running.resolve();
      await yes;
      for (const approved of [false, true])
        await expect(answer(p.agent, p.runId, approved)).rejects.toThrow(LATE);
      expect(p.ran).toEqual([0]);
    });

    test('is not given after it was denied', async () => {
      const answering = Promise.withResolvers<void>();
      await using p = await paused({ asks, answering: answering.promise });
      const no = p.agent.declineToolCallGenerate(call(p.runId));
      const yes = (agent: Agent) => agent.approveToolCallGenerate(call(p.runId));
      for (const agent of [p.agent, p.make()])
        await expect(yes(agent)).rejects.toThrow(/"c0" has been answered/);
      answering.resolve();
      await no;
      for (const agent of [p.agent, p.make()]) await expect(yes(agent)).rejects.toThrow(/"c0" was denied/);
      expect(p.ran).toEqual([]);
    });
  },
);

describe.each(Object.entries(ways))('an approval whose run is aborted (%s)', (_way, answer) => {
  test('before the call ran runs nothing, also if it is given again: Mastra has canceled the run', async () => {
    await using p = await paused();
    await answer(p.agent, p.runId, true, AbortSignal.abort()).catch(() => {});
    for (const agent of [p.agent, p.make()]) await expect(answer(agent, p.runId, true)).rejects.toThrow(LATE);
    expect(p.ran).toEqual([]);
  });

  test.each(['this agent', 'another agent'])(
    'while the call runs does not run it once more, nor can it be denied by %s',
    async (whose) => {
      const running = Promise.withResolvers<void>();
      await using p = await paused({ running: running.promise });
      const abort = new AbortController();
      const first = answer(p.agent, p.runId, true, abort.signal).catch(() => {});
      await expect.poll(() => p.ran).toEqual([0]);
      abort.abort();
      running.resolve();
      await first;
      const agent = whose === 'this agent' ? p.agent : p.make();
      await expect(answer(agent, p.runId, false)).rejects.toThrow(LATE);
      await answer(agent, p.runId, true).catch(() => {});
      expect(p.ran).toEqual([0]);
      const { messages } = p.server.requests.at(-1) ?? {};
      expect(JSON.stringify(messages)).not.toContain('not approved');
    },
  );
});

describe.each(['this agent', 'another agent'])('an approval that Mastra could not carry out', (whose) => {
  test.each(Object.entries(ways))(`may be given again to ${whose} (%s)`, async (_way, answer) => {
    await using p = await paused();
    p.broken.add('model');
    await expect(answer(p.agent, p.runId, true)).rejects.toThrow('The model is broken.');
    p.broken.clear();
    await answer(whose === 'this agent' ? p.agent : p.make(), p.runId, true);
    expect(p.ran).toEqual([0]);
  });
});

test('an approval is for its own call, and nothing to another call with the same id', async () => {
  const calls = [0, 1].map((n) => ({ id: 'c0', n }));
  await using p = await paused({ calls });
  await p.agent.approveToolCallGenerate(call(p.runId));
  expect(p.ran.toSorted()).toEqual([0, 1]);
});

describe.each(['this agent', 'another agent'])('the id of a run that waits (%s)', (whose) => {
  test('is not free for a run of another principal, and is for one of the same', async () => {
    await using p = await paused();
    const agent = whose === 'this agent' ? p.agent : p.make();
    for (const start of ['generate', 'stream'] as const)
      await expect(agent[start]('Go', { runId: p.runId, ...of('bob') })).rejects.toMatchObject({
        name: 'HooksError',
        message: expect.stringMatching(/No run can start under the id .* another principal/),
        status: 403,
      });
    await p.agent.approveToolCallGenerate(call(p.runId));
    expect(p.ran).toEqual([0]);
    await agent.generate('Go', { runId: p.runId, ...of('bob') });
  });
});

describe.each([true, false])('the calls of a sub-agent (a hook concerns its own call: %s)', (concerned) => {
  test.each(Object.entries(ways))('are answered each in turn, each once (%s)', async (_way, answer) => {
    await using server = await serve(({ system, messages }) => {
      const read = messages.filter(({ role }) => role === 'tool').length;
      if (!system.includes('clerk'))
        return read > 0
          ? { text: 'Done.' }
          : { toolCalls: [{ id: 'c0', name: 'agent-clerk', arguments: { prompt: 'Pay.' } }] };
      return read > 1
        ? { text: 'Paid.' }
        : { toolCalls: [{ id: `inner${read}`, name: 'pay', arguments: { n: read } }] };
    });
    const ran: number[] = [];
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ n: z.number() }),
      execute: async ({ n }) => ran.push(n),
    });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('pay'), () => requireApproval('Sure?'));
    if (concerned) hooks.on(BeforeToolCall.matching('agent-clerk'), () => proceed());
    const define = (name: string) => ({
      id: name,
      name,
      description: name,
      instructions: name,
      model: modelOf(server),
    });
    const clerk = quiet(new Agent({ ...define('clerk'), tools: { pay } }));
    const lead = quiet(
      hookedAgent({ ...define('lead'), agents: { clerk } }, hooks, { approval: 'native' }),
    ) as Agent;
    new Mastra({ agents: { lead }, storage: new InMemoryStore(), logger: false });
    const { runId = '' } = await lead.generate('Go');
    const both = () => outcomes([answer(lead, runId, true), answer(lead, runId, false)]);
    expect(await both()).toEqual(['counts', expect.stringMatching(/"c0" has been answered/)]);
    expect(ran).toEqual([0]);
    expect(await outcomes([answer(lead, runId, true)])).toEqual([expect.stringContaining('hash')]);
    expect(ran).toEqual([0]);
    const [next] = await pendingApprovals(await lead.listSuspendedRuns({}));
    const yes = () => lead.resumeGenerate({ approved: true, hash: next?.hash }, call(runId) as never);
    expect(await outcomes([yes(), yes()])).toEqual([
      'counts',
      expect.stringMatching(/"c0" has been answered/),
    ]);
    expect(ran).toEqual([0, 1]);
  });
});

test.each([true, false])(
  'what a tool waits for is told to it once (a hook concerns it: %s)',
  async (concerned) => {
    await using server = await serve([
      { toolCalls: [{ id: 'c0', name: 'pay', arguments: {} }] },
      { text: 'Done.' },
    ]);
    const asked: unknown[] = [];
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({}),
      execute: async (_input, { agent }) => {
        asked.push(agent?.resumeData);
        return asked.length < 3 ? agent?.suspend({}) : 'paid';
      },
    });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching(concerned ? 'pay' : 'another'), () => proceed());
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { pay } };
    const agent = quiet(hookedAgent(config, hooks)) as Agent;
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId = '' } = await agent.generate('Go');
    const tell = (by: string) => agent.resumeGenerate({ by }, { runId, toolCallId: 'c0' });
    for (const by of ['ann', 'bob'])
      expect(await outcomes([tell(by), tell('eve')])).toEqual([
        'counts',
        expect.stringMatching(/"c0" has been answered/),
      ]);
    expect(asked).toEqual([undefined, { by: 'ann' }, { by: 'bob' }]);
  },
);

test('the next call of a stream can be answered before the stream is over', async () => {
  const calls = [0, 1, 2].map((n) => ({ id: `c${n}`, n: 0 }));
  await using p = await paused({ calls });
  const approve = async () => {
    const stream = await p.agent.approveToolCall({ runId: p.runId, ...of('ann') });
    for await (const { type } of stream.fullStream) if (type === 'tool-call-approval') await approve();
  };
  await approve();
  expect(p.ran).toEqual([0, 0, 0]);
});
