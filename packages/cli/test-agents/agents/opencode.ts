import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropic } from '../../src/drive/anthropic.ts';
import { startModel } from '../../src/drive/scripted-model.ts';
import type { RealAgent } from './real-agent.ts';

/** OpenCode. It has no settings for hooks, but plugins. */
export const opencode: RealAgent = {
  settings: ({ workspace }) => join(workspace, 'opencode.json'),
  ownSettings: { autoupdate: false, share: 'disabled', permission: { '*': 'allow' } },
  events: {},
  shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
  mcp: (tool, input) => ({ name: `stations_${tool}`, input }),
  startModel: (script) =>
    // It also asks for a title of the session, without tools.
    startModel(anthropic, (tools, results) =>
      tools.length === 0 ? { text: 'Title' } : script(tools, results),
    ),
  prepare: (url, { workspace, server }) => {
    const path = join(workspace, 'opencode.json');
    const options = { baseURL: `${url}/v1`, apiKey: 'none' };
    const settings = {
      ...JSON.parse(readFileSync(path, 'utf8')),
      model: 'anthropic/claude-sonnet-4-5',
      provider: { anthropic: { options, models: { 'claude-sonnet-4-5': {} } } },
      plugin: [`file://${join(workspace, 'hooks-plugin.ts')}`],
      mcp: server ? { stations: { type: 'local', command: [process.execPath, ...server] } } : {},
    };
    writeFileSync(path, JSON.stringify(settings));
  },
  args: (prompt) => ['run', prompt],
  env: () => ({
    // It installs a package from npm when it starts.
    ...{ HTTP_PROXY: '', HTTPS_PROXY: '' },
    npm_config_registry: execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim(),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  }),
};
