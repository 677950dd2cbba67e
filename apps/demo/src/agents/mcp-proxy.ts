import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AfterModelCall, BeforeModelCall, UserPromptSubmit } from '@hooks/core';
import { gateway } from '@hooks/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent } from 'ai';
import type { DemoTool } from '../tools.ts';
import { type Framework, INSTRUCTIONS } from './index.ts';

/** An agent without hooks. Its tools are those of an MCP server, and hooks stand in between. */
export const mcpProxy: Framework = async ({ hooks, tools, model, task, approval, conversation }) => {
  // Its type does not know `exactOptionalPropertyTypes`.
  const serving = toNodeHandler(createMcpHandler(() => serverOf(tools))) as RequestListener;
  await using server = await listen(serving);
  const { handle, close } = gateway({
    hooks,
    upstreams: { demo: { url: server.url } },
    // The policy is for agents, too. What the proxy does not see stays theirs.
    allowUnsupported: [UserPromptSubmit.type, BeforeModelCall.type, AfterModelCall.type],
    ...(approval && { approval }),
  });
  await using proxy = await listen(handle);
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('demo', proxy.url)));
  try {
    const provider = createOpenAICompatible({ name: 'demo', baseURL: model.url, apiKey: model.apiKey });
    const agent = new ToolLoopAgent({
      model: provider(model.name),
      instructions: INSTRUCTIONS,
      tools: await toolsOf(client, conversation),
      stopWhen: isStepCount(12),
      maxRetries: 0,
    });
    return (await agent.generate({ prompt: task })).text;
  } finally {
    await client.close();
    close();
  }
};

function serverOf(tools: readonly DemoTool[]): McpServer {
  const server = new McpServer({ name: 'demo', version: '1.0.0' });
  for (const { name, description, parameters, execute } of tools)
    server.registerTool(name, { description, inputSchema: parameters }, async (input) => ({
      content: [{ type: 'text', text: await execute(input as never) }],
    }));
  return server;
}

/** The server's tools as those of an agent, which reads their texts. */
async function toolsOf(client: Client, conversation: string | undefined) {
  const { tools } = await client.listTools();
  return Object.fromEntries(
    tools.map(({ name, description = '', inputSchema }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema as object),
        execute: async (input) => {
          const { content } = await client.callTool({
            name,
            arguments: input as Record<string, unknown>,
            ...(conversation !== undefined && { _meta: { threadId: conversation } }),
          });
          return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
        },
      }),
    ]),
  );
}

/** Serves until it is disposed. */
async function listen(handle: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
