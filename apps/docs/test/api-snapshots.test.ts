// The step of `pnpm check` that compares each package's public types with its api.snapshot.txt.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';

const repository = new URL('../../../', import.meta.url);
const script = fileURLToPath(new URL('.ci/api-snapshots.ts', repository));

/** Packages of which one is published, with these declarations. */
function packages(declarations: string): {
  readonly folder: string;
  readonly declare: (text: string) => void;
} {
  const folder = temporaryFolder();
  const dist = join(folder, 'acme/dist');
  mkdirSync(dist, { recursive: true });
  const publishConfig = { exports: { '.': { types: './dist/index.d.ts' } } };
  writeFileSync(join(folder, 'acme/package.json'), JSON.stringify({ name: '@acme/one', publishConfig }));
  const declare = (text: string) => writeFileSync(join(dist, 'index.d.ts'), text);
  declare(declarations);
  return { folder, declare };
}

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

test('a stale API snapshot fails the step of `pnpm check`, and a written one passes it', () => {
  const { folder, declare } = packages('/** Adds. */\nexport declare function add(a: number): number;\n');
  expect(run(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('@acme/one') });
  expect(run('--write', folder)).toMatchObject({ status: 0 });
  expect(run(folder)).toMatchObject({ status: 0, stderr: '' });
  declare('export declare function add(a: string): number;\n');
  expect(run(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('Run `pnpm api`') });

  const { scripts } = JSON.parse(readFileSync(new URL('package.json', repository), 'utf8'));
  expect(scripts.check).toMatch(/&& node \.ci\/api-snapshots\.ts$/);
});

test('an API snapshot shows the exports and what they use, whatever file it stands in', () => {
  const { folder, declare } = packages(
    'interface Sum { of: number }\nexport interface Hidden { x: 1 }\nexport declare function add(): Sum;\n',
  );
  const dist = join(folder, 'acme/dist');
  run('--write', folder);
  const snapshot = readFileSync(join(folder, 'acme/api.snapshot.txt'), 'utf8');
  expect(snapshot).toMatch(/^\/\/ index\nHidden\nadd\n/);
  writeFileSync(join(dist, 'parts.d.ts'), readFileSync(join(dist, 'index.d.ts')));
  declare("export { type Hidden, add } from './parts.ts';\n");
  expect(run(folder)).toMatchObject({ status: 0, stderr: '' });
  declare("export { add } from './parts.ts';\n");
  expect(run('--write', folder)).toMatchObject({ status: 0 });
  const smaller = readFileSync(join(folder, 'acme/api.snapshot.txt'), 'utf8');
  expect(smaller).toContain('interface Sum');
  expect(smaller).not.toContain('Hidden');
});

test.each(['Asks each hook once (DESIGN 3.5).', 'Fires late, see issue 12.', 'Formerly `hookedTool`.'])(
  'the hover text "%s" fails it',
  (comment) => {
    const { folder } = packages(`/** ${comment} */\nexport declare const one: 1;\n`);
    const { status, stderr } = run('--write', folder);
    expect(status).toBe(1);
    expect(stderr).toContain(comment);
  },
);
