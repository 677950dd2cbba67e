import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from './registry.ts';
import { must } from './report.ts';
import { run } from './shell.ts';
import type { Manifest, Package } from './workspace.ts';

/**
 * Unpacks a package as it was published, and looks at everything in it. Throws with all that is wrong. `versions` are those of
 * all packages of this repository.
 */
export async function checkTarball(
  { folder, name }: Package,
  versions: ReadonlyMap<string, string>,
  registry: Registry,
  scratch: string,
): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'package.tgz'), await registry.tarball(name, versions.get(name) ?? ''));
  await run('tar', ['-xzf', 'package.tgz'], { cwd: scratch });
  const unpacked = join(scratch, 'package');
  const listed = await run('tar', ['-tzf', 'package.tgz'], { cwd: scratch });
  const files = listed
    .split('\n')
    .filter((file) => file !== '')
    .map((file) => file.replace(/^package\//, ''));
  const packed: Manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const problems = [
    ...filesThatShouldNotBe(files),
    ...filesMissing(files, name),
    ...brokenSourceMaps(files, unpacked),
    ...wrongFields(packed, folder),
    ...wrongRanges(packed, versions),
  ];
  must(problems.length === 0, `${name}: ${problems.join(`\n${name}: `)}`);
}

/** A source is in the tarball because maps lead to it, and so does "go to definition". */
const expected = [
  /^(package\.json|README\.md|LICENSE)$/,
  // Licence of what a package derives its data from.
  /^NOTICE$/,
  /^dist\/[\w./-]+\.(c?js|d\.ts)(\.map)?$/,
  /^dist\/bin\/THIRD-PARTY-NOTICES\.txt$/,
  // What agents run as their hook.
  /^(dist\/bin|src)\/hook\.sh$/,
  /^(dist\/bin|src\/warm)\/ask-worker\.pl$/,
  /^dist\/schemas\/[\w-]+\.json$/,
  // What `hooks view` serves.
  /^dist\/page\/(index\.html|page\.css|icon\.svg|THIRD-PARTY-NOTICES\.txt)$/,
  // The adapter that the guide for adapter authors works from.
  /^examples\/tiny(-harness)?[\w./-]*\.ts$/,
  /^src\/[\w./-]+\.ts$/,
];

function filesThatShouldNotBe(files: readonly string[]): string[] {
  return files
    .filter((file) => !expected.some((pattern) => pattern.test(file)) || /\.(test|test-d|bench)\./.test(file))
    .map((file) => `${file} is in the tarball and should not be; see "files" in package.json`);
}

/** What a package promises its users beside its code: the adapter and harness that the guide starts from. */
const promised: Readonly<Record<string, readonly string[]>> = {
  '@hooks/conformance': ['examples/tiny/adapter.ts', 'examples/tiny-harness.ts'],
};

function filesMissing(files: readonly string[], name: string): string[] {
  return ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', ...(promised[name] ?? [])]
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is not in the tarball`);
}

function brokenSourceMaps(files: readonly string[], unpacked: string): string[] {
  const there = new Set(files);
  return files
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => {
      const { sources = [] }: { sources?: string[] } = JSON.parse(readFileSync(join(unpacked, file), 'utf8'));
      return sources
        .map((source) => join(file, '..', source))
        .filter((source) => !there.has(source))
        .map((source) => `${file} leads to ${source}, which is not in the tarball`);
    });
}

function wrongFields(packed: Manifest, folder: string): string[] {
  const { license, description, sideEffects, engines, repository, publishConfig } = packed;
  const right: Readonly<Record<string, boolean>> = {
    'license: MIT': license === 'MIT',
    'a description': (description ?? '') !== '',
    'sideEffects: false': sideEffects === false,
    'engines.node: >=22.18': engines?.node === '>=22.18',
    'repository.url of git': /^git\+https:\/\/.+\.git$/.test(repository?.url ?? ''),
    'repository.directory, its own':
      repository?.directory !== undefined && folder.endsWith(repository.directory),
    'publishConfig.access: public': publishConfig?.access === 'public',
    'publishConfig.provenance: true': publishConfig?.provenance === true,
    'no export that leads to the sources': !JSON.stringify(packed.exports).includes('/src/'),
  };
  return Object.entries(right)
    .filter(([, holds]) => !holds)
    .map(([field]) => `package.json should have ${field}`);
}

function wrongRanges(packed: Manifest, versions: ReadonlyMap<string, string>): string[] {
  const text = JSON.stringify(packed);
  const left = ['workspace:', 'catalog:'].filter((protocol) => text.includes(`"${protocol}`));
  const ranges = Object.entries({ ...packed.dependencies, ...packed.peerDependencies });
  return [
    ...left.map((protocol) => `package.json still has "${protocol}" in it: publish with pnpm`),
    ...ranges
      .filter(([name, range]) => versions.has(name) && range !== `^${versions.get(name)}`)
      .map(([name, range]) => `asks for ${name} ${range}, which is published as ${versions.get(name)}`),
  ];
}
