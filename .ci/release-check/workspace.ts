import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { run } from './shell.ts';

/** What this check reads of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly sideEffects?: unknown;
  readonly engines?: { readonly node?: string };
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package that is published. */
export interface Package {
  /** Its folder in the copy. */
  readonly folder: string;
  readonly name: string;
  readonly readme: string;
  /** As it stands now: versions change under way. */
  readonly manifest: () => Manifest;
}

/** The versions that this repository is tested with. */
export interface Versions {
  /** Name and lowest version of a dependency, to be installed. Throws where the catalog does not have it. */
  readonly pin: (name: string) => string;
  readonly overrides: Readonly<Record<string, string>>;
  readonly allowBuilds: Readonly<Record<string, boolean>>;
}

/** Copies what git knows of, or would, and makes it a repository of its own with its dependencies installed. */
export async function copyRepository(root: string, copy: string): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const deleted = await run('git', ['ls-files', '-z', '--deleted'], { cwd: root });
  const gone = new Set(deleted.split('\0'));
  for (const file of listed.split('\0').filter((name) => name !== '' && !gone.has(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy });
  // The repository's, since tags are made by changesets, on machines where nobody has said who they are.
  await run('git', ['config', 'user.name', 'release-check'], { cwd: copy });
  await run('git', ['config', 'user.email', 'release-check@localhost'], { cwd: copy });
  await commit(copy, 'chore: the repository');
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: copy });
}

/** Commits all that is there. */
export async function commit(copy: string, message: string): Promise<void> {
  await run('git', ['add', '--all'], { cwd: copy });
  await run('git', ['commit', '--quiet', '--no-verify', '-m', message], { cwd: copy });
}

/** The packages of the copy that are published, by name. */
export function publishedPackages(copy: string): readonly Package[] {
  return globSync('packages/*', { cwd: copy })
    .toSorted()
    .map((path) => {
      const folder = join(copy, path);
      const manifest = (): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      return { folder, name: manifest().name, readme, manifest };
    })
    .filter(({ manifest }) => manifest().private !== true);
}

/** Reads the catalog and the overrides. */
export function readVersions(copy: string): Versions {
  const file: Omit<Versions, 'pin'> & { readonly catalog: Readonly<Record<string, string>> } = parse(
    readFileSync(join(copy, 'pnpm-workspace.yaml'), 'utf8'),
  );
  const { catalog, overrides, allowBuilds } = file;
  return {
    overrides,
    allowBuilds,
    pin: (name) => {
      const version = catalog[name];
      if (version === undefined) throw new Error(`${name} is not in the catalog of pnpm-workspace.yaml`);
      return `${name}@${version.replace(/^\^/, '')}`;
    },
  };
}
