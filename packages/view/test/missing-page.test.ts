import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';

test('openView says how to get its page where nobody has built it', async () => {
  const clone = temporaryFolder();
  for (const name of ['src', 'package.json'])
    cpSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(clone, name), { recursive: true });
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(clone, 'node_modules'));
  const { openView }: typeof import('../src/index.ts') = await import(join(clone, 'src/index.ts'));
  await expect(openView({ journal: clone })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('pnpm --filter @hooks/view build:page'),
  });
});
