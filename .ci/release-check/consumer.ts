import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { obstacleOf, prepareExample } from './example.ts';
import { createProject, install, type Manager } from './project.ts';
import { namesToInstall } from './readme.ts';
import type { Registry } from './registry.ts';
import type { Report } from './report.ts';
import { settings } from './settings.ts';
import { run } from './shell.ts';
import { checkTypes, type Resolution } from './types.ts';
import type { Package, Versions } from './workspace.ts';

/** What every scratch project is made with. */
export interface Surroundings {
  readonly registry: Registry;
  readonly versions: Versions;
  /** The Node of each version to be run on, by that version. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly tsc: string;
  /** Where the projects are made. */
  readonly folder: string;
  readonly resolutions: readonly Resolution[];
}

/**
 * Does with one package what a stranger would: installs it, imports it, requires it, runs the README's first example,
 * checks its types. With npm, what the README says to install and nothing else; with pnpm, every peer too.
 */
export async function checkConsumer(
  published: Package,
  manager: Manager,
  { registry, versions, nodes, tsc, folder, resolutions }: Surroundings,
  report: Report,
): Promise<void> {
  // npm refuses to install a package into a folder of the same name.
  const project = join(folder, manager, published.name, 'project');
  const label = `${published.name} with ${manager}`;
  const example = await report.check(`${label}: installs`, async () => {
    await createProject(project, registry, versions);
    const { withoutOptional = false } = settings[published.name] ?? {};
    await install(project, manager, whatToInstall(published, manager), versions, { withoutOptional });
    return prepareExample(project, published);
  });
  if (example === undefined) return;

  const entries = entriesOf(published, manager);
  writeFileSync(join(project, 'entries.mjs'), compareEntries(entries));
  for (const [version, node] of nodes) {
    const on = `${label} on Node ${version}`;
    await report.check(`${on}: import and require give the same of ${entries.join(', ')}`, () =>
      run(node, ['entries.mjs'], { cwd: project, node }),
    );
    const obstacle = await obstacleOf(published, project, node);
    for (const [form, runExample] of example.forms) {
      const name = `${on}: the README's first example as ${form}`;
      if (obstacle === '') await report.check(name, () => runExample(node));
      else report.skip(name, obstacle);
    }
  }
  await checkTypes({ folder: project, label, tsc, entries, sources: example.sources, resolutions }, report);
}

function whatToInstall({ name, readme, manifest }: Package, manager: Manager): readonly string[] {
  const peers = manager === 'npm' ? [] : Object.keys(manifest().peerDependencies ?? {});
  return [...namesToInstall(readme), ...peers, ...(settings[name]?.alsoInstall ?? []), '@types/node'];
}

/** Entries may need an optional peer, which is there with pnpm; the main one may not. */
function entriesOf({ name, manifest }: Package, manager: Manager): readonly string[] {
  const paths = Object.keys(manifest().exports).filter((path) => !/\*|package\.json$/.test(path));
  return (manager === 'npm' ? ['.'] : paths).map((path) => name + path.slice(1));
}

function compareEntries(entries: readonly string[]): string {
  return `import assert from 'node:assert';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const entry of ${JSON.stringify(entries)}) {
  const names = Object.keys(await import(entry));
  assert(names.length > 0, entry + ' exports nothing');
  assert.deepEqual(Object.keys(require(entry)), names, entry);
}
`;
}
