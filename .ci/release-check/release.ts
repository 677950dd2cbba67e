import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from './registry.ts';
import { must, type Report } from './report.ts';
import { run } from './shell.ts';
import { commit, type Package } from './workspace.ts';

/** The copy of the repository, what is published from it, and where to. */
export interface Release {
  readonly copy: string;
  readonly packages: readonly Package[];
  readonly registry: Registry;
}

/** A change that waits for its release: which packages, and what their changelogs are to say. */
interface Changeset {
  readonly file: string;
  readonly names: readonly string[];
  readonly summary: string;
}

/** Turns the changesets into versions and changelogs, as the release workflow does, and looks at both. */
export async function checkVersioning({ copy, packages }: Release, report: Report): Promise<void> {
  // What is checked is the next stable release, also while pre-releases are made.
  if (existsSync(join(copy, '.changeset/pre.json')))
    await run('pnpm', ['changeset', 'pre', 'exit'], { cwd: copy });
  const pending = pendingChangesets(copy);
  const before = new Map(packages.map(({ name, manifest }) => [name, manifest().version]));
  await report.check('changesets: name packages of this repository', () => {
    for (const { file, names } of pending)
      for (const name of names) must(before.has(name), `${file}: there is no package ${name}`);
  });
  await report.check('pnpm version-packages', async () => {
    await versionPackages(copy);
    must(pendingChangesets(copy).length === 0, 'it left changesets behind');
  });
  for (const { folder, name, manifest } of packages) {
    const changes = pending.filter(({ names }) => names.includes(name));
    if (changes.length === 0) continue;
    const { version } = manifest();
    await report.check(`${name}: version ${version} and a changelog that says why`, () => {
      must(version !== before.get(name), `its version is still ${version}`);
      const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
      must(
        changelog.startsWith(`# ${name}\n\n## ${version}\n`),
        `CHANGELOG.md does not begin with ${version}`,
      );
      for (const { file, summary } of changes)
        must(changelog.includes(summary), `CHANGELOG.md does not say what ${file} says`);
    });
  }
}

/**
 * Builds the packages of the copy. Versions are no part of what is built, so this comes before `checkVersioning`: what `pnpm check`
 * has built of the same sources then comes from turbo's cache.
 */
export async function build({ copy }: Release, cacheDir: string, report: Report): Promise<void> {
  await report.check('turbo run build', () =>
    run('pnpm', ['exec', 'turbo', 'run', 'build', '--filter=./packages/*', '--cache-dir', cacheDir], {
      cwd: copy,
    }),
  );
}

/**
 * Publishes all that has a new version, and looks at which versions the tags then name. Resolves to whether it is published.
 * With `HOOKS_RANDOM=1`, as on GitHub, `pnpm release` first builds and checks the packages again, with their new versions.
 */
export async function checkPublishing(release: Release, report: Report): Promise<boolean> {
  const { copy, packages, registry } = release;
  const script = Number(process.env['HOOKS_RANDOM'] ?? 0) >= 1 ? ['release'] : ['changeset', 'publish'];
  if (!(await publish(script, release, report))) return false;
  for (const { name, manifest } of packages)
    await report.check(
      `${name}: ${manifest().version} is published as latest, and tagged in git`,
      async () => {
        const { version } = manifest();
        expectTags(await registry.tags(name), { latest: version });
        const tag = `${name}@${version}`;
        must((await run('git', ['tag', '--list', tag], { cwd: copy })).trim() === tag, `no git tag ${tag}`);
      },
    );
  return true;
}

/** Goes once through the pre-release channel: in, a version of it, out again. `latest` moves with the last step only. */
export async function checkPrerelease(release: Release, report: Report): Promise<void> {
  const { copy, packages, registry } = release;
  const core = packages.find(({ name }) => name === '@hooks/core');
  must(core !== undefined, 'there is no @hooks/core');
  const stable = core.manifest().version;
  writeFileSync(
    join(copy, '.changeset/next.md'),
    `---\n'${core.name}': minor\n---\n\nA change that is tried first.\n`,
  );
  await version(copy, ['pre', 'enter', 'next']);
  const next = core.manifest().version;
  await publish(['changeset', 'publish'], release, report);
  await report.check(`pre-release: next is ${next}, latest is still ${stable}`, async () => {
    must(/-next\.0$/.test(next), `the version ${next} is none of the channel next`);
    expectTags(await registry.tags(core.name), { latest: stable, next });
  });
  await version(copy, ['pre', 'exit']);
  const released = core.manifest().version;
  await publish(['changeset', 'publish'], release, report);
  await report.check(`pre-release: out of the channel, ${released} is latest`, async () => {
    must(next.startsWith(`${released}-`), `${released} is not what ${next} announced`);
    expectTags(await registry.tags(core.name), { latest: released, next });
  });
}

async function version(copy: string, pre: readonly string[]): Promise<void> {
  await run('pnpm', ['changeset', ...pre], { cwd: copy });
  await versionPackages(copy);
}

/** What the release workflow does, up to the next checkout. */
async function versionPackages(copy: string): Promise<void> {
  await run('pnpm', ['version-packages'], { cwd: copy });
  await commit(copy, 'chore: versions');
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: copy });
}

async function publish(
  script: readonly string[],
  { copy, registry }: Release,
  report: Report,
): Promise<boolean> {
  writeFileSync(join(copy, '.npmrc'), registry.npmrc);
  const said = await report.check(`pnpm ${script.join(' ')}`, () => run('pnpm', script, { cwd: copy }));
  return said !== undefined;
}

function expectTags(
  tags: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, string>>,
): void {
  for (const [tag, version] of Object.entries(expected))
    must(tags[tag] === version, `the tag ${tag} names ${tags[tag]}, not ${version}`);
}

function pendingChangesets(copy: string): readonly Changeset[] {
  const folder = join(copy, '.changeset');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => {
      const [, head = '', summary = ''] =
        /^---\n(.*?)^---\n(.*)/ms.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      const names = [...head.matchAll(/^['"](.+)['"]:/gm)].map(([, name = '']) => name);
      return { file, names, summary: summary.trim().split('\n')[0] ?? '' };
    });
}
