import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * Bundles the built `commands/run.js` with core and config in place: a hook is a process for every tool call, and two
 * files start faster than a hundred and twenty. Other people's packages stay packages; so does what is seldom needed.
 */

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const config = join(createRequire(import.meta.url).resolve('@hooks/config/package.json'), '..');

await build({
  entryPoints: {
    run: join(dist, 'commands/run.js'),
    // Forked by its path beside the module that forks it.
    'spawner-process': join(config, 'dist/command/spawner-process.js'),
  },
  outdir: join(dist, 'commands'),
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  chunkNames: 'run-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  external: ['@hooks/guards', 'fastest-levenshtein', 'openai', 'yaml', 'zod'],
});
