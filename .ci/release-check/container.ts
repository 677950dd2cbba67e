import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Registry } from './registry.ts';
import { run } from './shell.ts';

/**
 * Does what a container file says, without a container: runs its `RUN` in an empty folder, copies its files, and starts its command until
 * that listens.
 *
 * @param example the folder with the `Containerfile`
 * @param folder where the image's files go
 */
export async function checkContainer(example: string, folder: string, { npmrc }: Registry): Promise<void> {
  const lines = readFileSync(join(example, 'Containerfile'), 'utf8').split('\n');
  const all = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.npmrc'), npmrc);
  for (const command of all('RUN')) await run('sh', ['-ec', command], { cwd: folder });
  for (const copy of all('COPY'))
    for (const source of copy
      .split(' ')
      .filter((word) => !word.startsWith('--'))
      .slice(0, -1))
      copyFileSync(join(example, source), join(folder, basename(source)));
  const [program = '', ...args] = JSON.parse(all('CMD').at(-1) ?? '[]') as readonly string[];
  const env = {
    ...process.env,
    ...Object.fromEntries(all('ENV').map((one) => one.split('='))),
    ...{ NODE_OPTIONS: '', CLIENTS: '{"of-ann":"ann"}', HOST: '127.0.0.1', PORT: '0' },
  };
  const child = spawn(program, args, { cwd: folder, env, timeout: 60_000 });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The container's command ended: ${printed}`)));
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text: Buffer) => {
        printed += text;
        if (printed.includes('listening on port')) resolve();
      });
  }).finally(() => child.kill());
}
