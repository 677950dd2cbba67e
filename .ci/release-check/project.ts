import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Registry } from './registry.ts';
import { run } from './shell.ts';
import type { Versions } from './workspace.ts';

export type Manager = 'npm' | 'pnpm';

/**
 * Makes an empty project outside of any workspace, as `npm init -y` does, which takes `@hooks/*` from the registry on the
 * loopback. The only change: other packages come in the versions that this repository is tested with.
 */
export async function createProject(folder: string, registry: Registry, versions: Versions): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const overrides = Object.fromEntries(
    Object.entries(versions.overrides).filter(([name]) => !name.includes('>')),
  );
  await run('npm', ['init', '-y'], { cwd: folder });
  const file = join(folder, 'package.json');
  const manifest: object = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, overrides }, undefined, 2));
  writeFileSync(join(folder, '.npmrc'), registry.npmrc);
  // What was published a minute ago is too young for pnpm, unless it is told.
  const settings = { overrides, allowBuilds: versions.allowBuilds, minimumReleaseAgeExclude: ['@hooks/*'] };
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), stringify(settings));
}

/** Installs packages there; `@hooks/*` in a version or tag of its own, all else as this repository is tested with it. */
export async function install(
  folder: string,
  manager: Manager,
  names: readonly string[],
  versions: Versions,
  {
    tag = 'latest',
    withoutOptional = false,
  }: { readonly tag?: string; readonly withoutOptional?: boolean } = {},
): Promise<void> {
  const specs = [...new Set(names)].map((name) =>
    name.startsWith('@hooks/') ? `${name}@${tag}` : versions.pin(name),
  );
  const commands: Readonly<Record<Manager, readonly string[]>> = {
    npm: ['install', '--no-audit', '--no-fund', '--prefer-offline'],
    pnpm: ['add', '--prefer-offline'],
  };
  const optional: Readonly<Record<Manager, string>> = { npm: '--omit=optional', pnpm: '--no-optional' };
  const flags = withoutOptional ? [optional[manager]] : [];
  await run(manager, [...commands[manager], ...flags, ...specs], { cwd: folder });
}
