import { BeforeToolCall, createHooks, proceed, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

interface Setting {
  /** What the tool's own function says of the call. */
  readonly toolAsks: boolean;
  /** What the function says that the run was given; undefined without one. */
  readonly runAsks?: boolean;
}

/** An agent of one process: hooks of the inner registry pause its calls; the outer one has no approver. */
function start(server: { url: string }, storage: InMemoryStore, setting: Setting, outerRequires: boolean) {
  const { toolAsks, runAsks } = setting;
  const ran: unknown[] = [];
  const pay = createTool({
    id: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ to: z.string() }),
    ...(runAsks === undefined && { requireApproval: () => toolAsks }),
    execute: async (input) => {
      ran.push(input);
      return 'paid';
    },
  });
  const [inner, outer] = [createHooks(), createHooks()];
  inner.on(BeforeToolCall, () => requireApproval('It costs money.'));
  outer.on(BeforeToolCall, () => (outerRequires ? requireApproval('Nobody may.') : proceed()));
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { pay } };
  const agent = quiet(hookedAgent(hookedAgent(config, inner, { approval: 'native' }), outer));
  new Mastra({ agents: { agent }, storage, logger: false });
  const options = runAsks === undefined ? {} : { requireToolApproval: () => runAsks };
  return { agent, ran, options };
}

describe.each<[string, Setting, boolean]>([
  ['whose function says no', { toolAsks: false }, false],
  ['whose run has a function that says no', { toolAsks: false, runAsks: false }, false],
  ['whose function says yes', { toolAsks: true }, true],
  ['whose run has a function that says yes', { toolAsks: false, runAsks: true }, true],
])('a tool %s', (_name, setting, isMet) => {
  test.each([false, true])(
    "a yes in another process to what one registry's hooks ask lifts nothing that those of a registry without an approver require (streamed: %s)",
    async (streaming) => {
      await using server = await serve(callThenText('pay', { to: 'ann' }));
      const storage = new InMemoryStore();
      const first = start(server, storage, setting, false);
      const { runId, finishReason } = await runAgent(first.agent, 'Go', streaming, first.options);
      expect([finishReason, first.ran]).toEqual(['suspended', []]);
      const second = start(server, storage, setting, true);
      const answer = { runId, toolCallId: 'c1', ...second.options };
      if (streaming) await (await second.agent.approveToolCall(answer)).getFullOutput();
      else await second.agent.approveToolCallGenerate(answer);
      expect(second.ran).toEqual(isMet ? [{ to: 'ann' }] : []);
      expect(readByModel(server)['c1']).toContain(isMet ? 'paid' : 'Nobody may.');
    },
  );
});
