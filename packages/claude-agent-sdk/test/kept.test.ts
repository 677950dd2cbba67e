import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { expect } from 'vitest';
import { type Block, bash, call, type Played, play, withClaude } from './fixtures.ts';

const SECRET = 'S3CR3T-42';
const IN_IMAGE = Buffer.from(SECRET).toString('base64');

/** Where Claude Code has stored the secret: paths in its folder, without what differs between sessions. */
function leaks({ options, messages, model }: Played): readonly string[] {
  const home = String(options.env?.['HOME']);
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const has = (text: string) => text.includes(SECRET) || text.includes(IN_IMAGE);
  return [
    ...files.filter((file) => has(readFileSync(file, 'latin1'))).map((file) => file.replace(/.*(?=\.)/, '')),
    ...messages.filter((message) => has(JSON.stringify(message))).map(({ type }) => type),
    ...model.requests.filter((request) => has(JSON.stringify(request))).map(() => 'request'),
  ];
}

const outside = {
  command: process.execPath,
  args: [fileURLToPath(new URL('mcp-server.ts', import.meta.url))],
  alwaysLoad: true,
};

function redacted(output: unknown, replace: (output: unknown) => unknown = () => 'REPLACED') {
  const hooks = createHooks({ onError: () => {} });
  hooks.on(TransformToolResult, ({ output: original }) => modify({ output: replace(original) }));
  return play([output as readonly Block[], 'done'], hooks, {
    options: { mcpServers: { outside }, includePartialMessages: true },
  });
}

const large = () => bash(`for i in $(seq 1 8000); do echo S3CR""3T-42; done`);

withClaude.concurrent('a large output of a command that a hook replaced is in no file', async () => {
  const played = await redacted([large()]);
  expect(played.model.read()).toEqual(['REPLACED']);
  expect(leaks(played)).toEqual([]);
});

withClaude.concurrent('the model is not told the file of an output that a hook redacted', async () => {
  const played = await redacted([large()], (output) => ({ ...(output as object), stdout: '***' }));
  expect(played.model.read()).toEqual(['***']);
  expect(leaks(played)).toEqual([]);
});

withClaude.concurrent.for(['plain', 'large', 'image'])(
  'a replaced result of a server in another process is kept nowhere: %s',
  async (tool) => {
    const played = await redacted([call(`mcp__outside__${tool}`)]);
    expect(played.model.read()).toEqual(['REPLACED']);
    expect(leaks(played)).toEqual([]);
  },
);

withClaude.concurrent(
  'structuredContent of a replaced result is in no message, and only in the transcript',
  async () => {
    const played = await redacted([call('mcp__outside__structured')]);
    expect(played.model.read()).toEqual(['REPLACED']);
    expect(leaks(played)).toEqual(['.jsonl']);
  },
);

withClaude.concurrent('a slow result of a server in another process is not told in a message', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('mcp__outside__slow'), () => modify({ output: 'REPLACED' }));
  const played = await play([[call('mcp__outside__slow')], [bash('sleep 2')], 'done'], hooks, {
    options: {
      mcpServers: { outside },
      env: { CLAUDE_AUTO_BACKGROUND_TASKS: '1', CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '300' },
    },
  });
  expect(played.model.read()[0]).toBe('REPLACED');
  expect(leaks(played)).toEqual([]);
});
