import { BeforeToolCall, createHooks, type Principal, proceed, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { HookedOptions } from '../src/index.ts';
import { modelOf, quiet, serve } from './fixtures.ts';

const of = (user: string) => ({ requestContext: new RequestContext([['user', user]]) as RequestContext });

const principal = (context: Pick<RequestContext, 'get'>): Principal | undefined => {
  const id = context.get('user');
  return typeof id === 'string' ? { id } : undefined;
};

/** A lead that pays, or has its clerk pay. Each that `make` gives is in a process of its own over one storage. */
async function bank() {
  const server = await serve(({ messages, system, tools }) => {
    if (messages.at(-1)?.role === 'tool') return { text: 'Done.' };
    const [, user, way] = /(ann|bob) (pays|asks|waits)/.exec(JSON.stringify(messages)) ?? [];
    const asks = way === 'asks' && !system.includes('clerk');
    const name = asks ? 'agent-clerk' : way === 'waits' ? 'wait' : 'pay';
    const args = asks ? { prompt: `${user} pays` } : { from: user };
    expect(tools.map((tool) => tool.name)).toContain(name);
    return { toolCalls: [{ id: `of-${user}`, name, arguments: args }] };
  });
  const storage = new InMemoryStore();
  const ran: string[] = [];
  const make = async (
    options: Omit<HookedOptions, 'approval'> & { readonly approval?: null } = { principal },
    config: object = {},
    isHooked = true,
  ): Promise<Agent> => {
    vi.resetModules(); // what a process knows of its runs
    const { hookedAgent } = await import('../src/index.ts');
    const hooks = createHooks();
    if (isHooked) {
      hooks.on(BeforeToolCall.matching('pay|agent-.*'), () => requireApproval('Sure?'));
      hooks.guard(BeforeToolCall, () => proceed());
    }
    const wait = createTool({
      id: 'wait',
      description: 'Waits.',
      inputSchema: z.object({ from: z.string() }),
      suspendSchema: z.object({}),
      resumeSchema: z.object({ ok: z.boolean() }),
      execute: async ({ from }, { agent }) => {
        if (agent?.resumeData === undefined) return agent?.suspend({});
        return ran.push(`${from} waited`);
      },
    });
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ from: z.string() }),
      execute: async ({ from }) => ran.push(from),
    });
    const define = (id: string) => ({
      ...{ id, name: id, description: id, instructions: id, model: modelOf(server) },
      tools: { pay, wait },
    });
    const clerk = quiet(new Agent(define('clerk')));
    const team = { ...define('lead'), agents: { clerk }, ...config };
    const lead = quiet(
      hookedAgent(
        team,
        hooks,
        options.approval === null ? { principal } : ({ approval: 'native', ...options } as HookedOptions),
      ),
    );
    new Mastra({ agents: { lead }, storage, logger: false });
    return lead as Agent;
  };
  const stored = async (): Promise<readonly string[]> => {
    const { runs } = await (await storage.getStore('workflows'))!.listWorkflowRuns({});
    return runs.map(({ workflowName, runId }) => `${workflowName} ${runId}`);
  };
  return { make, ran, storage, stored, [Symbol.asyncDispose]: () => server.close() };
}

const approve = (agent: Agent, runId: string, user: string, call = user) =>
  agent.approveToolCallGenerate({ runId, toolCallId: `of-${call}`, ...of(user) });

describe('a paused run of a principal', () => {
  test('does not resume for others through an agent without the option `principal`', async () => {
    await using p = await bank();
    const { runId = '' } = await (await p.make()).generate('ann pays', of('ann'));
    const other = await p.make({});
    await expect(approve(other, runId, 'bob', 'ann')).rejects.toMatchObject({ status: 403 });
    expect(p.ran).toEqual([]);
  });

  test('does not resume for an answer that came before it was stored', async () => {
    await using p = await bank();
    const [one, other] = [await p.make(), await p.make()];
    const answer = approve(other, 'order-1', 'bob', 'ann');
    const started = one.generate('ann pays', { runId: 'order-1', ...of('ann') });
    await expect(answer).rejects.toThrow('could not find a suspended run');
    await started;
    await approve(await p.make(), 'order-1', 'ann');
    expect(p.ran).toEqual(['ann']);
  });

  test('does not resume for the owner of an earlier run of its id, which ended in another process', async () => {
    await using p = await bank();
    const [one, other] = [await p.make(), await p.make()];
    await one.generate('ann pays', { runId: 'order-1', ...of('ann') });
    await approve(other, 'order-1', 'ann');
    await other.generate('bob pays', { runId: 'order-1', ...of('bob') });
    await expect(approve(one, 'order-1', 'ann', 'bob')).rejects.toMatchObject({ status: 403 });
    await approve(other, 'order-1', 'bob');
    expect(p.ran).toEqual(['ann', 'bob']);
  });

  test.each(['the same process', 'another process'])(
    'of a sub-agent does not resume for others in %s, whatever a posted message says was suspended',
    async (where) => {
      await using p = await bank();
      const one = await p.make();
      const { runId = '' } = await one.generate('ann asks', of('ann'));
      await approve(one, runId, 'ann');
      const child = (await p.stored())
        .flatMap((row) => (row.startsWith('agentic-loop ') ? [row.slice('agentic-loop '.length)] : []))
        .find((id) => id !== runId);
      const agent = where === 'another process' ? await p.make() : one;
      const says = { toolCallId: 'of-bob', toolName: 'pay', parentToolName: 'agent-clerk' };
      const pendingToolApprovals = { 'of-bob': { ...says, type: 'approval', delegatedRunId: child } };
      const part = (text: string) => [{ type: 'text', text }];
      const posted = [
        ['assistant', { format: 2, parts: part('Hi'), metadata: { pendingToolApprovals } }],
        ['user', { format: 2, parts: part('bob asks') }],
      ].map(([role, content], at) => ({ id: `m${at}`, role, content, createdAt: new Date() }));
      const { runId: bobs = '' } = await agent.generate(posted as never, of('bob'));
      const { toolResults } = await approve(agent, bobs, 'bob');
      expect(JSON.stringify(toolResults)).not.toContain('Done.');
      expect(p.ran).toEqual([]);
      const { pendingApprovals } = await import('../src/index.ts');
      const { runs } = await one.listSuspendedRuns({});
      const [inner] = await pendingApprovals(runs.find((run) => run.runId === runId));
      const answer = { runId, toolCallId: inner?.callId, ...of('ann') };
      await one.resumeGenerate({ approved: true, hash: inner?.hash }, answer as never);
      expect(p.ran).toEqual(['ann']);
    },
  );
});

