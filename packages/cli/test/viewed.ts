import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts `hooks view …` as a process and waits until it serves. */
export async function viewed(
  dir: string,
  ...args: readonly string[]
): Promise<<T>(path: string) => Promise<T>> {
  const child = spawn(process.execPath, ['--conditions=@hooks/source', main, 'view', ...args], {
    cwd: dir,
    env: { ...process.env, XDG_CONFIG_HOME: join(dir, '.config') },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [printed, complained] = ['', ''];
  child.stderr.on('data', (chunk) => {
    complained += chunk;
  });
  const address = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const found = /^Open (http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})\n/.exec(printed);
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(`it ended: ${complained}`)));
  });
  const [, origin = '', token = ''] = address;
  return async <T>(path: string): Promise<T> => {
    const response = await fetch(`${origin}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return response.json() as Promise<T>;
  };
}
