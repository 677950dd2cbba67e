import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startAnthropic } from './anthropic-server.ts';
import { policedWorkspace } from './workspace.ts';

/*
 * Drives the real Claude Code with `hooks run` as its hook, against a scripted model on the loopback, and looks whether
 * a call was blocked. For a maintainer, not for CI:
 *
 *   npm install --prefix /some/where @anthropic-ai/claude-code
 *   node --conditions=@hooks/source scripts/drive-claude-code.ts /some/where/node_modules/.bin/claude
 */

const [, , claude = 'claude'] = process.argv;
const { workspace, env, hooks } = policedWorkspace();
hooks('install', '--for', 'claude-code');
const server = await startAnthropic('rm -rf ./precious');
const settings = {
  ANTHROPIC_BASE_URL: server.url,
  ANTHROPIC_API_KEY: 'none',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
};
const said = await new Promise<string>((resolve) => {
  const args = ['-p', 'Clean up.', '--allowedTools', 'Bash'];
  const child = execFile(
    claude,
    args,
    { cwd: workspace, env: { ...env, ...settings }, timeout: 120_000 },
    (error, stdout, stderr) => resolve(`${stdout}${stderr}${error ? String(error) : ''}`),
  );
  child.stdin?.end();
});
server.close();

const blocked = server.results.some((result) => result.includes('rm is not allowed here'));
const there = existsSync(join(workspace, 'precious'));
console.log(`Claude Code said: ${said.trim()}`);
console.log(`the model read: ${server.results.join('\n') || 'nothing'}`);
console.log(blocked && there ? 'BLOCKED, as it should be' : 'NOT BLOCKED');
process.exitCode = blocked && there ? 0 : 1;
