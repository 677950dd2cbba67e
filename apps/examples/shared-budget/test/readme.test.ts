import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noRedis, startRedis } from '@hooks/testing/servers';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';

const here = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(here, 'README.md'), 'utf8');
const [programs = '', prints = ''] = [
  ...readme.matchAll(/^```(?:sh|text)\n(.*?)^```$/gms),
].map(([, block]) => block);

/** A copy of the example, as a reader has it. */
function copy(): string {
  const folder = temporaryFolder();
  for (const part of ['package.json', 'src'])
    cpSync(join(here, part), join(folder, part), { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function run(
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', programs], {
    cwd,
    env: { ...process.env, ...env },
  });
  return stdout.trim().split('\n').toSorted();
}

/** What the README says comes of it. */
function expectShared(lines: readonly string[]): void {
  expect(lines.filter((line) => line.includes('refund'))).toEqual(
    prints.trim().split('\n'),
  );
  const searches = lines.filter((line) => line.includes('search'));
  expect(searches.filter((line) => line.endsWith('search done'))).toHaveLength(
    4,
  );
  expect(
    searches.filter((line) =>
      line.includes('search blocked: Blocked (rate-limit'),
    ),
  ).toHaveLength(2);
}

test('two processes share a budget and an inbox on SQLite, as the README says', async () => {
  expectShared(await run(copy()));
});

test.skipIf(noRedis)(
  `two processes share a budget and an inbox on Redis after one line is changed${noRedis ? ` (not run: it ${noRedis})` : ''}`,
  async () => {
    await using server = await startRedis();
    const folder = copy();
    const file = join(folder, 'src/store.ts');
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = lines.map((line) =>
      line.startsWith('export')
        ? line.replace('./sqlite.ts', './redis.ts')
        : line,
    );
    expect(changed.filter((line, index) => line !== lines[index])).toHaveLength(
      1,
    );
    writeFileSync(file, changed.join('\n'));
    expectShared(await run(folder, { REDIS_URL: server.url }));
  },
);

test.each([
  'redis://ann:secret@no host',
  'http://ann:secret@127.0.0.1',
  'redis://ann:secret%@127.0.0.1',
])(
  'an agent ends with a sentence, and shows no password, where REDIS_URL is %s',
  async (REDIS_URL) => {
    const program = promisify(execFile)(process.execPath, ['src/redis.ts'], {
      cwd: copy(),
      env: {
        ...process.env,
        NODE_OPTIONS: '--conditions=@hooks/source',
        REDIS_URL,
      },
    });
    await expect(program).rejects.toMatchObject({
      code: 1,
      stderr: 'REDIS_URL has to be a URL, such as redis://127.0.0.1:6379.\n',
    });
  },
);
