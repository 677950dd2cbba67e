import type { ModelServer } from '@hooks/conformance';
import {
  type Approver,
  BeforeToolCall,
  createHooks,
  grantApproval,
  type HooksError,
  PermissionRequest,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** Whoever is to say yes and fails has not said it. */

/** An agent whose one tool needs a person's yes, and what became of that. */
function asking(server: ModelServer, approval: Approver) {
  const errors: HooksError[] = [];
  const hooks = createHooks({ onError: (error) => errors.push(error) });
  const decided: unknown[] = [];
  hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
  hooks.observe(ToolApprovalDecision, (event) => void decided.push(event.approval));
  const { add, ran } = makeAdd();
  const spec = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
  return { agent: quiet(hookedAgent(spec, hooks, { approval })), hooks, ran, decided, errors };
}

describe.each([false, true])('approval that fails (streamed: %s)', (streaming) => {
  test('an approver that throws has denied, and the error is told of', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const deaf = () => Promise.reject(new Error('The phone is dead.'));
    const { agent, hooks, ran, decided, errors } = asking(server, deaf);
    await runAgent(agent, 'Go', streaming);
    await hooks.settled();
    expect([ran, decided]).toEqual([[], ['deny']]);
    expect(readByModel(server)['c1']).toContain('the approver failed');
    expect(errors).toMatchObject([{ code: 'APPROVER_FAILED', cause: { message: 'The phone is dead.' } }]);
  });

  test('an approver whose run is aborted has canceled, and is no error', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const abort = new AbortController();
    const { agent, hooks, ran, decided, errors } = asking(server, () => {
      abort.abort();
      return Promise.reject(new Error('The phone is dead.'));
    });
    await runAgent(agent, 'Go', streaming, { abortSignal: abort.signal }).catch(() => {});
    await hooks.settled();
    expect([ran, decided, errors]).toEqual([[], ['canceled'], []]);
  });

  test("a tool's own rule that throws wants approval; a grant lifts it", async () => {
    const ran: unknown[] = [];
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      requireApproval: () => {
        throw new Error('no rates today');
      },
      execute: async (input) => {
        ran.push(input);
        return 'paid';
      },
    });
    for (const granted of [false, true]) {
      await using server = await serve(callThenText('pay', { amount: 1 }));
      const hooks = createHooks();
      const asked: unknown[] = [];
      hooks.observe(PermissionRequest, ({ toolName }) => void asked.push(toolName));
      if (granted) hooks.on(PermissionRequest, () => grantApproval('It is little.'));
      const spec = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { pay } };
      const agent = quiet(hookedAgent(spec, hooks, { approval: 'native' }));
      new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      const { finishReason } = await runAgent(agent, 'Go', streaming);
      await hooks.settled();
      expect([asked, finishReason, ran]).toEqual(
        granted ? [['pay'], 'stop', [{ amount: 1 }]] : [['pay'], 'suspended', []],
      );
    }
  });
});
