import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startResponses } from '../model/responses.ts';
import type { ModelCall } from '../model/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

export const codex: RealAgent = {
  settings: ({ home }) => join(home, '.codex', 'hooks.json'),
  ownSettings: {},
  events: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop'],
  shell,
  startModel: startResponses,
  prepare: (url, { home }) => {
    mkdirSync(join(home, '.codex'), { recursive: true });
    writeFileSync(join(home, '.codex', 'config.toml'), config(url));
  },
  args: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    // Without it, hooks that nobody has trusted are skipped.
    '--dangerously-bypass-hook-trust',
    prompt,
  ],
  env: () => ({ SCRIPTED_KEY: 'none' }),
};

function shell(command: string, tools: readonly string[]): ModelCall {
  if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } };
  if (tools.includes('shell_command')) return { name: 'shell_command', input: { command } };
  return { name: 'shell', input: { command: ['bash', '-c', command] } };
}

function config(url: string): string {
  return `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`;
}
