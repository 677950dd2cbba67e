import { expect, test, vi } from 'vitest';
import { aiSdk } from '../src/agents/ai-sdk.ts';
import { langchain } from '../src/agents/langchain.ts';
import { mastra } from '../src/agents/mastra.ts';
import { mcpProxy } from '../src/agents/mcp-proxy.ts';
import { openaiAgents } from '../src/agents/openai-agents.ts';
import { showFlow } from '../src/flow.ts';

test('the demo asks the same question in four frameworks and behind the MCP proxy, and pays nobody else', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const frameworks = { mcpProxy, langchain, openaiAgents, mastra, aiSdk };
  expect(await showFlow(frameworks)).toBe(true);
  const lines = log.mock.calls.flat().filter((line) => String(line).includes('asked:'));
  log.mockRestore();
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('first seen in read_page("invoices.example/17")');
});
