import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readme = readFileSync(file('../README.md'), 'utf8');
const [start = '', commands = '', prints = ''] = [
  ...readme.matchAll(/^```(?:sh|text)\n(.*?)^```$/gms),
].map(([, block]) => block);
const [variables = '', ask = '', list = '', confirm = ''] =
  commands.split('\n');

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!hasCurl)(
  `the README's commands ask, list and confirm a payment${hasCurl ? '' : ' (not run: no curl)'}`,
  async () => {
    expect(start).toBe('pnpm start\n');
    const { scripts } = JSON.parse(
      readFileSync(file('../package.json'), 'utf8'),
    ) as {
      readonly scripts: { readonly start: string };
    };
    const folder = temporaryFolder();
    const stores = {
      STORAGE: `file:${join(folder, 'mastra.db')}`,
      STORE: join(folder, 'hooks.db'),
    };
    const program = spawn('sh', ['-ec', `exec ${scripts.start}`], {
      cwd: file('..'),
      env: { ...process.env, ...stores, PORT: '0', OPENAI_API_KEY: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [url] = await once(createInterface(program.stdout), 'line');
      const run = async (command: string): Promise<string> => {
        const script = `${variables}; url=${url}; ${command}`;
        return (await promisify(execFile)('sh', ['-ec', script])).stdout;
      };
      const asked: object = JSON.parse(await run(ask));
      const listed: readonly { runId: string; callId: string }[] = JSON.parse(
        await run(list),
      );
      expect(asked).toEqual({ text: '', approvals: listed });
      const [{ runId, callId } = { runId: '', callId: '' }] = listed;
      const ids = [runId, callId];
      const filled = confirm.replaceAll('…', () => ids.shift() ?? '');
      expect(`${await run(filled)}\n`).toBe(prints);
    } finally {
      program.kill();
    }
  },
);
