import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import {
  Agent,
  type MCPServer,
  MemorySession,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

const spans: string[] = [];

setTracingDisabled(false);
setTraceProcessors([
  {
    onTraceStart: async () => {},
    onTraceEnd: async () => {},
    onSpanStart: async () => {},
    onSpanEnd: async (span) => void spans.push(JSON.stringify([span.toJSON(), span.spanData, span.error])),
    shutdown: async () => {},
    forceFlush: async () => {},
  },
]);

const hiding: readonly [name: string, hide: (hooks: Hooks) => void, read: string][] = [
  ['replaces', (hooks) => void hooks.on(TransformToolResult, () => modify({ output: '***' })), '***'],
  [
    'withholds',
    (hooks) => void hooks.on(AfterToolCall, () => block('secret')),
    'secret (The tool did run; its result is withheld.)',
  ],
];

/** Everything that a run leaves behind, as text. */
async function everything(hide: (hooks: Hooks) => void, agent: Agent) {
  await using s = await setup([{ toolCalls: [call('read', {})] }, { text: 'Done.' }]);
  spans.length = 0;
  const hooks = createHooks();
  hide(hooks);
  const session = new MemorySession();
  const runner = hookedRunner(new Runner({ modelProvider: s.runner.config.modelProvider }), hooks);
  const result = await runner.run(agent, 'go', { stream: true, session });
  const seen: string[] = [];
  for await (const event of result) seen.push(JSON.stringify(event));
  await result.completed;
  const left = [...seen, ...spans, result.state.toString(), JSON.stringify(await session.getItems())];
  return { read: results(s)['call_read'], left: left.join('\n') };
}

describe.each(hiding)('What a hook %s is not told beside the output either', (_name, hide, read) => {
  /** A server whose answers have more than a text. */
  const server: MCPServer = {
    name: 'files',
    cacheToolsList: false,
    useStructuredContent: true,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [
      {
        name: 'read',
        description: '',
        inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
      },
    ],
    callTool: async () => [{ type: 'text', text: 'hunter2' }],
    callToolResult: async () => ({
      content: [{ type: 'text', text: 'hunter2' }],
      structuredContent: { password: 'hunter2' },
      _meta: { password: 'hunter2' },
    }),
    customDataExtractor: ({ structuredContent, resultMeta }) => ({ structuredContent, resultMeta }),
  };

  test('as custom data of an MCP tool', async () => {
    const agent = () => new Agent({ name: 'A', mcpServers: [server] });
    const told = await everything((hooks) => void hooks.on(AfterToolCall, () => proceed()), agent());
    expect(told.left).toContain('hunter2');
    const hidden = await everything(hide, agent());
    expect(hidden.read).toBe(read);
    expect(hidden.left).not.toContain('hunter2');
  });

  test('as the error of a finished tool in the trace', async () => {
    const failing = tool({
      name: 'read',
      description: '',
      parameters: z.object({}),
      errorFunction: (_context, error) => `It failed: ${error}`,
      execute: () => {
        throw new Error('hunter2');
      },
    });
    const hidden = await everything(hide, new Agent({ name: 'A', tools: [failing] }));
    expect(hidden.read).toBe(read);
    expect(hidden.left).not.toContain('hunter2');
  });
});

test('The trace has no error that a hook has replaced, where the tool runs in the place of another', async () => {
  const failing = (name: string) =>
    tool({
      name,
      description: '',
      parameters: z.object({}),
      errorFunction: (_context, error) => `It failed: ${error}`,
      execute: () => {
        throw new Error('hunter2');
      },
    });
  const hide = (hooks: Hooks): void => {
    hooks.on(BeforeToolCall.matching('read'), () => modify({ toolName: 'look' }));
    hooks.on(TransformToolResult.matching('look'), () => modify({ output: '***' }));
  };
  const agent = new Agent({ name: 'A', tools: [failing('read'), failing('look')] });
  const hidden = await everything(hide, agent);
  expect(hidden.read).toBe('***');
  expect(hidden.left.includes('hunter2')).toBe(false);
});
