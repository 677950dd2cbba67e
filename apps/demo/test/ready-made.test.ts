import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { BeforeExecute, createHooks, type HookProvider } from '@hooks/core';
import { limits, maxIterations, pii, rateLimit, recommended, redactSecrets } from '@hooks/guards';
import { gateway, proxy } from '@hooks/mcp';
import { describe, expect, test } from 'vitest';
import { aiSdk } from '../src/agents/ai-sdk.ts';
import { langchain } from '../src/agents/langchain.ts';
import { mastra } from '../src/agents/mastra.ts';
import { openaiAgents } from '../src/agents/openai-agents.ts';
import { SECRET } from '../src/workplace.ts';
import { play } from './play.ts';

/* Policies that are not about one framework attach to all of them, without an option. */

const policies: Record<string, () => HookProvider> = {
  'recommended()': () => recommended(),
  'redactSecrets({ toolInput })': () => redactSecrets({ toolInput: true }),
  'pii()': () => pii({ kinds: { card: 'block', email: 'redact' } }),
  'limits of tool calls': () =>
    limits({ perRun: { toolCalls: 9, timeMs: 60_000 }, perTool: { read: { perRun: { toolCalls: 9 } } } }),
  'rateLimit of tool calls': () => rateLimit({ toolCalls: 9, cost: 9, toolCost: () => 1, windowMs: 60_000 }),
};

describe.each(Object.entries(policies))('%s', (name, policy) => {
  test.each([
    ['LangChain', langchain],
    ['OpenAI Agents', openaiAgents],
    ['Mastra', mastra],
    ['AI SDK', aiSdk],
  ] as const)('attaches to an agent of %s', async (_, framework) => {
    const { read, words } = await play(framework, {
      policy: (hooks) => hooks.use(policy()),
      calls: [['read', 'notes.txt']],
      does: () => `the key ${SECRET}`,
    });
    expect(words).toBe('done');
    if (/recommended|redact/.test(name)) expect(read.join()).not.toContain(SECRET);
  });

  test('attaches to the MCP proxy, which says what it leaves out', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (text) => warnings.push(text) });
    hooks.use(policy());
    const input = new PassThrough();
    input.end();
    const upstream = { command: process.execPath, args: ['--eval', 'process.stdin.resume()'] };
    expect(await proxy({ hooks, upstream, input, output: new PassThrough() })).toBe(0);
    // The proxy has all events of a tool call.
    const optional = hooks.list().filter(({ optional, event }) => optional && event !== BeforeExecute.type);
    expect(
      optional.every(({ id }) => warnings.some((text) => text.includes(`leaves out hook "${id}"`))),
    ).toBe(true);
    await gateway({ hooks, upstreams: {} }).close();
  });
});

test.each([
  ['redactSecrets', () => redactSecrets()],
  ['recommended', () => recommended()],
])('%s takes a secret out of what an MCP server says of itself', async (_, policy) => {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.use(policy());
  const instructions = `Use the key ${SECRET}, please.`;
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { instructions } });
  const server = `process.stdin.once('data', () => console.log(${JSON.stringify(answer)}))`;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const upstream = { command: process.execPath, args: ['--eval', server] };
  const over = proxy({ hooks, upstream, input, output });
  input.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  const [line] = await once(output, 'data');
  expect(JSON.parse(line).result.instructions).toMatch(/^Use the key \[REDACTED:[^\]]+\], please\.$/);
  input.end();
  await over;
});

test.each([
  ['maxIterations', () => maxIterations(3)],
  ['limits of model calls', () => limits({ perRun: { modelCalls: 3 } })],
  ['limits with the cost of models', () => limits({ perRun: { cost: 3 }, modelCost: () => 1 })],
  ['rateLimit of tokens', () => rateLimit({ tokens: 3, windowMs: 60_000 })],
])('%s, which the MCP proxy cannot hold, does not attach to it', (_, policy) => {
  const hooks = createHooks();
  hooks.use(policy());
  expect(() => gateway({ hooks, upstreams: {} })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_EVENT' }),
  );
});
