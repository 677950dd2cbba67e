import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the command, with core, config and what it needs of ours, into CommonJS files. A hook is a process for every tool
 * call, and the bundle starts twice as fast as 120 modules. Modules that load on demand stay separate files. Third-party
 * packages are not bundled, except for a hash function and canonical JSON, whose licences are included. Commands other than `run` stay ES
 * modules.
 *
 * @param dir two levels below the package
 */
export async function bundle(dir: string): Promise<void> {
  const built = await rolldown({
    input: {
      hooks: pathTo('../src/main.ts'),
      // Started by its path, so it must stay a file next to the one that starts it.
      'spawner-process': pathTo('../../config/src/command/spawner-process.ts'),
      // `shared-core.ts` gives it to policies.
      core: pathTo('../../core/src/index.ts'),
    },
    platform: 'node',
    resolve: { conditionNames: ['@hooks/source', 'node', 'import'] },
    external: [
      /^@ai-sdk\//,
      '@opentelemetry/api',
      /^chrono-node/,
      'dockerode',
      'fastest-levenshtein',
      'ibantools',
      'openai',
      'smol-toml',
      'unbash',
      'yaml',
      'zod',
    ],
    plugins: [
      {
        name: 'other-commands',
        resolveId: (id) => (id === './cli.ts' ? { id: '../cli.js', external: true } : undefined),
      },
      {
        name: 'ascii',
        // Escape other characters, because V8 would store the whole text with two bytes per character.
        renderChunk: (code, { name }) =>
          name === 'hook' ? code.replaceAll(/[^\0-\x7f]/g, escaped) : undefined,
      },
    ],
  });
  const { output } = await built.write({
    dir,
    cleanDir: true,
    format: 'cjs',
    comments: false,
    entryFileNames: '[name].cjs',
    // `start.ts` looks for the file of the hook by its name.
    chunkFileNames: ({ name }) => (name === 'hook' ? '[name].cjs' : '[name]-[hash].cjs'),
    codeSplitting: {
      groups: [
        // It sets the folder for compiled code before the rest loads.
        { name: 'start', test: /cli.src.start\.ts|config.src.import-module\.ts/, priority: 1 },
        // Everything that every hook needs, because one file loads faster than twenty.
        { name: 'hook', test: /cli.src.hook-process\.ts/ },
      ],
    },
  });
  await built.close();
  for (const { fileName, code } of output.filter((file) => file.type === 'chunk'))
    if (fileName === 'hook.cjs' && /[^.\w]import\(/.test(code))
      throw new Error('vm.Script runs hook.cjs and cannot import; use importModule of @hooks/config');
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  copyFileSync(pathTo('../src/hook.sh'), join(dir, 'hook.sh'));
  copyFileSync(pathTo('../src/warm/ask-worker.pl'), join(dir, 'ask-worker.pl'));
  writeFileSync(join(dir, 'THIRD-PARTY-NOTICES.txt'), noticesOf(modules));
}

/** Name, version and licence of each package that modules come from, unless it is one of ours. */
function noticesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders].toSorted().map(noticeOf).join('\n');
}

function noticeOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.|$)/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled but has no licence file in ${folder}`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

/** The JavaScript escape of a character. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function pathTo(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

if (import.meta.main) await bundle(pathTo('../dist/bin'));
