import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiCheckedIn, apiNow, emitDeclarations } from '../scripts/api-snapshot.ts';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();

beforeAll(() => {
  const installed = join(folder, 'node_modules/@hooks/core');
  mkdirSync(installed, { recursive: true });
  // The package as installed, and, where `../../src` of the consumer is, another copy of it.
  emitDeclarations(join(folder, 'src'));
  cpSync(join(folder, 'src'), join(installed, 'dist'), { recursive: true });
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: '@hooks/core', type: 'module', exports: { '.': { types: './dist/index.d.ts' } } }),
  );
  cpSync(join(packageFolder, 'test/consumer'), join(folder, 'test/consumer'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

describe.each([
  ['TypeScript 7', join(packageFolder, 'node_modules/typescript/bin/tsc')],
  ['TypeScript 5.4, the oldest that has NoInfer', join(packageFolder, 'node_modules/typescript-5.4/bin/tsc')],
])('%s', (_, tsc) => {
  it.each(['nodenext', 'preserve'])(
    'takes the declarations, also of two copies of core, and refuses what must not compile (module %s)',
    (module) => {
      const options = [
        '--noEmit',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--target',
        'es2022',
        '--lib',
        'es2023,esnext.disposable,dom',
        '--module',
        module,
      ];
      const consumers = ['consumer', 'principal', 'two-copies'].map((name) => `test/consumer/${name}.ts`);
      const resolution = module === 'preserve' ? ['--moduleResolution', 'bundler'] : [];
      const compile = () =>
        execFileSync(process.execPath, [tsc, ...options, ...resolution, ...consumers], {
          cwd: folder,
          encoding: 'utf8',
          stdio: 'pipe',
        });
      try {
        compile();
      } catch (error) {
        expect((error as { readonly stdout: string }).stdout).toBe('');
      }
    },
  );
});

it('the public types are those of api.snapshot.txt (pnpm --filter @hooks/core generate)', () => {
  expect(apiNow()).toBe(apiCheckedIn());
});
