import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVEN } from '../../src/drive/agents.ts';
import { openai } from '../../src/drive/openai.ts';
import { startModel } from '../../src/drive/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

export const codex: RealAgent = {
  settings: ({ home }) => join(home, '.codex', 'hooks.json'),
  ownSettings: {},
  events: {
    start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    call: 'PreToolUse',
    approval: 'PermissionRequest',
    result: 'PostToolUse',
    stop: 'Stop',
  },
  shell: DRIVEN.codex.shell,
  mcp: (tool, input) => ({ namespace: 'mcp__stations', name: tool, input }),
  startModel: (script) => startModel(openai, script),
  prepare: (url, { home, server }) => {
    mkdirSync(join(home, '.codex'), { recursive: true });
    writeFileSync(join(home, '.codex', 'config.toml'), config(url) + stations(server));
  },
  args: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    // Without it, Codex skips untrusted hooks.
    '--dangerously-bypass-hook-trust',
    prompt,
  ],
  env: () => ({ SCRIPTED_KEY: 'none' }),
};

function config(url: string): string {
  return `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`;
}

/** The MCP server must be required, because others start in the background. JSON strings and lists are valid TOML. */
function stations(server: readonly string[] | undefined): string {
  if (!server) return '';
  return `[mcp_servers.stations]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(server)}
required = true
startup_timeout_sec = 60
`;
}
