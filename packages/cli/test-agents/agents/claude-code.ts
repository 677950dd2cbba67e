import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVEN } from '../../src/drive/agents.ts';
import { anthropic } from '../../src/drive/anthropic.ts';
import { startModel } from '../../src/drive/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

export const claudeCode: RealAgent = {
  settings: ({ workspace }) => join(workspace, '.claude', 'settings.json'),
  ownSettings: {},
  events: {
    start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    call: 'PreToolUse',
    approval: 'PermissionRequest',
    result: 'PostToolUse',
    'failed result': 'PostToolUseFailure',
    stop: 'Stop',
  },
  shell: DRIVEN['claude-code'].shell,
  mcp: (tool, input) => ({ name: `mcp__stations__${tool}`, input }),
  startModel: (script) => startModel(anthropic, script),
  prepare: (_, { home, server }) => {
    const stations = { command: process.execPath, args: server };
    writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: server ? { stations } : {} }));
  },
  args: (prompt, asks, { home }) => [
    ...['-p', prompt, '--mcp-config', join(home, 'mcp.json')],
    ...(asks ? [] : ['--allowedTools', 'Bash,Read,Write,Edit,Agent,mcp__stations']),
  ],
  env: DRIVEN['claude-code'].env,
};
