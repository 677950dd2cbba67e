import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVEN } from '../../src/drive/agents.ts';
import { gemini as wire } from '../../src/drive/gemini.ts';
import { startModel } from '../../src/drive/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

export const gemini: RealAgent = {
  settings: ({ home }) => join(home, '.gemini', 'settings.json'),
  ownSettings: {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    tools: { useRipgrep: false },
  },
  events: {
    start: 'SessionStart',
    prompt: 'BeforeAgent',
    call: 'BeforeTool',
    result: 'AfterTool',
    'failed result': 'AfterTool',
    stop: 'AfterAgent',
  },
  shell: DRIVEN.gemini.shell,
  mcp: (tool, input) => ({ name: `mcp_stations_${tool}`, input }),
  startModel: (script) => startModel(wire, script),
  prepare: (_, { home, server }) => {
    if (!server) return;
    const path = join(home, '.gemini', 'settings.json');
    const stations = { command: process.execPath, args: server };
    const settings = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...settings, mcpServers: { stations } }));
  },
  args: (prompt) => ['-m', 'gemini-2.5-pro', '-p', prompt, '--yolo', '--skip-trust'],
  env: DRIVEN.gemini.env,
};
