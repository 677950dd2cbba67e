import type { Answer } from '@hooks/conformance';
import { BeforeToolCall, createHooks, requireApproval, type Session } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, test, vi } from 'vitest';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, runAgent, serve } from './fixtures.ts';

test('the pending call of a sub-agent is shown and answered by the id that Mastra knows, also in another process', async () => {
  const call = (id: string, name: string, input: object): Answer => ({
    toolCalls: [{ id, name, arguments: input }],
  });
  await using server = await serve(({ system, messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
    return system.includes('clerk')
      ? call('c1', 'add', { a: 1 })
      : call('d1', 'agent-clerk', { prompt: 'Add.' });
  });
  const { add, ran } = makeAdd();
  const storage = new InMemoryStore();
  const start = () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('add'), () => requireApproval('Sure?'));
    const model = modelOf(server);
    const define = (name: string) => ({ id: name, name, description: name, instructions: name, model });
    const clerk = quiet(new Agent({ ...define('clerk'), tools: { add } }));
    const lead = quiet(hookedAgent({ ...define('lead'), agents: { clerk } }, hooks, { approval: 'native' }));
    new Mastra({ agents: { lead }, storage, logger: false });
    return lead;
  };
  const shown = { callId: 'd1', toolName: 'add', input: { a: 1 } };
  const lead = start();
  const result = await lead.generate('Go');
  expect(await pendingApprovals(result)).toEqual([expect.objectContaining({ ...shown, reason: 'Sure?' })]);
  expect(await pendingApprovals(await lead.listSuspendedRuns({}))).toEqual(await pendingApprovals(result));

  // Another process has only what Mastra has stored.
  vi.resetModules();
  const elsewhere = await import('../src/index.ts');
  const { runs } = await start().listSuspendedRuns({});
  expect(await elsewhere.pendingApprovals({ runs })).toEqual([expect.objectContaining(shown)]);
  const { runId = '' } = runs[0] ?? {};
  await start().approveToolCallGenerate({ runId, toolCallId: shown.callId });
  expect(ran).toHaveLength(1);
});

test('the pending calls of two sub-agents that are called at once are shown with their own ids and inputs', async () => {
  const names = ['first', 'second'];
  await using server = await serve(({ system }) => {
    const clerk = names.findIndex((name) => system.includes(name));
    if (clerk >= 0) return { toolCalls: [{ id: 'c', name: 'add', arguments: { a: clerk } }] };
    const calls = names.map((name) => ({ id: name, name: `agent-${name}`, arguments: { prompt: 'Add.' } }));
    return { toolCalls: calls };
  });
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('add'), () => requireApproval('Sure?'));
  const { add } = makeAdd();
  const model = modelOf(server);
  const define = (name: string) => ({ id: name, name, description: name, instructions: name, model });
  const clerk = (name: string) => quiet(new Agent({ ...define(name), tools: { add } }));
  const agents = { first: clerk('first'), second: clerk('second') };
  const lead = quiet(hookedAgent({ ...define('lead'), agents }, hooks, { approval: 'native' }));
  new Mastra({ agents: { lead }, storage: new InMemoryStore(), logger: false });
  await lead.generate('Go');
  expect(await pendingApprovals(await lead.listSuspendedRuns({}))).toEqual([
    expect.objectContaining({ callId: 'first', toolName: 'add', input: { a: 0 } }),
    expect.objectContaining({ callId: 'second', toolName: 'add', input: { a: 1 } }),
  ]);
});

describe.each([false, true])('a run that waits for a person (streamed: %s)', (streaming) => {
  test('inside of a sub-agent goes on after the sessions were closed; the sub-agent’s own approval stands', async () => {
    const turns: Record<string, readonly Answer[]> = {
      lead: callThenText('agent-clerk', { prompt: 'Add.' }),
      clerk: callThenText('add', { a: 1 }),
    };
    await using server = await serve(({ system, messages }) => {
      const answers = turns[system.includes('clerk') ? 'clerk' : 'lead'] ?? [];
      return answers[messages.some(({ role }) => role === 'tool') ? 1 : 0] ?? { text: '' };
    });
    const hooks = createHooks();
    const sessions = new Set<Session>();
    const log: string[] = [];
    hooks.on(BeforeToolCall, ({ session, toolName, resumed }) => {
      sessions.add(session);
      log.push(`${toolName} ${resumed?.decision ?? 'new'}`);
      return requireApproval('Sure?');
    });
    const { add, ran } = makeAdd();
    const model = modelOf(server);
    const define = (name: string) => ({ id: name, name, description: name, instructions: name, model });
    const clerk = quiet(new Agent({ ...define('clerk'), tools: { add } }));
    const lead = quiet(hookedAgent({ ...define('lead'), agents: { clerk } }, hooks, { approval: 'native' }));
    new Mastra({ agents: { lead }, storage: new InMemoryStore(), logger: false });
    const { runId } = await runAgent(lead, 'Go', streaming);
    const approve = async () => {
      const call = { runId, toolCallId: 'c1' };
      if (streaming) await (await lead.approveToolCall(call)).getFullOutput();
      else await lead.approveToolCallGenerate(call);
    };
    await approve();
    for (const session of sessions) await session.close();
    const [inner] = await pendingApprovals(await lead.listSuspendedRuns({}));
    const yes = { approved: true, hash: inner?.hash };
    const call = { runId, toolCallId: 'c1' } as never;
    if (streaming) await (await lead.resumeStream(yes, call)).getFullOutput();
    else await lead.resumeGenerate(yes, call);
    expect([ran.length, log]).toEqual([1, ['agent-clerk new', 'add new', 'agent-clerk allow', 'add allow']]);
  });
});
