import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the command into CommonJS files, with core, config and guards in place: a hook is a process for every tool
 * call, and these start in half the time that a hundred and twenty modules take. What is imported on demand stays a file
 * of its own. Other people's packages stay packages, but for one hash function; the commands but `run` stay modules.
 *
 * @param dir two levels below the package
 */
export async function bundle(dir: string): Promise<void> {
  const built = await rolldown({
    input: {
      hooks: pathTo('../src/main.ts'),
      // Forked by its path beside the file that forks it.
      'spawner-process': pathTo('../../config/src/command/spawner-process.ts'),
    },
    platform: 'node',
    resolve: { conditionNames: ['@hooks/source', 'node', 'import'] },
    external: ['fastest-levenshtein', 'ibantools', 'openai', 'unbash', 'yaml', 'zod'],
    plugins: [
      {
        name: 'other-commands',
        resolveId: (id) => (id === './cli.ts' ? { id: '../cli.js', external: true } : undefined),
      },
    ],
  });
  await built.write({
    dir,
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // Every hook needs core, and one file is read faster than ten.
    codeSplitting: { groups: [{ name: 'core', test: /core.src/ }] },
  });
  await built.close();
}

function pathTo(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

if (import.meta.main) await bundle(pathTo('../dist/bin'));
