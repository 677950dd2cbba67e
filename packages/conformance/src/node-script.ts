import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The arguments that start Node with another file of this package: from sources if this file is TypeScript, else from
 * the build.
 */
export function nodeScript(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const own = fileURLToPath(import.meta.url);
  const file = fileURLToPath(new URL(`./${name}${extname(own)}`, import.meta.url));
  return { file, execArgv: extname(own) === '.ts' ? ['--conditions=@hooks/source'] : [] };
}
