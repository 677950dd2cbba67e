import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@hooks/testing/temporary-folder';

/** `npx --no-install hooks` is our command line, on its sources; whoever is asked to look has looked. */
const functions = `
npm() { :; }
npx() { shift 2; [ "$1" != trust ] || set -- "$@" --yes; "$NODE" --conditions=@hooks/source "$HOOKS" "$@"; }
`;

/** Runs command lines that a text shows, in a folder; resolves to what they print, rejects where one fails. */
export async function runShell(code: string, cwd: string): Promise<string> {
  const home = temporaryFolder();
  const { stdout } = await promisify(execFile)('sh', ['-ec', functions + code], {
    cwd,
    env: {
      ...process.env,
      NODE: process.execPath,
      HOOKS: fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url)),
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
    },
  });
  return stdout;
}
