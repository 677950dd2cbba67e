// What GitHub, Renovate and changesets are told, against what the repository has.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const repository = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');
const workspace = read('pnpm-workspace.yaml');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}
const packages: readonly Manifest[] = globSync('packages/*/package.json', { cwd: repository }).map((path) =>
  JSON.parse(read(path)),
);

test('CI tests every package in one job: what "others" leaves out, another job tests', () => {
  const filters = [...read('.github/workflows/ci.yml').matchAll(/--filter=(!?@hooks\/[\w-]+)(?=[\s'"])/g)];
  const named = filters.map(([, filter = '']) => filter);
  const leftOut = named.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  expect(leftOut.length).toBeGreaterThan(5);
  expect(named.filter((name) => !name.startsWith('!')).toSorted()).toEqual(leftOut.toSorted());
  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(leftOut));
});

test('each action is pinned by a commit', () => {
  const used = globSync('.github/{workflows,actions/*}/*.yml', { cwd: repository }).flatMap((path) =>
    [...read(path).matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/@[\da-f]{40}$/.test(action))).toEqual([]);
});

test('each job of a matrix has a cache of its own', () => {
  for (const path of globSync('.github/workflows/*.yml', { cwd: repository })) {
    const jobs = read(path).split(/^ {2}(?=[\w-]+:$)/m);
    for (const job of jobs.filter((text) => text.includes('matrix:')))
      expect(job, path).toMatch(/^ +cache: .*\$\{\{ (?:strategy|matrix)\./m);
  }
});

test('Renovate leaves the lowest versions and the catalogs of older ones alone', () => {
  const { packageRules } = JSON.parse(read('.github/renovate.json'));
  const left = packageRules
    .filter(({ enabled }: { enabled?: boolean }) => enabled === false)
    .flatMap((rule: Record<string, unknown>) => [rule['matchDepNames'] ?? [], rule['matchDepTypes'] ?? []])
    .flat();
  const aliases = [...workspace.matchAll(/^ {2}([\w.-]+): npm:/gm)].map(([, name]) => name);
  const [, catalogs = ''] = workspace.split(/^catalogs:$/m);
  const named = [...(catalogs.split(/^\w/m)[0] ?? '').matchAll(/^ {2}([\w-]+):$/gm)];
  const expected = [...aliases, ...named.map(([, name]) => `pnpm.catalog.${name}`)];
  expect(expected.length).toBeGreaterThan(4);
  expect(left.toSorted()).toEqual(expected.toSorted());
});

test('all published packages of a release have one version', () => {
  expect(JSON.parse(read('.changeset/config.json')).linked).toEqual([['@hooks/*']]);
  expect(packages.filter((one) => !one.private && !one.name.startsWith('@hooks/'))).toEqual([]);
});
