import { AsyncLocalStorage } from 'node:async_hooks';
import { BeforeToolCall, createHooks, type Principal, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import type { Agent, AgentConfig } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { callThenText, modelOf, quiet, serve } from './fixtures.ts';

/** A user as a session library gives it: what is stored of it tells no id. */
class User {
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  getId() {
    return this.#id;
  }
}

type Context = Pick<RequestContext, 'get'>;

/** How a program may read a user whom Mastra's storage cannot keep. */
const readers: Record<string, (context: Context) => Principal | undefined> = {
  'fails on what is stored': (context) => {
    const user = context.get('user') as User | undefined;
    return user && { id: user.getId() };
  },
  'finds nobody in what is stored': (context) => {
    const user: unknown = context.get('user');
    return user instanceof User ? { id: user.getId() } : undefined;
  },
};

const contextOf = (user?: string) =>
  new RequestContext(user === undefined ? [] : [['user', new User(user)]]) as RequestContext;

/** Reads a stream to its end. */
async function drained(output: unknown): Promise<void> {
  await (output as { consumeStream?(): Promise<void> }).consumeStream?.();
}

interface Paying {
  readonly server: Awaited<ReturnType<typeof serve>>;
  readonly storage: InMemoryStore;
  /** What has run. */
  readonly ran: string[];
  readonly principal: (context: Context) => Principal | undefined;
  readonly defaultOptions?: AgentConfig['defaultOptions'];
}

/** Another object of one agent, which pays if a person approves, over the same storage. */
async function payingAgent({ server, storage, ran, principal, defaultOptions }: Paying): Promise<Agent> {
  const { hookedAgent } = await import('../src/index.ts');
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
  const pay = createTool({
    id: 'pay',
    description: 'Pays.',
    inputSchema: z.object({}),
    execute: async () => ran.push('pay'),
  });
  const config = {
    ...{ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { pay } },
    ...(defaultOptions && { defaultOptions }),
  };
  const agent = quiet(hookedAgent(config as AgentConfig, hooks, { approval: 'native', principal }));
  new Mastra({ agents: { agent }, storage, logger: false });
  return agent as Agent;
}

/** A run that waits for its user. Each agent that `make` gives is another object over the same storage. */
async function paused(principal: (context: Context) => Principal | undefined, user: string | null = 'ann') {
  const server = await serve(callThenText('pay', {}));
  const ran: string[] = [];
  const paying = { server, storage: new InMemoryStore(), ran, principal };
  const make = () => payingAgent(paying);
  const agent = await make();
  const { runId = '' } = await agent.generate('Go', { requestContext: contextOf(user ?? undefined) });
  return { make, runId, ran, [Symbol.asyncDispose]: () => server.close() };
}

type Answer = (agent: Agent, options: { runId: string; toolCallId: string }) => Promise<unknown>;

const ways: Record<string, Answer> = {
  approveToolCallGenerate: (agent, options) => agent.approveToolCallGenerate(options),
  approveToolCall: (agent, options) => agent.approveToolCall(options),
  resumeGenerate: (agent, options) => agent.resumeGenerate({ approved: true }, options),
};

describe.each(Object.entries(readers))('a paused run whose principal option %s', (_reads, principal) => {
  describe.each(Object.entries(ways))('(%s)', (_way, answer) => {
    test('resumes for its own user alone through another agent object of the process', async () => {
      await using p = await paused(principal);
      const agent = await p.make();
      const call = { runId: p.runId, toolCallId: 'c1' };
      for (const context of [{}, { requestContext: contextOf() }, { requestContext: contextOf('bob') }])
        await expect(answer(agent, { ...call, ...context })).rejects.toMatchObject({
          status: 403,
          message: expect.stringContaining('another principal'),
        });
      expect(p.ran).toEqual([]);
    });

    test('resumes for its own user alone in another process', async () => {
      await using p = await paused(principal);
      vi.resetModules(); // what the process knows of its runs
      const agent = await p.make();
      const call = { runId: p.runId, toolCallId: 'c1' };
      for (const context of [{}, { requestContext: contextOf() }, { requestContext: contextOf('bob') }])
        await expect(answer(agent, { ...call, ...context })).rejects.toMatchObject({
          status: 403,
          message: expect.stringContaining('another principal'),
        });
      expect(p.ran).toEqual([]);
      await drained(await answer(agent, { ...call, ...{ requestContext: contextOf('ann') } }));
      expect(p.ran).toEqual(['pay']);
    });

    test('of nobody resumes for nobody alone in another process', async () => {
      await using p = await paused(principal, null);
      vi.resetModules();
      const agent = await p.make();
      const call = { runId: p.runId, toolCallId: 'c1' };
      await expect(answer(agent, { ...call, ...{ requestContext: contextOf('bob') } })).rejects.toMatchObject(
        { status: 403 },
      );
      expect(p.ran).toEqual([]);
      await drained(await answer(agent, call));
      expect(p.ran).toEqual(['pay']);
    });
  });

  test('keeps its id from the runs of others in another process', async () => {
    await using p = await paused(principal);
    vi.resetModules();
    const agent = await p.make();
    for (const user of [undefined, 'bob'])
      await expect(
        agent.generate('Go', { runId: p.runId, requestContext: contextOf(user) }),
      ).rejects.toMatchObject({ status: 403 });
  });
});

describe('a paused run whose request context other runs share', () => {
  const als = new AsyncLocalStorage<string>();
  const principal = (): Principal | undefined => {
    const id = als.getStore();
    return id === undefined ? undefined : { id };
  };

  test.each([true, false])('keeps its owner in another process (context given: %s)', async (given) => {
    await using server = await serve(({ messages }) =>
      JSON.stringify(messages).includes('Hello') || messages.at(-1)?.role === 'tool'
        ? { text: 'Done.' }
        : { toolCalls: [{ id: 'c1', name: 'pay', arguments: {} }] },
    );
    const ran: string[] = [];
    const shared = new RequestContext([['region', 'eu']]) as RequestContext;
    const context = given ? { requestContext: shared } : {};
    const defaultOptions = { requestContext: shared };
    const paying = { server, storage: new InMemoryStore(), ran, principal, defaultOptions };
    const make = () => payingAgent(paying);
    const agent = await make();
    const { runId = '' } = await als.run('ann', () => agent.generate('Pay', context));
    await als.run('bob', () => agent.generate('Hello', context));
    // Tools and models may read it.
    expect(JSON.stringify(shared.toJSON())).not.toMatch(/ann|hooks/);
    vi.resetModules();
    const other = await make();
    const answer = () => other.approveToolCallGenerate({ runId, toolCallId: 'c1', ...context });
    for (const as of [(act: typeof answer) => als.run('bob', act), (act: typeof answer) => act()])
      await expect(as(answer)).rejects.toMatchObject({ status: 403 });
    expect(ran).toEqual([]);
    await als.run('ann', answer);
    expect(ran).toEqual(['pay']);
  });
});
