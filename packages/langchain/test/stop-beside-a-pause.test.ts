import { setImmediate } from 'node:timers/promises';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  PermissionRequest,
  proceed,
  requireApproval,
  UserInputRequired,
} from '@hooks/core';
import type { AIMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent, hooksMiddleware, pendingApprovals } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

const asksFirst = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'asks' },
  { name: 'read', arguments: { path: 'b' }, id: 'ends' },
);
const config = { configurable: { thread_id: 't1' } };
const enough = () => block('That is enough.', { stop: true });

/** Hooks by which the call `asks` has to be approved by a person; `told` counts who was asked. */
function asking(): { readonly hooks: Hooks; readonly told: unknown[] } {
  const hooks = createHooks();
  const told: unknown[] = [];
  hooks.on(BeforeToolCall, ({ callId }) => (callId === 'asks' ? requireApproval('It costs.') : proceed()));
  hooks.observe(UserInputRequired, () => void told.push('a person'));
  hooks.observe(AfterToolCall, ({ callId, status }) => void told.push(`${callId} ${status}`));
  return { hooks, told };
}

async function stage() {
  const at = await scripted(asksFirst);
  const { read, ran } = readTool();
  const checkpointer = new MemorySaver();
  const start = (hooks: Hooks, inner: readonly Hooks[] = []) =>
    createHookedAgent(
      {
        model: at.model,
        tools: [read],
        checkpointer,
        middleware: inner.map((one) => hooksMiddleware(one, { approval: 'native' })),
      },
      hooks,
      { approval: 'native' },
    );
  return { at, ran, start, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

describe('a Block with stop, beside a call that is to wait for a person', () => {
  test('is waited for, as long as hooks are being asked; then nobody is asked', async () => {
    await using on = await stage();
    const { hooks, told } = asking();
    const approving = Promise.withResolvers<void>();
    hooks.on(PermissionRequest, () => {
      approving.resolve();
      return proceed();
    });
    hooks.guard(BeforeToolCall, async ({ callId }) => {
      if (callId !== 'ends') return proceed();
      await approving.promise;
      await setImmediate();
      return enough();
    });
    const result = await on.start(hooks).invoke(user('go'), config);
    expect(await pendingApprovals(result)).toEqual([]);
    expect(blockReason(result)).toBe('That is enough.');
    expect(on.ran).toEqual([]);
    expect(on.at.server.requests).toHaveLength(1);
    expect(told).toEqual(['ends blocked', 'asks denied']);
  });

  test('is waited for in a run that is taken up in another process, where only some have an answer', async () => {
    await using on = await stage();
    const all = createHooks();
    all.on(BeforeToolCall, () => requireApproval('It costs.'));
    const paused = await on.start(all).invoke(user('go'), config);
    const { hash } = (await pendingApprovals(paused)).find(({ callId }) => callId === 'ends')!;
    const { hooks, told } = asking();
    hooks.guard(BeforeToolCall, async ({ callId }) => (callId === 'ends' ? enough() : proceed()));
    const resume = { ends: { decision: 'allow', hash } };
    const result = await on.start(hooks).invoke(new Command({ resume }), config);
    expect(await pendingApprovals(result)).toEqual([]);
    expect(blockReason(result)).toBe('That is enough.');
    expect(on.ran).toEqual([]);
    expect(told.toSorted()).toEqual(['asks denied', 'ends blocked']);
  });

  test.each(['allow', 'deny'] as const)(
    'takes effect once the person has answered, by %s, where the call begins only after the pause',
    async (decision) => {
      await using on = await stage();
      const { hooks } = asking();
      hooks.guard(BeforeToolCall, ({ callId }) => (callId === 'ends' ? enough() : proceed()));
      const agent = on.start(hooks);
      const paused = await agent.invoke(user('go'), { ...config, maxConcurrency: 1 });
      expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'asks' }]);
      const result = await agent.invoke(new Command({ resume: { asks: { decision } } }), config);
      expect(blockReason(result)).toBe('That is enough.');
      expect(on.ran).toEqual(decision === 'allow' ? [{ path: 'a' }] : []);
      expect(on.at.server.requests).toHaveLength(1);
    },
  );

  test('is waited for, also where it is one of another registry', async () => {
    await using on = await stage();
    const inner = createHooks();
    inner.guard(BeforeToolCall, async ({ callId }) => {
      await setImmediate();
      return callId === 'ends' ? enough() : proceed();
    });
    const { hooks, told } = asking();
    const result = await on.start(hooks, [inner]).invoke(user('go'), config);
    expect(await pendingApprovals(result)).toEqual([]);
    expect(blockReason(result)).toBe('That is enough.');
    expect(told).toEqual(['ends blocked', 'asks denied']);
  });
});

