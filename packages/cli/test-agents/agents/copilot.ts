import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropic } from '../../src/drive/anthropic.ts';
import { startModel } from '../../src/drive/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

export const copilot: RealAgent = {
  settings: ({ workspace }) => join(workspace, '.github', 'hooks', 'hooks.json'),
  ownSettings: { version: 1 },
  entry: (command) => ({ type: 'command', bash: command, timeoutSec: 60 }),
  events: {
    start: 'sessionStart',
    prompt: 'userPromptSubmitted',
    call: 'preToolUse',
    approval: 'permissionRequest',
    result: 'postToolUse',
    'failed result': 'postToolUseFailure',
    stop: 'agentStop',
  },
  shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
  mcp: (tool, input) => ({ name: `stations-${tool}`, input }),
  startModel: (script) => startModel(anthropic, script),
  prepare: (_, { home, server }) => {
    if (!server) return;
    const stations = { type: 'local', command: process.execPath, args: server, tools: ['*'] };
    mkdirSync(join(home, '.copilot'), { recursive: true });
    writeFileSync(join(home, '.copilot', 'mcp-config.json'), JSON.stringify({ mcpServers: { stations } }));
  },
  args: (prompt, asks) => ['-p', prompt, '--trust-folder', ...(asks ? [] : ['--allow-all-tools'])],
  env: (url) => ({
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'claude-sonnet-4',
    COPILOT_OFFLINE: 'true',
  }),
};
