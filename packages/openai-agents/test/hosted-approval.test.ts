import { createHooks, ToolEvent } from '@hooks/core';
import { Agent, type AgentOutputItem, hostedMcpTool, type Model, Runner, Usage } from '@openai/agents';
import { expect, test } from 'vitest';
import { hookedRunner, pendingApprovals } from '../src/index.ts';

test('A call of a hosted MCP server that waits for a person is shown with its input', async () => {
  const wanted = { name: 'wipe', arguments: '{"path":"a"}', server_label: 'files', id: 'request_1' };
  const asked: AgentOutputItem = {
    type: 'hosted_tool_call',
    id: wanted.id,
    name: wanted.name,
    status: 'in_progress',
    providerData: { ...wanted, type: 'mcp_approval_request' },
  };
  const model: Model = {
    getResponse: async () => ({ usage: new Usage(), output: [asked] }),
    getStreamedResponse: () => {
      throw new Error('not streamed here');
    },
  };
  const files = hostedMcpTool({
    serverLabel: 'files',
    serverUrl: 'https://files.test',
    requireApproval: 'always',
  });
  const hooks = createHooks({ onWarning: () => {} });
  hooks.observe(ToolEvent, () => {});
  const agent = new Agent({ name: 'A', model, tools: [files] });
  const result = await hookedRunner(new Runner(), hooks).run(agent, 'go');
  expect(await pendingApprovals(result)).toMatchObject([
    { callId: 'request_1', toolName: 'wipe', input: { path: 'a' } },
  ]);
});