describe('a person is asked without waiting for', () => {
  test.each([
    ['allow', 'the same'],
    ['deny', 'the same'],
    ['allow', 'another'],
    ['deny', 'another'],
  ] as const)(
    'a tool that runs: what is decided of its result takes effect once the person has answered, by %s, in %s process',
    async (decision, process) => {
      await using at = await scripted(
        calls(
          { name: 'read', arguments: { path: 'a' }, id: 'asks' },
          { name: 'slow', arguments: {}, id: 'ends' },
        ),
      );
      const { hooks } = asking();
      const asked = Promise.withResolvers<void>();
      hooks.observe(UserInputRequired, () => asked.resolve());
      hooks.on(AfterToolCall, ({ callId }) => (callId === 'ends' ? enough() : proceed()));
      const slow = tool(
        async () => {
          await asked.promise;
          return 'done';
        },
        { name: 'slow', description: 'Takes its time.', schema: z.object({}) },
      );
      const tools = [readTool().read, slow];
      const checkpointer = new MemorySaver();
      const start = (by: Hooks) =>
        createHookedAgent({ model: at.model, tools, checkpointer }, by, { approval: 'native' });
      const paused = await start(hooks).invoke(user('go'), config);
      const [pending] = await pendingApprovals(paused);
      expect(pending?.callId).toBe('asks');
      const resume = { asks: { decision, hash: pending?.hash } };
      const by = process === 'another' ? asking().hooks : hooks;
      const result = await start(by).invoke(new Command({ resume }), config);
      expect(blockReason(result)).toBe('That is enough.');
      expect(at.server.requests).toHaveLength(1);
    },
  );

  test('a call that no hook concerns, one whose hook fails, or one that waits for a person, too', async () => {
    await using at = await scripted(
      calls(
        { name: 'read', arguments: { path: 'a' }, id: 'asks' },
        { name: 'free', arguments: {}, id: 'free' },
        { name: 'read', arguments: { path: 'b' }, id: 'fails' },
        { name: 'read', arguments: { path: 'c' }, id: 'waits' },
      ),
    );
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('read'), async ({ callId }) => {
      if (callId === 'fails') throw new Error('out of order');
      return requireApproval('It costs.');
    });
    const free = tool(() => 'free', { name: 'free', description: 'Free.', schema: z.object({}) });
    const agent = createHookedAgent(
      { model: at.model, tools: [readTool().read, free], checkpointer: new MemorySaver() },
      hooks,
      { approval: 'native' },
    );
    const paused = await agent.invoke(user('go'), config);
    const waiting = await pendingApprovals(paused); // in the order in which LangGraph's tasks ended
    expect(waiting.map(({ callId }) => callId).toSorted()).toEqual(['asks', 'waits']);
    const resume = { asks: { decision: 'allow' }, waits: { decision: 'allow' } };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect((messages.at(-1) as AIMessage).text).toBe('Done.');
    expect(resultsOf(at.server)).toMatchObject({ asks: 'content of a', free: 'free', waits: 'content of c' });
  });
});

test('an abort while hooks are asked about a call: nobody is asked about the one beside it', async () => {
  await using on = await stage();
  const { hooks, told } = asking();
  const abort = new AbortController();
  hooks.on(PermissionRequest, () => {
    abort.abort();
    return proceed();
  });
  hooks.guard(BeforeToolCall, async ({ callId }, { signal }) => {
    if (callId === 'ends') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return proceed();
  });
  await expect(on.start(hooks).invoke(user('go'), { ...config, signal: abort.signal })).rejects.toThrow();
  await hooks.settled();
  await setImmediate();
  expect(told).not.toContain('a person');
});
