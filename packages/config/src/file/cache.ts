import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIALECTS } from '../dialects/all.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { userDirectory } from '../trust/directory.ts';
import { hash } from '../trust/hash.ts';
import type { HookFile } from './read.ts';

/**
 * Reads a file's text like `readHookFile`, and caches valid results, so that a program that starts for each hook loads
 * neither the YAML parser nor the schemas. The cache is in the trust directory: whoever can write there can run anything
 * already. An entry is only valid for this text and this version.
 */
export async function readCached(content: string, file: string, dialect?: DialectName): Promise<HookFile> {
  const path = join(userDirectory(), 'read', `${hash(`${dialect}:${file}`)}.json`);
  const key = JSON.stringify([version(), file, dialect, content]);
  const known = remembered(path, key);
  if (known) return known;

  const { readHookFile } = await import('./read.ts');
  const read = readHookFile(content, file, dialect);
  if (read.issues.length === 0) remember(path, { key, read: { ...read, dialect: read.dialect.name } });
  return read;
}

interface Stored {
  readonly key: string;
  readonly read: Omit<HookFile, 'dialect'> & { readonly dialect: DialectName };
}

function remembered(path: string, key: string): HookFile | undefined {
  try {
    const stored: Stored = JSON.parse(readFileSync(path, 'utf8'));
    return stored.key === key ? { ...stored.read, dialect: DIALECTS[stored.read.dialect] } : undefined;
  } catch {
    return undefined;
  }
}

/** Failures are ignored: without a cache entry, the file is read again next time. */
function remember(path: string, stored: Stored): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(stored), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {}
}

/** The version of the package that contains this file, bundled or not. */
function version(): unknown {
  const manifest = fileURLToPath(new URL('../../package.json', import.meta.url));
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
