import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DIALECTS } from '../dialects/all.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { HookFile } from './read.ts';

/**
 * Reads a file's text as `readHookFile` does, and remembers the result of a right one in the user's cache directory:
 * a program that starts for each hook then loads neither the YAML parser nor the schemas.
 */
export async function readCached(content: string, file: string, dialect?: DialectName): Promise<HookFile> {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hooks');
  const key = createHash('sha256')
    .update(JSON.stringify([FORMAT, file, dialect, content]))
    .digest('hex');
  const path = join(folder, `${key}.json`);
  const known = await readFile(path, 'utf8')
    .then(fromJson)
    .catch(() => undefined);
  if (known) return known;

  const { readHookFile } = await import('./read.ts');
  const read = readHookFile(content, file, dialect);
  if (read.issues.length === 0)
    await save(folder, path, { ...read, dialect: read.dialect.name }).catch(() => {});
  return read;
}

/** Goes up whenever entries change their form. */
const FORMAT = 1;

function fromJson(text: string): HookFile {
  const stored: Omit<HookFile, 'dialect'> & { readonly dialect: DialectName } = JSON.parse(text);
  return { ...stored, dialect: DIALECTS[stored.dialect] };
}

async function save(folder: string, path: string, file: object): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(file), { mode: 0o600 });
  await rename(temporary, path);
}
