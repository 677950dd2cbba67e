import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What to start Node with to run another file of this package: its TypeScript where this very file is TypeScript, and
 * workspace packages from their sources; else what was built.
 */
export function nodeScript(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const own = fileURLToPath(import.meta.url);
  const file = fileURLToPath(new URL(`./${name}${extname(own)}`, import.meta.url));
  return { file, execArgv: extname(own) === '.ts' ? ['--conditions=@hooks/source'] : [] };
}
