import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConsumer, type Surroundings } from './consumer.ts';
import { checkContainer } from './container.ts';
import { startRegistry } from './registry.ts';
import { build, checkPrerelease, checkPublishing, checkVersioning, type Release } from './release.ts';
import { conclude, createReport } from './report.ts';
import { run } from './shell.ts';
import { checkTarball } from './tarball.ts';
import { type Resolution, resolutions } from './types.ts';
import { copyRepository, publishedPackages, readVersions } from './workspace.ts';

/*
 * `pnpm release:check`: releases a copy of this repository to a registry on the loopback, and does with each package what
 * a stranger would. Nothing leaves this machine, and the working tree stays as it is.
 */

/** The lowest and the newest Node that CI knows; both from npm. */
const nodeVersions = ['22.23.3', '24.21.0'];

const managers = ['npm', 'pnpm'] as const;

const root = join(import.meta.dirname, '../..');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-release-')));
const report = createReport();
try {
  const copy = join(scratch, 'repository');
  await copyRepository(root, copy);
  const packages = publishedPackages(copy);
  await using registry = await startRegistry(join(scratch, 'registry'));
  const release: Release = { copy, packages, registry };
  await build(release, join(root, '.turbo/cache'), report);
  await checkVersioning(release, report);
  report.print();
  if (await checkPublishing(release, report)) {
    report.print();
    await checkTarballs(release);
    await checkConsumers(release);
    await report.check("the MCP gateway's container file: installs with npm, and its command starts", () =>
      checkContainer(join(root, 'apps/examples/mcp-gateway'), join(scratch, 'container'), registry),
    );
    await checkPrerelease(release, report);
  }
} finally {
  report.print();
  rmSync(scratch, { recursive: true, force: true });
}
conclude(join(root, '.turbo/release-check.json'));

async function checkTarballs({ packages, registry }: Release): Promise<void> {
  const versions = new Map(packages.map(({ name, manifest }) => [name, manifest().version]));
  for (const each of packages)
    await report.check(`${each.name}: its tarball has what it should and nothing else`, () =>
      checkTarball(each, versions, registry, join(scratch, 'tarballs', each.name)),
    );
  report.print();
}

async function checkConsumers({ copy, packages, registry }: Release): Promise<void> {
  const nodes = new Map<string, string>();
  for (const version of nodeVersions) nodes.set(version, await findNode(version));
  const surroundings: Omit<Surroundings, 'resolutions'> = {
    registry,
    versions: readVersions(copy),
    nodes,
    tsc: join(copy, 'node_modules/.bin/tsc'),
    folder: join(scratch, 'projects'),
  };
  const projects = packages.flatMap((each, n) => managers.map((manager) => ({ each, manager, n })));
  const told = twoAtATime(projects, async ({ each, manager, n }) => {
    const own = createReport();
    if (isDrawn(manager, n))
      await checkConsumer(each, manager, { ...surroundings, resolutions: drawnResolutions(n) }, own);
    else own.skip(`${each.name} with ${manager}`, 'the other manager was drawn; HOOKS_RANDOM=1 tries both');
    return own;
  });
  for (const one of told) (await one).print();
}

/** With `HOOKS_RANDOM=1`, as on GitHub, both; otherwise each package with one, and with the other in the next part. */
function isDrawn(manager: (typeof managers)[number], n: number): boolean {
  const { HOOKS_RANDOM: times = '0', HOOKS_PART: part = '0' } = process.env;
  return Number(times) >= 1 || manager === managers[(n + Number(part)) % 2];
}

/** With `HOOKS_RANDOM=1` all; otherwise one for each package, and another one in the next part. */
function drawnResolutions(n: number): readonly Resolution[] {
  const { HOOKS_RANDOM: times = '0', HOOKS_PART: part = '0' } = process.env;
  return resolutions.filter((_, at) => Number(times) >= 1 || at === (n + Number(part)) % resolutions.length);
}

/** The path of a Node. */
async function findNode(version: string): Promise<string> {
  if (process.versions.node === version) return process.execPath;
  const path = await run('npx', ['-y', '-p', `node@${version}`, 'node', '-p', 'process.execPath'], {
    cwd: scratch,
  });
  return path.trim();
}

/** Starts one after the other, two under way at any time; the promises stand in the order of the items. */
function twoAtATime<T, R>(items: readonly T[], start: (item: T) => Promise<R>): readonly Promise<R>[] {
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  return items.map((item, n) => {
    const done = (lanes[n % 2] ?? Promise.resolve()).then(() => start(item));
    lanes[n % 2] = done;
    return done;
  });
}