describe('a paused run of a principal that waits in another process', () => {
  test('does not resume for others through an agent without hooks', async () => {
    await using p = await bank();
    const { runId = '' } = await (await p.make()).generate('ann pays', of('ann'));
    const idle = await p.make({ principal, approval: null }, {}, false);
    await expect(approve(idle, runId, 'bob', 'ann')).rejects.toMatchObject({ status: 403 });
    expect(p.ran).toEqual([]);
    await approve(idle, runId, 'ann');
    expect(p.ran).toEqual(['ann']);
  });

  test('is stored as that of its principal before it is stored as paused, also where its tool has paused it', async () => {
    await using p = await bank();
    const store = (await p.storage.getStore('workflows'))!;
    const persist = store.persistWorkflowSnapshot.bind(store);
    const writes: string[] = [];
    store.persistWorkflowSnapshot = (run) => {
      writes.push(`${run.workflowName} ${run.snapshot.status}`);
      return persist(run);
    };
    const { runId = '' } = await (await p.make()).generate('ann waits', of('ann'));
    const owned = writes.findIndex((write) => write.startsWith('@hooks/mastra/owners'));
    expect(owned).toBeGreaterThanOrEqual(0);
    expect(writes.slice(0, owned).filter((write) => write.includes('suspended'))).toEqual([]);
    const other = await p.make();
    const answer = (user: string) =>
      other.resumeGenerate({ ok: true }, { runId, toolCallId: 'of-ann', ...of(user) } as never);
    await expect(answer('bob')).rejects.toMatchObject({ status: 403 });
    await answer('ann');
    expect(p.ran).toEqual(['ann waited']);
  });
});

describe('the id of a run', () => {
  test.each([true, false])(
    'is not taken from a paused run of another principal (by default: %s)',
    async (byDefault) => {
      await using p = await bank();
      const runId = 'order-1';
      const config = byDefault ? { defaultOptions: { runId } } : {};
      const given = byDefault ? {} : { runId };
      const one = await p.make({ principal }, config);
      await one.generate('ann pays', { ...given, ...of('ann') });
      for (const agent of [one, await p.make({ principal }, config), await p.make({}, config)])
        await expect(agent.generate('bob pays', { ...given, ...of('bob') })).rejects.toMatchObject({
          status: 403,
        });
      await approve(one, runId, 'ann');
      expect(p.ran).toEqual(['ann']);
    },
  );

  test('is taken by one of two principals who start at once in two processes', async () => {
    await using p = await bank();
    const users = ['ann', 'bob'];
    const agents = [await p.make(), await p.make()];
    const started = await Promise.allSettled(
      agents.map((agent, at) => agent.generate(`${users[at]} pays`, { runId: 'r', ...of(users[at] ?? '') })),
    );
    expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const at = started.findIndex(({ status }) => status === 'fulfilled');
    const [owner = '', other = ''] = at === 0 ? users : users.toReversed();
    const third = await p.make();
    await expect(approve(third, 'r', other, owner)).rejects.toMatchObject({ status: 403 });
    await approve(third, 'r', owner);
    expect(p.ran).toEqual([owner]);
  });

  test('can be given again once its run is over, and nothing of that stays in the storage', async () => {
    await using p = await bank();
    const agent = await p.make();
    for (const user of ['ann', 'bob']) {
      await agent.generate(`${user} pays`, { runId: 'r', ...of(user) });
      await approve(agent, 'r', user);
      expect(await p.stored()).toEqual([]);
    }
    expect(p.ran).toEqual(['ann', 'bob']);
  });
});

test('an owner that the storage failed to take is stored at the next pause', async () => {
  await using p = await bank();
  const store = (await p.storage.getStore('workflows'))!;
  const persist = store.persistWorkflowSnapshot.bind(store);
  let failures = 1;
  store.persistWorkflowSnapshot = async (run) => {
    if (run.workflowName.startsWith('@hooks/') && failures-- > 0) throw new Error('The disk is full.');
    return persist(run);
  };
  const { runId = '' } = await (await p.make()).generate('ann pays', of('ann'));
  const other = await p.make();
  await expect(approve(other, runId, 'bob', 'ann')).rejects.toMatchObject({ status: 403 });
  await approve(other, runId, 'ann');
  expect(p.ran).toEqual(['ann']);
});
