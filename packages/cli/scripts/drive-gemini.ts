import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGemini } from './gemini-server.ts';
import { policedWorkspace } from './workspace.ts';

/*
 * Drives the real Gemini CLI with `hooks run` as its hook, as `drive-claude-code.ts` does with Claude Code:
 *
 *   npm install --prefix /some/where @google/gemini-cli
 *   node --conditions=@hooks/source scripts/drive-gemini.ts /some/where/node_modules/.bin/gemini
 */

const [, , gemini = 'gemini'] = process.argv;
const { workspace, home, env, hooks } = policedWorkspace();
const server = await startGemini('rm -rf ./precious');
mkdirSync(join(home, '.gemini'), { recursive: true });
const auth = { security: { auth: { selectedType: 'gemini-api-key' } } };
writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(auth));
hooks('install', '--for', 'gemini');

const args = ['-m', 'gemini-2.5-pro', '-p', 'Clean up.', '--yolo', '--skip-trust'];
const settings = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: server.url };
const said = await new Promise<string>((resolve) => {
  const options = { cwd: workspace, env: { ...env, ...settings }, timeout: 120_000 };
  const child = execFile(gemini, args, options, (error, stdout, stderr) =>
    resolve(`${stdout}${stderr}${error ? String(error) : ''}`),
  );
  child.stdin?.end();
});
server.close();

const blocked = server.results.some((result) => result.includes('rm is not allowed here'));
const there = existsSync(join(workspace, 'precious'));
console.log(`Gemini CLI said: ${said.trim().slice(-1500)}`);
console.log(`the model read: ${server.results.join('\n') || 'nothing'}`);
console.log(blocked && there ? 'BLOCKED, as it should be' : 'NOT BLOCKED');
process.exitCode = blocked && there ? 0 : 1;
