import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isTrusted, TrustStore, trustedPath } from '@hooks/config';
import { pathsOf } from '@hooks/config/load';
import { readText } from '@hooks/config/protocol';
import { existing, HOOK_FILE, whereIs } from '../paths.ts';
import { type Program, UserError } from '../program.ts';

/** Trusts the current content of a file. Shows the file and asks first, unless `--yes`. */
export async function trust(
  path: string,
  { yes }: { readonly yes?: boolean },
  program: Program,
): Promise<number> {
  for (const file of filesOf(path, program)) {
    const content = readText(file);
    const trusted = await isTrusted(file, content, yes ? { ask: async () => true } : {});
    if (!trusted) throw new UserError(`${file} is not trusted; without a terminal, review it and give --yes`);
    program.stdout.write(`trusted: ${file}\n`);
  }
  return 0;
}

/** Revokes trust. */
export async function untrust(path: string, program: Program): Promise<number> {
  const absolute = resolve(program.cwd(), path);
  const isThere = existsSync(absolute);
  const known = await new TrustStore().untrust(isThere ? trustedPath(absolute) : absolute);
  if (known) program.stdout.write(`no longer trusted: ${absolute}\n`);
  else
    program.stdout.write(
      isThere
        ? `was not trusted: ${absolute}\n`
        : `[path]: there is no such file ${whereIs(absolute)}, and none was trusted\n`,
    );
  return 0;
}

/**
 * Does not parse the files, which may take longer than anybody would wait for a file that is not trusted. A module is trusted
 * by its own text, which does not cover what it imports.
 */
function filesOf(path: string, program: Program): readonly string[] {
  return pathsOf(existing('[file]', path, program, HOOK_FILE), program.cwd()).map(trustedPath);
}
