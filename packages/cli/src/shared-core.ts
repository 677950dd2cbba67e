import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import core from '@hooks/core/package.json' with { type: 'json' };

/**
 * Gives policies the core that is part of this command, if they would import the same version. It is already loaded, and
 * the package has forty files.
 */
export function shareCore(): void {
  const own = join(import.meta.dirname, 'core.cjs');
  // Only the bundle contains core.
  if (!existsSync(own)) return;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      if (specifier !== '@hooks/core' || versionOf(found.url) !== core.version) return found;
      return { ...found, url: pathToFileURL(own).href, format: 'commonjs' };
    },
  });
}

/** The version of the package that contains a file. */
function versionOf(url: string): unknown {
  const manifest = findPackageJSON(url);
  return manifest && JSON.parse(readFileSync(manifest, 'utf8')).version;
}
