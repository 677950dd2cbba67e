import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer, toolResults } from '@hooks/conformance';
import { policedWorkspace } from './workspace.ts';

/*
 * Drives the real Codex with `hooks run` as its hook, as `drive-claude-code.ts` does with Claude Code:
 *
 *   npm install --prefix /some/where @openai/codex
 *   node --conditions=@hooks/source scripts/drive-codex.ts /some/where/node_modules/.bin/codex
 */

const [, , codex = 'codex'] = process.argv;
const { workspace, home, env, hooks } = policedWorkspace();
hooks('install', '--for', 'codex');
const read: string[] = [];
const server = await startModelServer({
  script: (request) => {
    read.push(...Object.values(toolResults(request)));
    if (request.turn > 0) return { text: 'Done.' };
    const shell = request.tools.find(({ name }) => /^(shell|shell_command|exec_command)$/.test(name));
    const command = 'rm -rf ./precious';
    const input =
      shell?.name === 'exec_command'
        ? { cmd: command }
        : { command: shell?.name === 'shell' ? ['bash', '-lc', command] : command };
    return shell
      ? { toolCalls: [{ name: shell.name, arguments: input }] }
      : { text: `no shell among ${request.tools.map(({ name }) => name)}` };
  },
});
writeFileSync(
  join(home, '.codex', 'config.toml'),
  `model = "gpt-5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${server.url}"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`,
);
const args = [
  'exec',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  '--dangerously-bypass-hook-trust',
  'Clean up.',
];
const said = await new Promise<string>((resolve) => {
  const child = execFile(
    codex,
    args,
    { cwd: workspace, env: { ...env, SCRIPTED_KEY: 'none' }, timeout: 120_000 },
    (error, stdout, stderr) => resolve(`${stdout}${stderr}${error ? String(error) : ''}`),
  );
  child.stdin?.end();
});
await server.close();

const blocked = read.some((result) => result.includes('rm is not allowed here'));
const there = existsSync(join(workspace, 'precious'));
console.log(`Codex said: ${said.trim().slice(-1500)}`);
console.log(`the model read: ${read.join('\n') || 'nothing'}`);
console.log(blocked && there ? 'BLOCKED, as it should be' : 'NOT BLOCKED');
process.exitCode = blocked && there ? 0 : 1;
