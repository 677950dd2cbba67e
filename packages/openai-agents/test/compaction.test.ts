import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AfterCompaction, BeforeCompaction, block, createHooks } from '@hooks/core';
import { Agent, MemorySession, OpenAIResponsesCompactionSession } from '@openai/agents';
import OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import { hookedRunner } from '../src/index.ts';
import { setup } from './setup.ts';

/** Answers what the provider's `responses.compact` would. */
async function startCompactor() {
  const requests = vi.fn();
  const server = createServer((request, response) => {
    requests(request.url);
    request.resume().once('end', () => {
      const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 11 };
      const output = [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'sealed' }];
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'c', output, usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none', maxRetries: 0 });
  return { client, requests, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

function compactingSession(client: OpenAI) {
  return new OpenAIResponsesCompactionSession({
    client,
    underlyingSession: new MemorySession(),
    compactionMode: 'input',
    shouldTriggerCompaction: ({ compactionCandidateItems }) => compactionCandidateItems.length > 0,
  });
}

test.each([true, false])(
  'The compaction of a session is told, and may be vetoed (veto: %s)',
  async (veto) => {
    await using compactor = await startCompactor();
    await using s = await setup([{ text: 'Hello.' }]);
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(BeforeCompaction, ({ reason, source }) => {
      log.push(`before ${reason} ${source}`);
      return block('keep it');
    });
    if (!veto) hooks.clear();
    hooks.observe(
      AfterCompaction,
      ({ inputTokens, outputTokens, summary }) =>
        void log.push(`after ${inputTokens} ${outputTokens} "${summary}"`),
    );
    const session = compactingSession(compactor.client);
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A' }), 'Hi.', { session });
    await hooks.settled();
    expect(log).toEqual(veto ? ['before threshold auto'] : ['after 9 2 ""']);
    expect(compactor.requests).toHaveBeenCalledTimes(veto ? 0 : 1);
    expect(JSON.stringify(await session.getItems()).includes('sealed')).toBe(!veto);
  },
);

test('A session that was used in a hooked run compacts as ever outside of it', async () => {
  await using compactor = await startCompactor();
  await using s = await setup([{ text: 'Hello.' }]);
  const hooks = createHooks();
  hooks.on(BeforeCompaction, () => block('keep it'));
  const session = compactingSession(compactor.client);
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A' }), 'Hi.', { session });
  await session.runCompaction({ force: true });
  expect(compactor.requests).toHaveBeenCalledOnce();
});
